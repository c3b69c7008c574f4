// Parses addresses that clients write, and checks if the role may open them.

import { fail } from "../../proto/errors/catalogue.ts";
import { nearest } from "../../proto/text/nearest.ts";
import { withoutUserinfo } from "../../proto/text/quote.ts";
import { isListed } from "../policy/origins.ts";
import type { Wall } from "../policy/role-policy.ts";
import { admit, NOT_LISTED } from "../policy/wall.ts";

/** Chrome opens these regardless of any policy: pages of the machine and of Chrome itself, and scripts. */
const NEVER = new Set([
  "file:",
  "chrome:",
  "devtools:",
  "view-source:",
  "javascript:",
  "chrome-extension:",
  "filesystem:",
  "ftp:",
]);
const WEB = new Set(["http:", "https:"]);
/** http is assumed for these hosts, because no certificates exist for them. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?:[:/?#]|$)/i;

/**
 * Returns the intended address. https:// is assumed, and a path belongs to the page at `base`. Throws INVALID_ARGUMENT,
 * with the corrected address if a scheme is misspelt.
 */
export function parseAddress(text: string, base = ""): URL {
  const trimmed = text
    .trim()
    .replace(/^["'`<](.*)["'`>]$/s, "$1")
    .trim();
  if (/^(?:\/(?!\/)|[?#]|\.\.?\/)/.test(trimmed)) return below(trimmed, base);
  checkScheme(trimmed);
  const hasScheme = /^[a-z][a-z0-9+.-]*:/i.test(trimmed) && !/^[^/?#]+:\d+(?:[/?#]|$)/.test(trimmed);
  const bare = trimmed.replace(/^\/\//, "");
  const whole = hasScheme ? trimmed : `${LOOPBACK.test(bare) ? "http" : "https"}://${bare}`;
  if (trimmed && URL.canParse(whole)) return new URL(whole);
  throw noAddress(trimmed);
}

/** Schemes that are not misspelt, opened or not. */
const KNOWN = new Set([...NEVER, ...WEB, "about:", "data:", "blob:", "mailto:", "ws:", "wss:", "tel:"]);
/** Matches a scheme with its slashes, even if the colon is missing or is another character. */
const SCHEME = /^([a-z]{2,10})([:;.]?)\/\//i;

function checkScheme(text: string): void {
  const [, scheme = "", separator] = SCHEME.exec(text) ?? [];
  if (separator === ":" && KNOWN.has(`${scheme.toLowerCase()}:`)) return;
  const meant = nearest(scheme, ["https", "http"]);
  if (meant) throw noAddress(text, `${meant}://${text.replace(SCHEME, "")}`);
}

/** Returns an address on the page's own site. */
function below(path: string, base: string): URL {
  if (/^https?:/.test(base) && URL.canParse(path, base)) return new URL(path, base);
  throw noAddress(path);
}

function noAddress(text: string, meant?: string) {
  return fail("INVALID_ARGUMENT", {
    argument: "url",
    problem: `${JSON.stringify(withoutAnyUser(text).slice(0, 200))} is no address`,
    example: "https://example.com/",
    ...(meant && { corrected: { url: meant } }),
  });
}

/** Removes the user and password, even from a text that is no valid address. */
function withoutAnyUser(text: string): string {
  return withoutUserinfo(text).replace(/^([a-z]{2,10}[:;.]?\/\/)?[^/?#\s]*@/i, "$1");
}

/** The part of a role's policy that can check an address before any request. */
export type AddressRules = Pick<Wall, "allow" | "listed" | "daemonPorts">;

/** Throws NAVIGATION_BLOCKED if the role may not open the address. `allow`: origins; if empty, any http(s) page. */
export function checkAllowed(url: URL, { allow, listed, daemonPorts }: AddressRules): void {
  const blocked = (reason: string) =>
    fail("NAVIGATION_BLOCKED", { url: withoutUserinfo(url.href).slice(0, 500), allowed: [...allow], reason });
  const isNamed = allow.some((each) => each.toLowerCase() === url.protocol);
  if (NEVER.has(url.protocol) && !isNamed) throw blocked(`${url.protocol} addresses are never opened`);
  if (url.href === "about:blank") return;
  if (allow.length > 0 && !isListed(url, allow)) throw blocked(NOT_LISTED);
  if (allow.length === 0 && !WEB.has(url.protocol) && url.protocol !== "data:" && url.protocol !== "blob:")
    throw blocked(`${url.protocol} addresses are not opened`);
  if (!WEB.has(url.protocol)) return;
  const wanted = {
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: Number(url.port) || standardPort(url),
  };
  const admission = admit(wanted, { origins: undefined, listed, daemonPorts });
  if (!admission.admitted) throw blocked(admission.reason);
}

function standardPort({ protocol }: URL): number {
  return protocol === "https:" ? 443 : 80;
}
