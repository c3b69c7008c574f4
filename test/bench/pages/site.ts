/** Serves the pages over loopback, and sends shown pages orders to navigate and to change. */
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import type { ContenderId } from "../results/results.ts";
import { listHtml } from "./list-page.ts";
import { offlinePolicy, type RealPage, realPages, realQuietMs } from "./real-pages.ts";
import { actionsHtml, smallHtml, waitingHtml } from "./small-pages.ts";
import { type Order, stageScript } from "./stage-script.ts";

/** The longest time for a browser to show the page of its order. */
const SHOWN_MS_MAX = 60_000;

type Change = { rows: number[]; price: string; toggle: boolean };

export class Site implements AsyncDisposable {
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  readonly #stages = new Map<string, Stage>();
  readonly #packagesDir: string;

  /** `packagesDir`: the node_modules with the packages of the real pages. */
  static async start(packagesDir: string): Promise<Site> {
    const site = new Site(packagesDir);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    site.#server.once("error", reject);
    site.#server.listen(0, "127.0.0.1", resolve);
    await promise;
    return site;
  }

  private constructor(packagesDir: string) {
    this.#packagesDir = packagesDir;
  }

  /** Returns the pages as one contender's browser sees them. */
  stage(contender: ContenderId): Stage {
    const { port } = this.#server.address() as AddressInfo;
    const stage = this.#stages.get(contender) ?? new Stage(`http://127.0.0.1:${port}/s/${contender}`);
    this.#stages.set(contender, stage);
    return stage;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.close(() => resolve());
    await promise;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://site");
    const [, contender = "", place = ""] = /^\/s\/([\w-]+)\/(.+)$/.exec(pathname) ?? [];
    const stage = this.#stages.get(contender);
    const n = Number(searchParams.get("visit") ?? searchParams.get("n"));
    if (!stage) return notFound(response);
    if (place === "orders") return stage.take(response);
    if (place === "done") {
      stage.done(n);
      response.writeHead(204).end();
      return;
    }
    if (place.startsWith("real/")) return await this.#answerReal(place, response);
    const html = ownHtml(place, n);
    if (html === undefined) return notFound(response);
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(html);
  }

  async #answerReal(place: string, response: ServerResponse): Promise<void> {
    const [, id, ...rest] = decodeURIComponent(place).split("/");
    const page = realPages.find((each) => each.id === id);
    const content = page && (await this.#contentOf(page, rest.join("/")));
    if (content === undefined) return notFound(response);
    const type = contentTypes[path.extname(place)] ?? "application/octet-stream";
    response.writeHead(200, { "content-type": type, "content-security-policy": offlinePolicy });
    const takesPart = rest.join("/") === page?.path ? stageScript({ quietMs: realQuietMs }) : "";
    response.end(takesPart ? `${content}${takesPart}` : content);
  }

  /** Undefined if the package has no such file. */
  async #contentOf(page: RealPage, file: string): Promise<string | Buffer | undefined> {
    const own = page.own?.[file];
    if (own !== undefined) return own;
    const folder = path.join(this.#packagesDir, page.package);
    const whole = path.join(folder, file);
    if (!whole.startsWith(`${folder}${path.sep}`)) return undefined;
    try {
      return await readFile(whole);
    } catch (error) {
      if (["ENOENT", "EISDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
      throw error;
    }
  }
}

/** One contender's way to the pages. Its browser shows one page at a time. */
export class Stage {
  readonly #url: string;
  #page: ServerResponse | undefined;
  #lastN = 0;
  readonly #waiting = new Map<number, () => void>();

  constructor(url: string) {
    this.#url = url;
  }

  /** Returns a small page, another one at each call, for callers that only need a target. */
  small(): string {
    return `${this.#url}/small?n=${++this.#lastN}`;
  }

  /** Lets a contender bring its browser to the waiting page. */
  async enter(navigate: (url: string) => Promise<unknown>): Promise<void> {
    const n = ++this.#lastN;
    await Promise.all([this.#expect(n), navigate(`${this.#url}/waiting?visit=${n}`)]);
  }

  /**
   * Sends the shown page to another one, and resolves when that one is shown. No snapshot has been taken of it then.
   */
  async visit(place: string): Promise<void> {
    const n = ++this.#lastN;
    await this.#order({ n, go: `${this.#url}/${place}?visit=${n}` });
  }

  /** Changes the shown page, and resolves when a frame has been painted with the change. */
  async change(change: Change): Promise<void> {
    await this.#order({ n: ++this.#lastN, ...change });
  }

  /** Takes a page that waits for orders. */
  take(response: ServerResponse): void {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    response.write(":\n\n");
    this.#page = response;
    response.once("close", () => {
      if (this.#page === response) this.#page = undefined;
    });
  }

  done(n: number): void {
    this.#waiting.get(n)?.();
  }

  async #order(order: Order): Promise<void> {
    if (!this.#page) throw new Error("its browser shows none of the benchmark's pages any more");
    this.#page.write(`data: ${JSON.stringify(order)}\n\n`);
    await this.#expect(order.n);
  }

  async #expect(n: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => reject(new Error("the page was not shown in time")), SHOWN_MS_MAX);
    // If the browser never arrived, this timer must not delay the run.
    timer.unref();
    this.#waiting.set(n, resolve);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(n);
    }
  }
}

function ownHtml(place: string, n: number): string | undefined {
  if (place === "waiting") return waitingHtml(stageScript());
  if (place === "actions") return actionsHtml(stageScript());
  if (place === "small") return smallHtml(n);
  const rows = /^rows\/(\d{1,5})$/.exec(place)?.[1];
  return rows === undefined ? undefined : listHtml(Number(rows), n, stageScript());
}

function notFound(response: ServerResponse): void {
  response.writeHead(404, { "content-type": "text/plain" }).end("there is nothing here");
}

const contentTypes: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
  ".woff": "font/woff",
  ".ttf": "font/ttf",
};
