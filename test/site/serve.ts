// Serves the pages that tests open. Each test writes its own HTML, and decides when a slow answer comes.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { acceptSocket, type Socket } from "./web-socket.ts";

/** A request as the site received it. */
export interface SeenRequest {
  method: string;
  host: string;
  path: string;
  headers: IncomingMessage["headers"];
}

export interface PageOptions {
  status?: number;
  headers?: Record<string, string>;
}

/** An address whose answers wait until the test gives them. */
export interface Held {
  url: string;
  /** Resolves when the address has had so many requests. */
  asked(times?: number): Promise<void>;
  /** Answers all waiting requests, and later ones at once. */
  release(body?: string, options?: PageOptions): void;
}

/** Answers a request by hand. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A server on the loopback interface, which browsers know as two sites: 127.0.0.1 and localhost. */
export interface Site extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`. */
  origin: string;
  /** The same server as another site: `http://localhost:PORT`. */
  otherOrigin: string;
  /** Every request so far, in order. */
  requests: readonly SeenRequest[];
  /** Serves HTML and returns its address on `origin`. */
  page(html: string, options?: PageOptions): string;
  /** Serves the handler's answers and returns the address on `origin`. */
  route(handler: Handler): string;
  /** Returns an address for WebSocket connections. The handler gets each one. */
  socket(onOpen: (socket: Socket) => void): string;
  /** Returns an address that does not answer until the test releases it. */
  hold(): Held;
  /** Returns an address that redirects. */
  redirect(to: string, status?: number): string;
  /** Returns the same address on the other site. */
  elsewhere(url: string): string;
  /** Returns how many requests an address has had. */
  count(url: string): number;
}

/** Opens a site. */
export async function serveSite(): Promise<Site> {
  const routes = new Map<string, Handler>();
  const requests: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const { method = "", url = "", headers } = request;
    requests.push({ method, host: headers.host ?? "", path: url, headers });
    const handler = routes.get(url.split("?")[0] ?? "") ?? notFound;
    handler(request, response);
  });
  const sockets = new Map<string, (socket: Socket) => void>();
  const upgraded = new Set<Duplex>();
  server.on("upgrade", (request, stream) => {
    upgraded.add(stream);
    const onOpen = sockets.get(request.url ?? "");
    if (onOpen) onOpen(acceptSocket(request, stream));
    else stream.destroy();
  });
  const port = await listen(server);
  const origin = `http://127.0.0.1:${port}`;
  const otherOrigin = `http://localhost:${port}`;
  const route = (handler: Handler) => {
    const path = `/${routes.size + 1}`;
    routes.set(path, handler);
    return origin + path;
  };
  const page = (html: string, options: PageOptions = {}) =>
    route((_request, response) => send(response, html, options));
  return {
    origin,
    otherOrigin,
    requests,
    route,
    page,
    socket(onOpen) {
      const path = `/socket-${sockets.size + 1}`;
      sockets.set(path, onOpen);
      return origin.replace("http", "ws") + path;
    },
    hold: () => hold(route),
    redirect: (to, status = 302) =>
      route((_request, response) => send(response, "", { status, headers: { location: to } })),
    elsewhere: (url) => url.replace(origin, otherOrigin),
    count: (url) => requests.filter(({ path }) => path.split("?")[0] === new URL(url).pathname).length,
    async [Symbol.asyncDispose]() {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      server.closeAllConnections();
      // Node does not count these any more, but the server's end waits for them.
      for (const stream of upgraded) stream.destroy();
      await closed.promise;
    },
  };
}

function hold(route: (handler: Handler) => string): Held {
  const waiting: ServerResponse[] = [];
  const watchers: { times: number; resolve: () => void }[] = [];
  let answer: ((response: ServerResponse) => void) | undefined;
  let asked = 0;
  const url = route((_request, response) => {
    asked++;
    for (const { times, resolve } of watchers) if (asked >= times) resolve();
    if (answer) answer(response);
    else waiting.push(response);
  });
  return {
    url,
    asked(times = 1) {
      const { promise, resolve } = Promise.withResolvers<void>();
      if (asked >= times) resolve();
      else watchers.push({ times, resolve });
      return promise;
    },
    release(body = "", options = {}) {
      answer = (response) => send(response, body, options);
      for (const response of waiting.splice(0)) answer(response);
    },
  };
}

function send(response: ServerResponse, body: string, { status = 200, headers = {} }: PageOptions): void {
  response.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    ...headers,
  });
  const isHtml = !headers["content-type"] && body.startsWith("<") && !body.startsWith("<!");
  response.end(isHtml ? `<!doctype html>${body}` : body);
}

function notFound(_request: IncomingMessage, response: ServerResponse): void {
  send(response, "<title>Not Found</title><h1>Not Found</h1>", { status: 404 });
}

function listen(server: ReturnType<typeof createServer>): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  server.once("error", reject);
  server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  return promise;
}
