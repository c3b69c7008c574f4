// Decides which requests of a role wait for a person, by the rules of the configuration.
import type { Protocol } from "puppeteer-core";
import { fits } from "../core/wildcards.ts";
import { isListed, originPattern } from "../policy/origins.ts";

/** The kinds of waiting actions: a request that may change something, a document that is opened, a file that comes or goes. */
export type ApprovalAction = "submit" | "navigate" | "download" | "upload";

/** Addresses: an origin, and a path in which `*` stands for any text. */
interface AddressRule {
  origin: string;
  path: string;
}

export interface ApprovalRules {
  submit: readonly AddressRule[];
  navigate: readonly AddressRule[];
  downloads: boolean;
  uploads: boolean;
}

/** A request of a page. */
export interface RuledRequest {
  method: string;
  url: string;
  isDocument: boolean;
  /** The document that its frame shows. */
  shownUrl: string;
}

/** Methods that change nothing on the server (RFC 9110, 9.2.1). */
const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "TRACE"]);

/** Reads the rules as the configuration writes them, such as `submit:https://bank.example/*`. */
export function approvalRules(texts: readonly string[]): ApprovalRules {
  const of = (prefix: string) =>
    texts.filter((text) => text.startsWith(prefix)).map((text) => addressRule(text.slice(prefix.length)));
  return {
    submit: of("submit:"),
    navigate: of("navigate:"),
    downloads: texts.includes("downloads"),
    uploads: texts.includes("uploads"),
  };
}

/** Returns true if the request may change something on its server. */
export function isUnsafe(method: string): boolean {
  return !SAFE_METHODS.has(method.toUpperCase());
}

/** Returns the action that waits for a person; undefined for a request that goes on. */
export function actionOf(
  { method, url, isDocument, shownUrl }: RuledRequest,
  { submit, navigate }: ApprovalRules,
): ApprovalAction | undefined {
  if (isUnsafe(method) && submit.some((rule) => isCovered(url, rule))) return "submit";
  if (!isDocument) return undefined;
  // The first page of a place waits. From there on, its own links lead within it.
  const isEntered = ({ origin, path }: AddressRule) =>
    isCovered(url, { origin, path }) && !isCovered(shownUrl, { origin, path });
  return navigate.some(isEntered) ? "navigate" : undefined;
}

/** Returns the requests that Chrome holds back for the rules. They are more than those that wait. */
export function heldPatterns({ submit, navigate }: ApprovalRules): Protocol.Fetch.RequestPattern[] {
  return [
    ...submit.flatMap(({ origin }) => placesOf(origin).map((urlPattern) => ({ urlPattern }))),
    ...navigate.flatMap(({ origin }) =>
      placesOf(origin).map((urlPattern) => ({ urlPattern, resourceType: "Document" as const })),
    ),
  ];
}

function addressRule(text: string): AddressRule {
  const [, origin = text, path = ""] = /^([a-z][a-z0-9+.-]*:\/\/[^/]*)(\/.*)?$/i.exec(text) ?? [];
  return { origin, path: path === "" ? "/*" : path };
}

function isCovered(address: string, { origin, path }: AddressRule): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  return isListed(url, [origin]) && pathsOf(url).some((each) => fits(each, path));
}

/** Servers decode a path, and many take several slashes for one. A page must not pass a rule by such a spelling. */
function pathsOf({ pathname }: URL): string[] {
  const plain = decoded(pathname).replace(/\/{2,}/g, "/");
  return plain === pathname ? [pathname] : [pathname, plain];
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // A lone percent sign stands for itself.
    return path;
  }
}

/** Chrome writes addresses without the scheme's own port. Its patterns know `*` and `?`. */
function placesOf(origin: string): string[] {
  const pattern = originPattern(origin);
  if (!pattern) return [];
  const { scheme, host, below } = pattern;
  const [, port = ""] = /:(\d+)\/?$/.exec(origin) ?? [];
  const isOwnPort = (scheme === "https:" && port === "443") || (scheme === "http:" && port === "80");
  const place = `${host.includes(":") ? `[${host}]` : host}${port === "" || isOwnPort ? "" : `:${port}`}`;
  return [`${scheme}//${place}/*`, ...(below ? [`${scheme}//*.${place}/*`] : [])];
}
