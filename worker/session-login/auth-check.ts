// Decides if the page after a call shows that the role's login has expired.
import { quote } from "../../proto/text/quote.ts";
import { fits } from "../core/wildcards.ts";

/** The configuration's `authCheck`. A part that it does not set is empty. */
export interface AuthCheck {
  loginUrl: string;
  loggedInText: string;
}

/** The known facts about a page after a call. */
export interface LoginSigns {
  url: string;
  /** The call led to another document, or to another address within it. */
  isNew: boolean;
  /**
   * The addresses that the call, or a link or form in the page, asked for. If the call only acted in the page, this
   * includes the address before it.
   */
  asked: readonly string[];
  /** The HTTP status of the document, or 0 if there is none. */
  status: number;
  /** True if the page shows the logged-in text. Undefined if that is not known. */
  showsText: boolean | undefined;
  /** The session has seen the text on this page before it came back to it. */
  sawText: boolean;
}

/** The sign that the login has expired. */
export interface ExpirySign {
  /** Words that are followed by an address. */
  words: string;
  /** The call's effect: the site refused it, or may have done what it asked for. */
  effect: "none" | "unknown";
}

/** Returns the sign that the login has expired, or undefined if there is none. */
export function expirySign(check: AuthCheck, signs: LoginSigns): ExpirySign | undefined {
  const { url, isNew, asked, status, showsText, sawText } = signs;
  if (isLogin(check, url)) {
    const isAskedFor = asked.some((each) => isLogin(check, each));
    return isNew && !isAskedFor ? { words: "the site sent it to", effect: "none" } : undefined;
  }
  // The site also sends these statuses to a logged-in user without access to the page.
  if (isNew && (status === 401 || status === 403) && !showsText)
    return { words: `HTTP status ${status} of`, effect: "none" };
  // Only a new page counts. A page that stays may fold the text away, or go on to a step without it.
  if (isNew && sawText && showsText === false)
    return { words: `the text ${quote(check.loggedInText)} is gone from`, effect: "unknown" };
  return undefined;
}

/** Returns true if the address is the login page. */
export function isLogin({ loginUrl }: AuthCheck, url: string): boolean {
  return loginUrl !== "" && addressMatches(url, loginUrl);
}

/** Matches an address. `*` stands for any text. `*.` before the host means the host and all its subdomains. */
export function addressMatches(url: string, pattern: string): boolean {
  return fits(url, pattern) || fits(url, pattern.replace("://*.", "://"));
}

/** Returns the page that an address names: the address without its fragment. */
export function pageOf(url: string): string {
  return url.split("#")[0] ?? url;
}
