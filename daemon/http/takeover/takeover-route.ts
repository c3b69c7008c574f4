// Serves the person's page at /takeover. A link's secret stands in the address's fragment, which no server or log sees.
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Log } from "../../core/log.ts";
import { type PageFiles, pageFiles } from "../../takeover/page-files.ts";
import type { Connections } from "../connections.ts";
import type { HttpPath } from "../http-server.ts";
import { route } from "../route.ts";
import { LivePages, type LiveParts } from "./live-pages.ts";
import { cookieFor, secretIn } from "./turn-cookie.ts";

export const TAKEOVER = "/takeover";

const HEADERS = {
  "cache-control": "no-store",
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};
const TYPES = {
  "index.html": "text/html; charset=utf-8",
  "page.css": "text/css; charset=utf-8",
  "main.js": "text/javascript; charset=utf-8",
} as const satisfies Record<keyof PageFiles, string>;
const STATUS = { opened: 200, invalid: 410, taken: 409, unavailable: 503 } as const;

export interface TakeOverRouteParts extends LiveParts {
  /** The page is reached over https. */
  isSecure: boolean;
  log: Log;
}

export class TakeOverRoute implements HttpPath, Disposable {
  readonly #parts: TakeOverRouteParts;
  readonly #live: LivePages;
  #files: Promise<PageFiles> | undefined;

  constructor(parts: TakeOverRouteParts) {
    this.#parts = parts;
    this.#live = new LivePages(parts);
  }

  /** Adds the paths to an address. The secrets of links and cookies are all the rights that they take. */
  addTo(app: FastifyInstance, stays: Connections["stays"]): void {
    const anybody = async () => undefined;
    const file = (name: keyof PageFiles) => async (_request: FastifyRequest, reply: FastifyReply) => {
      this.#files ??= pageFiles();
      return reply
        .headers(HEADERS)
        .type(TYPES[name])
        .send((await this.#files)[name]);
    };
    route(app, TAKEOVER, anybody, { GET: file("index.html") });
    route(app, `${TAKEOVER}/page.css`, anybody, { GET: file("page.css") });
    route(app, `${TAKEOVER}/main.js`, anybody, { GET: file("main.js") });
    route(app, `${TAKEOVER}/open`, anybody, { POST: (request, reply) => this.#open(request, reply) });
    this.#live.serve(app.server, stays);
    if (this.#parts.turns.mayBeElsewhere) this.#live.begin();
  }

  [Symbol.dispose](): void {
    this.#live[Symbol.dispose]();
  }

  async #open({ body, headers }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { token, turn } = (body ?? {}) as { token?: unknown; turn?: unknown };
    reply.headers(HEADERS);
    if (typeof turn === "string") return await this.#openAgain(turn, headers.cookie, reply);
    const opened = await this.#parts.turns.open(typeof token === "string" ? token : "");
    reply.code(STATUS[opened.state]);
    if (opened.state !== "opened") return reply.send(opened);
    this.#live.begin();
    const { id, secret, state } = opened;
    return reply.header("set-cookie", cookieFor(id, secret, this.#parts.isSecure)).send({ state, id });
  }

  /** Answers a page that is loaded again. A browser does not say why it could not open a live connection. */
  async #openAgain(id: string, cookie: string | undefined, reply: FastifyReply): Promise<FastifyReply> {
    const secret = secretIn(cookie, id);
    const standing = secret === undefined ? undefined : await this.#parts.turns.standing(id, secret);
    if (standing === "running") return reply.send({ state: "opened", id });
    if (standing === "unreachable")
      return reply.code(STATUS.unavailable).send({ state: "unavailable", why: standing });
    const answer = standing ? { state: "over", why: standing } : { state: "invalid", why: "unknown" };
    return reply.code(STATUS.invalid).send(answer);
  }
}
