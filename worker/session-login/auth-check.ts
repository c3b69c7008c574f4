// Whether what a page shows after a call tells that the role's login has expired.
import { quote } from "../../proto/text/quote.ts";

/** What the configuration says of it; empty where it says nothing. */
export interface AuthCheck {
  loginUrl: string;
  loggedInText: string;
}

/** What is known of a page after a call. */
export interface LoginSigns {
  url: string;
  /** The call led to another document, or to another address within it. */
  isNew: boolean;
  /** What was asked for: by the call, by a link or form in the page, or before, where the call only acted in the page. */
  asked: readonly string[];
  /** HTTP status of the document; 0 where there is none. */
  status: number;
  /** Whether the page shows the logged-in text; undefined where that is not known. */
  showsText: boolean | undefined;
  /** The session has seen the text on this page before it came to it again. */
  sawText: boolean;
}

/** What tells that the login has expired. */
export interface ExpirySign {
  /** In words that an address follows. */
  words: string;
  /** What is known of the call: the site refused it, or may have done what it asked for. */
  effect: "none" | "unknown";
}

/** What tells that the login has expired; undefined where nothing does. */
export function expirySign(check: AuthCheck, signs: LoginSigns): ExpirySign | undefined {
  const { url, isNew, asked, status, showsText, sawText } = signs;
  if (isLogin(check, url)) {
    const isAskedFor = asked.some((each) => isLogin(check, each));
    return isNew && !isAskedFor ? { words: "the site sent it to", effect: "none" } : undefined;
  }
  // Who is logged in and may not see a page is told so with the same status.
  if (isNew && (status === 401 || status === 403) && !showsText)
    return { words: `HTTP status ${status} of`, effect: "none" };
  // A page that stays may fold the text away, or go on to a step that has no place for it.
  if (isNew && sawText && showsText === false)
    return { words: `the text ${quote(check.loggedInText)} is gone from`, effect: "unknown" };
  return undefined;
}

/** Whether the address is the login page. */
export function isLogin({ loginUrl }: AuthCheck, url: string): boolean {
  return loginUrl !== "" && addressMatches(url, loginUrl);
}

/** `*` stands for anything; `*.` before the host means the host and all below it. */
export function addressMatches(url: string, pattern: string): boolean {
  return fits(url, pattern) || fits(url, pattern.replace("://*.", "://"));
}

/** No regular expression: its time is bounded whatever the pattern. */
function fits(text: string, pattern: string): boolean {
  const parts = pattern.split("*");
  const first = parts.shift() ?? "";
  const last = parts.pop();
  if (last === undefined) return text === pattern;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

/** The page that an address names: without its fragment. */
export function pageOf(url: string): string {
  return url.split("#")[0] ?? url;
}
