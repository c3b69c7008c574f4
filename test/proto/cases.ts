// The cases of error types: the example of each type, and others with other plans.
import { catalogue, type ErrorData, type ErrorType, type FailedCall } from "../../proto/errors/catalogue.ts";

const element = { ref: "e5", role: "button", name: "Submit", tag: "button" };

export const cases = Object.fromEntries(
  Object.entries(catalogue).map(([type, { example }]) => [type, example]),
) as unknown as { [T in ErrorType]: ErrorData[T] };

/** Cases of one type with different plans. */
export const variants: readonly (readonly [ErrorType, object])[] = [
  ...(Object.entries(cases) as [ErrorType, object][]),
  [
    "INVALID_ARGUMENT",
    { argument: "url", problem: '"http://" is no address', example: "https://example.com/" },
  ],
  ["INVALID_ARGUMENT", { argument: "text", problem: "text is missing" }],
  ["INVALID_ARGUMENT", { argument: "key", problem: '"Ctrl-A" is no key', corrected: { key: "Control+A" } }],
  ["UNKNOWN_TOOL", { tool: "shell", known: ["browser_click"] }],
  ["UNKNOWN_TOOL", { tool: "browser_evaluate", known: [], instead: "Read the page with browser_find" }],
  ["UNKNOWN_ROLE", { role: "nob", roles: ["visitor", "customer"] }],
  ["UNKNOWN_TAB", { tab: "t9", tabs: ["t1"] }],
  ["UNKNOWN_REF", { ref: "Save", cause: "malformed" }],
  ["UNKNOWN_REF", { ref: "e9", cause: "earlier-page", role: "button", name: "Save" }],
  ["NO_HISTORY", { url: "https://shop.example/", opener: "t1" }],
  ["STALE_REF", { ...element, candidates: [], alike: 2 }],
  ["ELEMENT_NOT_VISIBLE", { ...element, moving: true }],
  ["ELEMENT_NOT_VISIBLE", { ...element, opener: { ...element, ref: "e6", name: "Menu" } }],
  ["ELEMENT_COVERED", { ...element, by: { ...element, role: "generic", name: "Loading" } }],
  [
    "ELEMENT_COVERED",
    {
      ...element,
      by: { ref: "e77", role: "dialog", name: "Ad", tag: "div" },
      closer: { ...element, ref: "e78", name: "Close" },
    },
  ],
  ["ELEMENT_NOT_EDITABLE", element],
  ["ELEMENT_NOT_EDITABLE", { ...element, role: "checkbox" }],
  ["OPTION_NOT_FOUND", { ...element, missing: "Mauve", options: ["Green", "Blue"] }],
  ["OPTION_NOT_FOUND", { ...element, missing: "Mauve", options: [] }],
  ["FRAME_DETACHED", { frame: "f1", ref: "f1_e2", role: "button", name: "Pay" }],
  ["FRAME_INJECTION_FAILED", { frame: "f2", reason: "timeout" }],
  ...(
    ["reset", "empty", "timeout", "aborted", "http-server", "network-changed", "tls-protocol"] as const
  ).map(
    (cause) => ["NAVIGATION_FAILED", { url: "https://shop.example/", reason: "net::ERR", cause }] as const,
  ),
  ["DIALOG_OPEN", { dialog: "alert", text: "Again", tab: "t1", inARow: 5 }],
  [
    "BUSY",
    {
      limit: "1 session",
      holders: ["s1"],
      retryAfterMs: 10_000,
      storeProblem: "database or disk is full",
    },
  ],
  ["BUSY", { limit: "20 tabs", holders: [], own: "tabs" }],
  ["BUSY", { limit: "2 sessions", holders: ["s1"], own: "sessions", retryAfterMs: 60_000 }],
  ["BUSY", { limit: "2 sessions", holders: [], others: 2, own: "sessions", retryAfterMs: 60_000 }],
  ["BUSY", { limit: "10 calls a second", holders: [], own: "rate", retryAfterMs: 100 }],
  ["PAGE_CRASHED", { url: "https://shop.example/", effect: "none", lost: ['textbox "Note"'] }],
  ["WORKER_RESTARTED", { role: "customer", reason: "it was killed", effect: "unknown" }],
  [
    "AUTHENTICATION_EXPIRED",
    {
      role: "customer",
      authPath: "auth/customer.json",
      reason: "redirected",
      reloaded: true,
      effect: "none",
    },
  ],
];

/** A click in a session. `secret` stands for text that must never be repeated. */
export const secret = "correct horse battery staple";
export const failedCall: FailedCall = {
  tool: "browser_type",
  arguments: { ref: "e5", text: secret },
  profile: "core",
  role: "customer",
  session: "s1",
  tab: "t1",
};
