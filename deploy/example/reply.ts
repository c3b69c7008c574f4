/** The shop's possible answers. */
import type { Html } from "./html.ts";
import { messagePage, type Visit } from "./layout.ts";

export interface Reply {
  status: number;
  /** A page, an object to send as JSON, or nothing. */
  body?: Html | object;
  location?: string;
  /** The cookies to set. Undefined removes a cookie. */
  cookies?: Record<string, string | undefined>;
  allow?: string;
  /** The origin whose documents the page frames, or that may frame the page, besides the shop's own. */
  frames?: string;
  framedBy?: string;
}

/** Holds a notice for the next page. */
export const noticeCookie = "shop_notice";

export function ok(body: Html | object): Reply {
  return { status: 200, body };
}

export function notFound(visit: Visit): Reply {
  return { status: 404, body: messagePage("Not found", "There is no such page in this shop.", visit) };
}

/** Answers a method that this path does not take, or that the whole shop does not know. */
export function methodNotAllowed(methods: readonly string[]): Reply {
  return { status: 405, allow: methods.join(", "), body: { error: "This method is not allowed here." } };
}

/** Answers a POST: the browser continues with GET, and the next page shows the notice. */
export function seeOther(location: string, notice: string, cookies: Reply["cookies"] = {}): Reply {
  return { status: 303, location, cookies: { ...cookies, [noticeCookie]: notice } };
}

export function isPage({ body }: Reply): boolean {
  return body !== undefined && "html" in body;
}
