// Groups requests into families, and names a request in a reply.
import type { Protocol } from "puppeteer-core";

/** A data: address or a body may be megabytes. Its two ends are enough to identify it. */
const LENGTH_MAX = 2_000;
const NAME_LENGTH_MAX = 120;

type Request = Pick<Protocol.Network.Request, "method" | "url" | "postData">;

/** Returns method, address and body. Two requests with the same identity ask for the same. */
export function identityOf({ method, url, postData = "" }: Request): string {
  return `${method} ${cut(url.split("#")[0] ?? "")} ${cut(postData)}`;
}

/**
 * Returns the part of a request that stays the same when a page repeats it. It has the query's names without their
 * values. Names and body have no digits.
 */
export function familyOf({ method, url, postData = "" }: Request): string {
  const [path = "", query = ""] = cut(url.split("#")[0] ?? "").split("?");
  const names = query.split("&").map((pair) => pair.split("=")[0]);
  return `${method} ${path}?${withoutDigits(names.join("&"))} ${withoutDigits(cut(postData))}`;
}

/**
 * Returns the part that stays the same when a page repeats a request, each time at another path. Path segments with
 * digits become 0.
 */
export function hostAndPathOf({ method, url }: Request): string {
  const path = cut(url.split(/[?#]/)[0] ?? "");
  const names = path.split("/").map((name) => (/\d/.test(name) ? "0" : name));
  return `${method} ${names.join("/")}`;
}

/** Keeps the part of a request that names it. The query is dropped, and a long address is cut. */
export function briefOf({ method, url }: Request): Pick<Request, "method" | "url"> {
  return { method, url: copied((url.split(/[?#]/)[0] ?? "").slice(0, LENGTH_MAX)) };
}

/**
 * Returns for example `GET /api/orders`, with the host if it is not the page's. Query, fragment and user are left out,
 * because they may be secret.
 */
export function nameOf({ method, url }: Request, pageUrl: string): string {
  if (!URL.canParse(url)) return `${method} ${url.slice(0, 20)}`;
  const { origin, host, pathname, protocol } = new URL(url);
  if (host === "") return `${method} ${protocol}`;
  const isOwn = URL.canParse(pageUrl) && new URL(pageUrl).origin === origin;
  const whole = isOwn ? pathname : `${origin}${pathname}`;
  const short = whole.length > NAME_LENGTH_MAX ? `${whole.slice(0, NAME_LENGTH_MAX)}…` : whole;
  return `${method} ${short}`;
}

function withoutDigits(text: string): string {
  return text.replace(/\d+/g, "0");
}

function cut(text: string): string {
  if (text.length <= LENGTH_MAX) return text;
  return copied(text.slice(0, LENGTH_MAX / 2) + text.slice(-LENGTH_MAX / 2));
}

/** Copies the text, because a slice of a string keeps the whole string in memory. */
function copied(slice: string): string {
  return Buffer.from(slice, "utf16le").toString("utf16le");
}
