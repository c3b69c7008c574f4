/** Serves the demo shop on the network: node:http around `answer`. */
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { sessionCookie } from "./logins.ts";
import { methodNotAllowed, type Reply } from "./reply.ts";
import { answer, type ShopRequest } from "./routes.ts";
import { openShop, type Shop } from "./state.ts";

export { type LoginRole, type StorageState, storageStateFor } from "./logins.ts";

/** The port of the storageState files in auth/. */
export const examplePort = 7422;

export interface ServedShop extends AsyncDisposable {
  /** It has no slash at its end. */
  url: string;
  close(): Promise<void>;
}

/**
 * Opens a shop with its own state, which is lost when the shop closes. Port 0 takes any free one. Rejects with the
 * system's error, with its `code` (EADDRINUSE) and a message that says what to do.
 */
export async function serveShop({ port = examplePort, host = "127.0.0.1" } = {}): Promise<ServedShop> {
  const shop = openShop();
  const server = createServer({ requestTimeout: requestTimeoutMs }, (request, response) => {
    void respond(shop, request, response);
  });
  await listen(server, port, host);
  const { port: actual } = server.address() as AddressInfo;
  const close = () => closeServer(server);
  return { url: `http://${host}:${actual}`, close, [Symbol.asyncDispose]: close };
}

const requestTimeoutMs = 10_000;
const bodyBytesMax = 16 * 1024;

const assets = new Map(
  [
    ["/shop.css", "text/css; charset=utf-8"],
    ["/shop.js", "text/javascript; charset=utf-8"],
    ["/order.js", "text/javascript; charset=utf-8"],
    ["/payment.js", "text/javascript; charset=utf-8"],
  ].map(([path = "", type]) => [
    path,
    { type, text: readFileSync(join(import.meta.dirname, "assets", path), "utf8") },
  ]),
);

function listen(server: Server, port: number, host: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EADDRINUSE") {
      error.message = `the example shop needs ${host}:${port}, where another program listens already: stop that one (an example of an earlier start?) and start again`;
    }
    reject(error);
  });
  server.listen(port, host, resolve);
  return promise;
}

async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  server.closeAllConnections();
  await promise;
}

async function respond(shop: Shop, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const asset = assets.get(request.url ?? "");
    if (asset && request.method === "GET") send(response, { status: 200 }, asset);
    else send(response, await replyTo(shop, request));
  } catch (error) {
    if (error instanceof BadRequest) send(response, { status: error.status, body: { error: error.message } });
    else response.destroy(error as Error);
  }
}

async function replyTo(shop: Shop, request: IncomingMessage): Promise<Reply> {
  const { method = "", url = "/" } = request;
  if (method !== "GET" && method !== "POST") return methodNotAllowed(["GET", "POST"]);
  if (!URL.canParse(url, "http://shop")) throw new BadRequest(400, "The address cannot be read.");
  const { pathname, searchParams } = new URL(url, "http://shop");
  const form = method === "POST" ? readForm(request, await readBody(request)) : new URLSearchParams();
  const { host = "", cookie } = request.headers;
  const cookies = readCookies(cookie);
  return answer(shop, {
    method,
    host,
    path: pathname,
    query: searchParams,
    form,
    cookies,
  } satisfies ShopRequest);
}

class BadRequest extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // The request is not destroyed here, because the refusal must reach the client.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bodyBytesMax) throw new BadRequest(413, `A request holds at most ${bodyBytesMax} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function readForm({ headers }: IncomingMessage, body: string): URLSearchParams {
  const [type] = (headers["content-type"] ?? "application/x-www-form-urlencoded").split(";");
  if (type === "application/x-www-form-urlencoded") return new URLSearchParams(body);
  if (type !== "application/json") throw new BadRequest(415, "The shop reads forms and JSON.");
  return new URLSearchParams(Object.entries(parseObject(body)).map(([name, value]) => [name, String(value)]));
}

function parseObject(json: string): object {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value === "object" && value !== null) return value;
  } catch (error) {
    throw new BadRequest(400, `The JSON cannot be read: ${(error as Error).message}`);
  }
  throw new BadRequest(400, "The JSON must be an object.");
}

/** Reads cookies leniently, as a form is read, because a cookie may come from anywhere. */
function readCookies(header = ""): Map<string, string> {
  return new Map(new URLSearchParams(header.replaceAll(/;\s*/g, "&")));
}

function send(response: ServerResponse, reply: Reply, asset?: { type?: string; text: string }): void {
  const { status, body, location, allow } = reply;
  const content = asset ?? contentOf(body);
  response.writeHead(status, {
    ...(content && { "content-type": content.type }),
    ...(location && { location }),
    ...(allow && { allow }),
    // The connection closes, so the rest of an unread body stays unread.
    ...(status >= 400 && { connection: "close" }),
    ...(reply.cookies && {
      "set-cookie": Object.entries(reply.cookies).map(([name, value]) => setCookie(name, value)),
    }),
    "content-security-policy": policyOf(reply),
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
  });
  response.end(content?.text);
}

function policyOf({ frames = "", framedBy = "" }: Reply): string {
  return [
    "default-src 'self'",
    "img-src data:",
    `frame-src 'self' ${frames}`,
    `frame-ancestors 'self' ${framedBy}`,
    "base-uri 'none'",
  ].join("; ");
}

function contentOf(body: Reply["body"]) {
  if (!body) return undefined;
  if ("html" in body) return { type: "text/html; charset=utf-8", text: body.html };
  return { type: "application/json", text: JSON.stringify(body) };
}

function setCookie(name: string, value: string | undefined): string {
  const life = value === undefined ? "; Max-Age=0" : name === sessionCookie ? "" : "; Max-Age=60";
  return `${name}=${encodeURIComponent(value ?? "")}; Path=/; HttpOnly; SameSite=Lax${life}`;
}
