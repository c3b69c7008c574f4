// The further cases of error types whose causes and plans depend on the case, beside the example of each type.

import type { ErrorData, ErrorType, NavigationCause } from "../../../proto/errors/catalogue.ts";
import { NAVIGATION } from "../../../proto/errors/entries/navigation.ts";

/** The cases by the words that distinguish them. */
type Cases<T extends ErrorType> = Readonly<Record<string, ErrorData[T]>>;

const submit = { ref: "e5", role: "button", name: "Submit", tag: "button" };
const email = { ref: "e5", role: "textbox", name: "Email", tag: "input" };
const anew = [{ ref: "e31", role: "button", name: "Submit" }];
const expired = {
  role: "customer",
  authPath: "auth/customer.json",
  reason: "redirected to /login",
  page: "https://shop.example/cart",
};
const url = "https://nowhere.example/";

const further: { readonly [T in ErrorType]?: Cases<T> } = {
  UNKNOWN_TAB: { "one tab is open": { tab: "t9", tabs: ["t1"] } },
  UNKNOWN_REF: {
    "it is no ref": { ref: "#submit", cause: "malformed" },
    "it is of an earlier page, and one element there is like it": {
      ref: "e5",
      cause: "earlier-page",
      role: "button",
      name: "Submit",
      candidates: anew,
    },
    "it is of an earlier page, and none is, or several are": {
      ref: "e5",
      cause: "earlier-page",
      role: "button",
      name: "Submit",
    },
  },
  NO_HISTORY: { "the page was opened in a new tab": { url: "https://shop.example/", opener: "t1" } },
  STALE_REF: {
    "nothing is there any more that is like it": submit,
    "several are like it": { ...submit, alike: 3 },
  },
  ELEMENT_CHANGED: {
    "it is in another row now, and another element took its place": {
      ...submit,
      nowRole: "button",
      nowName: "Submit",
      row: "Order 7",
      nowRow: "Order 8",
      candidates: anew,
    },
    "what was told is no longer known": { ...submit, nowRole: "button", nowName: "Delete", forgotten: true },
  },
  ELEMENT_NOT_VISIBLE: {
    "something opens its part of the page": {
      ...submit,
      opener: { ref: "e3", role: "button", name: "More", tag: "summary" },
    },
    "it moves": { ...submit, moving: true },
  },
  ELEMENT_COVERED: {
    "something closes what covers it": {
      ...submit,
      by: { ref: "e77", role: "dialog", name: "Cookies", tag: "div" },
      closer: { ref: "e78", role: "button", name: "Close", tag: "button" },
    },
    "what covers it is no layer": {
      ...submit,
      by: { ref: "e79", role: "status", name: "Loading", tag: "div" },
    },
  },
  ELEMENT_NOT_EDITABLE: {
    "it takes no text": submit,
    "it is set by a click": { ...submit, role: "checkbox", name: "Terms", tag: "input" },
    "it takes files": { ...submit, name: "Photo", tag: "input", file: true },
    "the page moves the focus on": {
      ...email,
      focusGoesTo: { ref: "e12", role: "textbox", name: "Message", tag: "div" },
    },
  },
  OPTION_NOT_FOUND: {
    "no option is like it": { ...submit, role: "combobox", missing: "Mauve", options: ["Green", "Blue"] },
    "it shows no options": { ...submit, role: "combobox", missing: "Mauve", options: [] },
    "the option is disabled": {
      ...submit,
      role: "combobox",
      missing: "Mauve",
      options: ["Green", "Blue"],
      disabled: true,
    },
  },
  UNAUTHENTICATED: {
    "the issuer of the token is down": {
      reason: "the token cannot be checked, because the issuer https://id.example gives no keys",
      mend: "ask the operator to mend the issuer",
      retryAfterMs: 5000,
    },
  },
  FRAME_DETACHED: {
    "the page itself was replaced": { frame: "main" },
    "one element is like the one that was meant": {
      frame: "f1",
      ref: "f1_e3",
      role: "button",
      name: "Submit",
      candidates: anew,
    },
  },
  FRAME_INJECTION_FAILED: { "it did not answer in time": { frame: "f2", reason: "timeout" } },
  NAVIGATION_FAILED: Object.fromEntries(
    Object.keys(NAVIGATION).map((cause) => [cause, { url, reason: "", cause: cause as NavigationCause }]),
  ),
  AUTHENTICATION_EXPIRED: {
    "its file holds a fresher login; the call was not carried out, and its element is there": {
      ...expired,
      reloaded: true,
      effect: "none",
      element: submit,
      candidates: anew,
    },
    "its file holds a fresher login; the call may have been carried out": {
      ...expired,
      reloaded: true,
      effect: "unknown",
    },
  },
  BUSY: {
    "other clients' sessions use it up, too": {
      limit: "role 'customer' has 8 sessions at once",
      holders: ["s1"],
      others: 7,
      retryAfterMs: 1000,
    },
    "the client has as many sessions as it may": {
      limit: "ci may have 2 sessions at once",
      holders: ["a1", "b1"],
      own: "sessions",
      retryAfterMs: 3_600_000,
    },
    "the client calls faster than it may": {
      limit: "ci may make 10 calls in 1 s",
      holders: [],
      own: "rate",
      retryAfterMs: 100,
    },
    "the session's own tabs use it up": {
      limit: "a session has at most 50 tabs in a role",
      holders: [],
      own: "tabs",
    },
  },
  WORKER_UNAVAILABLE: { "it died too often": { role: "customer", reason: "it died 5 times within 60 s" } },
};

/** Returns the further cases of a type. */
export function furtherCases(type: ErrorType): [words: string, data: ErrorData[ErrorType]][] {
  return Object.entries(further[type] ?? {});
}
