// Finds the WebSockets of an attached browser, from the address in the configuration.
import { findActivePorts } from "./active-port.ts";
import { NotConnected } from "./not-connected.ts";

const VERSION_MS_MAX = 5_000;
const VERSION_BYTES_MAX = 64 * 1024;

/** The WebSocket's address. `mayAsk`: the browser may ask a person before it accepts the connection. */
export interface Endpoint {
  socket: string;
  mayAsk: boolean;
}

/**
 * `connect`: the configuration's value. `http:` addresses answer at /json/version. `auto` reads the file that a browser
 * writes into its profile folder, and may find several. Rejects with NotConnected if there is none.
 */
export async function findEndpoints(connect: string, env: NodeJS.ProcessEnv): Promise<Endpoint[]> {
  if (connect === "auto") return (await findActivePorts(env)).map((socket) => ({ socket, mayAsk: true }));
  if (/^wss?:/i.test(connect)) return [{ socket: withoutFragment(new URL(connect)), mayAsk: true }];
  return [{ socket: await askVersion(connect), mayAsk: false }];
}

/** A WebSocket's address has no fragment. */
function withoutFragment(address: URL): string {
  const whole = new URL(address);
  whole.hash = "";
  return whole.href;
}

async function askVersion(address: string): Promise<string> {
  const base = new URL(address);
  const version = parsed(await textOf(new URL("json/version", withSlash(base))));
  const { webSocketDebuggerUrl: given } = version;
  if (typeof given !== "string" || !URL.canParse(given) || !/^wss?:$/.test(new URL(given).protocol))
    throw new NotConnected("it is no browser's debugging address: /json/version names no WebSocket");
  return withoutFragment(reachedAt(base, new URL(given)));
}

/** Returns the WebSocket at `base`: the browser may name itself by an address that holds only on its own machine. */
export function reachedAt(base: URL, given: URL): URL {
  const socket = new URL(given);
  socket.protocol = base.protocol === "https:" ? "wss:" : "ws:";
  socket.hostname = base.hostname;
  // `host` would keep the given port if `base` has the one of its protocol.
  socket.port = base.port;
  return socket;
}

function withSlash(url: URL): URL {
  const { origin, pathname } = url;
  return new URL(pathname.endsWith("/") ? pathname : `${pathname}/`, origin);
}

async function textOf(url: URL): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(VERSION_MS_MAX), redirect: "error" });
    if (response.status === 404) throw new NotConnected(NO_HTTP);
    if (!response.ok) throw new NotConnected(`/json/version answers with HTTP ${response.status}`);
    return await boundedText(response);
  } catch (error) {
    throw error instanceof NotConnected ? error : new NotConnected(whyNot(error as Error), { cause: error });
  }
}

/** Chrome's switch at chrome://inspect opens a port without these addresses. */
const NO_HTTP =
  "/json/version answers with HTTP 404; a browser with remote debugging switched on at chrome://inspect is reached by `connect: auto`";

async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > VERSION_BYTES_MAX) throw new NotConnected("it is no browser's debugging address");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value as Record<string, unknown>;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new NotConnected("it is no browser's debugging address: /json/version is not JSON");
}

function whyNot(error: Error): string {
  if (error.name === "TimeoutError") return `/json/version did not answer within ${VERSION_MS_MAX / 1000} s`;
  const { code, message } = (error.cause ?? {}) as { code?: string; message?: string };
  if (message === "bad port") return "its port is one that no web client connects to";
  switch (code) {
    case "ECONNREFUSED":
      return "nothing listens there";
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return "its host's name is not known";
    default:
      return `/json/version did not answer${code ? ` (${code})` : ""}`;
  }
}
