// Connects through the network's own proxy, which browser.args names.
import { once } from "node:events";
import { isIP, type Socket } from "node:net";

/** The proxy's place, and the hosts that bypass it. */
export interface Upstream {
  host: string;
  port: number;
  /** Hosts with a direct connection, in Chrome's form: `*.corp.example`, `<local>`. */
  past: readonly string[];
}

const ANSWER_BYTES_MAX = 16 * 1024;
const ABOUT_PROXIES =
  /^--(no-proxy-server|proxy-server|proxy-bypass-list|proxy-pac-url|proxy-auto-detect)(?:=(.*))?$/;

/** Returns true if an argument of Chrome is about proxies. */
export function isAboutProxies(arg: string): boolean {
  return ABOUT_PROXIES.test(arg);
}

/**
 * Returns the proxy that Chrome's arguments name, or undefined if they name none. Throws an Error for a kind that
 * Troupe does not speak.
 */
export function upstreamOf(args: readonly string[]): Upstream | undefined {
  const given = new Map(
    args.map((arg) => ABOUT_PROXIES.exec(arg)).map((match) => [match?.[1], match?.[2] ?? ""] as const),
  );
  if (given.has("no-proxy-server")) return undefined;
  if (given.has("proxy-pac-url") || given.has("proxy-auto-detect"))
    throw new Error("browser.args may name a proxy by --proxy-server=http://HOST:PORT only, not by a script");
  const server = given.get("proxy-server");
  if (!server || server === "direct://") return undefined;
  const match = /^(?:http:\/\/)?(\[[^\]]+\]|[^\s:/;,=@]+)(?::(\d{1,5}))?\/?$/.exec(server);
  if (!match)
    throw new Error(`browser.args: --proxy-server=${server} is not understood; give http://HOST:PORT`);
  const [, host = "", port = "80"] = match;
  const past = (given.get("proxy-bypass-list") ?? "").split(/[;,]/).map((each) => each.trim().toLowerCase());
  return { host: host.replace(/^\[(.*)\]$/, "$1"), port: Number(port), past: past.filter(Boolean) };
}

/** Returns true for a host with a direct connection. Loopback always has one, as in Chrome. */
export function goesPast(host: string, { past }: Upstream): boolean {
  const isLoopback =
    host === "localhost" || host.endsWith(".localhost") || /^127\./.test(host) || host === "::1";
  if (isLoopback) return !past.includes("<-loopback>");
  return past.some((rule) => {
    if (rule === "<local>") return !host.includes(".") && isIP(host) === 0;
    if (rule === "*") return true;
    const below = /^\*?\.(.+)$/.exec(rule)?.[1];
    return below ? host.endsWith(`.${below}`) : host === rule;
  });
}

/**
 * Makes the proxy connect to a host, which the proxy resolves itself (RFC 9110, 9.3.6). `server` is already connected
 * to the proxy. Rejects with an error whose code stands for Chrome's net error.
 */
export async function tunnel(server: Socket, { host, port }: { host: string; port: number }): Promise<void> {
  const to = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  server.write(`CONNECT ${to} HTTP/1.1\r\nHost: ${to}\r\n\r\n`);
  let bytes = Buffer.alloc(0);
  for (;;) {
    const chunk = server.read() as Buffer | null;
    if (chunk) bytes = Buffer.concat([bytes, chunk]);
    const end = bytes.indexOf("\r\n\r\n");
    if (end >= 0 && /^HTTP\/1\.[01] 2\d\d/.test(bytes.toString("latin1", 0, 13))) {
      if (bytes.length > end + 4) server.unshift(bytes.subarray(end + 4));
      return;
    }
    if (end >= 0 || bytes.length > ANSWER_BYTES_MAX || server.readableEnded || server.destroyed)
      throw Object.assign(new Error(`the proxy does not connect to ${to}`), { code: "ERR_TUNNEL" });
    await Promise.race([once(server, "readable"), once(server, "close")]);
  }
}
