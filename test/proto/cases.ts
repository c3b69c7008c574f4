// One case of every error type, as the code raises them. The compiler requires all.
import type { ErrorData, ErrorType, FailedCall } from "../../proto/errors/catalogue.ts";

const element = { ref: "e5", role: "button", name: "Submit", tag: "button" };

export const cases: { [T in ErrorType]: ErrorData[T] } = {
  INVALID_ARGUMENT: {
    argument: "buton",
    problem: "browser_click has no argument buton",
    allowed: ["button"],
    nearest: "button",
  },
  UNKNOWN_TOOL: { tool: "browser_clik", nearest: "browser_click", known: ["browser_click"] },
  UNKNOWN_ROLE: { role: "costumer", roles: ["visitor", "customer"], nearest: "customer" },
  UNKNOWN_TAB: { tab: "t9", tabs: ["t1", "t2"] },
  UNKNOWN_REF: { ref: "e99", cause: "unseen" },
  NO_HISTORY: { url: "https://shop.example/" },
  NO_DIALOG: { tab: "t1" },
  RESULT_TOO_LARGE: { size: 70_000_000, limit: 64_000_000 },
  STALE_REF: { ...element, candidates: [{ ref: "e31", role: "button", name: "Submit" }] },
  ELEMENT_CHANGED: { ...element, nowRole: "button", nowName: "Delete Bob" },
  ELEMENT_NOT_VISIBLE: element,
  ELEMENT_DISABLED: element,
  ELEMENT_COVERED: { ...element, by: { ref: "e77", role: "dialog", name: "Cookies", tag: "div" } },
  ELEMENT_NOT_EDITABLE: { ...element, readonly: true },
  OPTION_NOT_FOUND: { ...element, missing: "Gren", options: ["Green", "Blue"], nearest: "Green" },
  FRAME_DETACHED: { frame: "f1" },
  FRAME_INJECTION_FAILED: { frame: "f2", reason: "cross-origin" },
  NAVIGATION_FAILED: { url: "https://nowhere.example/", reason: "net::ERR_NAME_NOT_RESOLVED", cause: "dns" },
  NAVIGATION_BLOCKED: { url: "file:///etc/passwd", allowed: [], reason: "file: addresses are never opened" },
  TIMEOUT: { waitedFor: 'the text "Done" to appear', afterMs: 10_000, page: '"Shop" https://shop.example/' },
  DIALOG_OPEN: { dialog: "confirm", text: "Sure?", tab: "t1" },
  FILE_NOT_ALLOWED: { path: "/etc/passwd", allowed: ["/home/ada/shop"] },
  DOWNLOAD_FAILED: { url: "https://shop.example/a.pdf", reason: "the connection broke" },
  SCRIPT_FAILED: { error: "x is not defined", line: 1, column: 7 },
  AUTHENTICATION_FAILED: { role: "customer", authPath: "auth/customer.json", reason: "file not found" },
  AUTHENTICATION_EXPIRED: {
    role: "customer",
    authPath: "auth/customer.json",
    reason: "redirected to /login",
    reloaded: false,
  },
  UNAUTHENTICATED: { reason: "no token" },
  PERMISSION_DENIED: { what: "role admin", reason: "The token is for customer." },
  SESSION_EXPIRED: { session: "s1", reason: "it was not used for 1 h" },
  SESSION_LOST: { session: "s1" },
  BUSY: { limit: "role 'customer' has 8 sessions at once", holders: ["s1", "s2"], retryAfterMs: 1000 },
  CHROME_NOT_CONNECTED: { endpoint: "http://127.0.0.1:9222" },
  DAEMON_UNREACHABLE: {
    address: "unix:/run/troupe.sock",
    reason: "nothing listens there",
    retryAfterMs: 1000,
    effect: "unknown",
  },
  DAEMON_DRAINING: { retryAfterMs: 1000, effect: "unknown" },
  CANCELLED: { reason: "the client went away" },
  PAGE_CRASHED: { url: "https://shop.example/", effect: "unknown" },
  TAB_CLOSED: { tab: "t2", url: "https://shop.example/all", effect: "none", lost: ['textbox "Note"'] },
  BROWSER_CRASHED: { role: "customer", reason: "the browser's process ended", effect: "unknown" },
  PAGE_UNRESPONSIVE: { url: "https://shop.example/", effect: "unknown" },
  WORKER_RESTARTED: { role: "customer", reason: "it was killed by SIGKILL", effect: "none" },
  WORKER_UNAVAILABLE: { role: "customer", reason: "backing off", retryAfterMs: 2000 },
  INTERNAL: { reportId: "r-1" },
  DEBUGGER_NOT_ENABLED: {},
  EXECUTION_NOT_PAUSED: {},
  EXECUTION_ALREADY_PAUSED: {},
  EXECUTION_PAUSED: { url: "https://shop.example/app.js", line: 12 },
  BREAKPOINT_NOT_FOUND: { id: "b9", ids: ["b1"] },
};

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
