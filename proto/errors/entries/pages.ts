// Errors of pages, frames, dialogs and time.

import { named } from "../../text/named.ts";
import { quote } from "../../text/quote.ts";
import { findTool } from "../../tools/read-tools.ts";
import { startsAnew } from "../steps/effect.ts";
import { actOnRemembered, type Remembered, rememberedFacts } from "../steps/remembered.ts";
import type { FailedCall, Step } from "../steps/step.ts";
import { again, CANDIDATE, callStep, say, tabOf } from "../steps/step-words.ts";
import type { ErrorEntry } from "./entry.ts";
import { type FileErrorData, files } from "./files.ts";
import { kindOf, type NavigationData, whoServes } from "./navigation.ts";

export interface PageErrorData extends FileErrorData {
  /** `ref`: the intended element in it. `underWay`: the frame went during the call and may come back. */
  FRAME_DETACHED: { frame: string; reason?: string; ref?: string; underWay?: boolean } & Remembered;
  /** reason: cross-origin, detached, timeout or unknown. */
  FRAME_INJECTION_FAILED: { frame: string; reason: string };
  NAVIGATION_FAILED: NavigationData;
  NAVIGATION_BLOCKED: { url: string; allowed: string[]; reason: string };
  /** `page`: a summary of the page that is there instead. */
  TIMEOUT: { waitedFor: string; afterMs: number; page?: string };
  /**
   * `holdsUp`: it opened during the call, and answering it lets the call's action finish. `inARow`: the number of
   * dialogs that came directly after one another.
   */
  DIALOG_OPEN: { dialog: string; text: string; tab: string; holdsUp?: boolean; inARow?: number };
  /** `url`: of the script that threw, if that is not the caller's own. `line`: from 1; 0 if it is unknown. */
  SCRIPT_FAILED: { error: string; line: number; column: number; url?: string };
}

function openAnother(url: string): string {
  return /^https?:/i.test(url)
    ? "Open another address: this one is closed to every role that does not list it"
    : "Open an http or https address";
}

const GUARDED = ", but neither cloud metadata nor the daemon itself";

/** A role without a list opens the whole web but what is closed to every role. */
function isGuarded({ url, allowed }: Pick<PageErrorData["NAVIGATION_BLOCKED"], "url" | "allowed">): boolean {
  return allowed.length === 0 && /^https?:/i.test(url);
}

/** Closed schemes that show pages once an allow list names them. */
const PAGES_OF = /^(?:file|filesystem|view-source|chrome|chrome-extension|devtools):/i;

/** The part of an address that an allow list names: a web page's origin, or a scheme, which opens all its addresses. */
function listedAs(url: string): string[] {
  if (/^https?:/i.test(url)) return ["its origin"];
  const [scheme] = PAGES_OF.exec(url) ?? [];
  return scheme ? [`${scheme.toLowerCase()} (which opens every address that begins so)`] : [];
}

export const pages: { [T in keyof PageErrorData]: ErrorEntry<PageErrorData[T]> } = {
  FRAME_DETACHED: {
    title: "Frame Detached",
    example: { frame: "f1" },
    category: "EXECUTION",
    code: "ABORTED",
    recoverable: true,
    expected:
      "This is often normal during navigation between pages, route changes of single-page apps, and when a page removes an iframe.",
    message: ({ frame, reason }) => `Frame ${frame} was detached${reason ? `: ${reason}` : ""}`,
    facts: (data) => [["Frame ID", data.frame], ...rememberedFacts(data)],
    why: ({ frame }) =>
      frame === "main"
        ? "The page was replaced by another one during the operation."
        : "An iframe was removed or navigated during the operation.",
    causes: ({ frame }) =>
      frame === "main"
        ? ["Navigation between pages", "Single-page app (SPA) route changes"]
        : ["Dynamic iframe removal by JavaScript", "Single-page app (SPA) route changes"],
    steps: (data, call) =>
      "ref" in call.arguments
        ? [
            callStep(
              call,
              "browser_snapshot",
              tabOf(call),
              "to see the current page structure and available frames",
            ),
            ...(actOnRemembered(data, call) ??
              comingBack(data, call) ?? [
                say(`Find the element in it and call ${call.tool} again with its new ref`),
              ]),
          ]
        : [again(call)],
    candidates: (data) => data.candidates ?? [],
  },
  FRAME_INJECTION_FAILED: {
    title: "Frame Injection Failed",
    example: { frame: "f2", reason: "cross-origin" },
    category: "EXECUTION",
    code: "FAILED_PRECONDITION",
    recoverable: ({ reason }) => isPassing(reason),
    expected: "This is often normal with frames of other sites.",
    message: ({ frame, reason }) => `Failed to inject bridge into frame ${frame}: ${reason}`,
    facts: ({ frame, reason }) => [
      ["Frame ID", frame],
      ["Reason", reason],
    ],
    why: () => "The browser automation bridge couldn't be put into this frame.",
    causes: ({ reason }) =>
      INJECTION_CAUSES[reason] ?? ["The frame is sandboxed, or shows a page of the browser's own"],
    steps: ({ reason }, call) =>
      isPassing(reason)
        ? [again(call, {}, "after 1000 ms, when the frame may have loaded")]
        : [
            callStep(call, "browser_snapshot", tabOf(call), "to see what can be reached"),
            say("Work with elements in the main frame instead, or open the frame's own address in a tab"),
          ],
    retry: ({ reason }) => (isPassing(reason) ? { afterMs: 1000, sameCall: true } : undefined),
  },
  NAVIGATION_FAILED: {
    title: "Navigation Failed",
    example: { url: "https://nowhere.example/", reason: "net::ERR_NAME_NOT_RESOLVED", cause: "dns" },
    category: "EXECUTION",
    code: ({ cause }) => kindOf(cause).code,
    recoverable: ({ cause }) => kindOf(cause).recoverable ?? false,
    expected: true,
    message: ({ url, reason }, { role }) => `Navigation failed for role '${role}' to '${url}': ${reason}`,
    facts: ({ url, reason }, { role }) => [
      ["URL", url],
      ["Role", role],
      ["Reason", reason],
    ],
    why: ({ cause }) => kindOf(cause).why,
    causes: ({ cause }) => kindOf(cause).causes,
    steps: (data, call) => kindOf(data.cause).steps(data, call),
    retry: ({ cause }) => {
      const { afterMs } = kindOf(cause);
      return afterMs === undefined ? undefined : { afterMs, sameCall: true };
    },
    lastly: whoServes,
  },
  NAVIGATION_BLOCKED: {
    title: "Navigation Blocked",
    example: { url: "file:///etc/passwd", allowed: [], reason: "file: addresses are never opened" },
    category: "POLICY",
    code: "PERMISSION_DENIED",
    recoverable: false,
    expected: true,
    message: ({ url, reason }, { role }) => `Role '${role}' may not open '${url}': ${reason}`,
    facts: ({ url, allowed }, { role }) => [
      ["URL", url],
      ["Role", role],
      ["Allowed", allowed.join(", ") || `any http(s) page${isGuarded({ url, allowed }) ? GUARDED : ""}`],
    ],
    why: ({ reason }) => `${reason.replace(/^it/, "It")}.`,
    causes: ({ url, allowed }) => {
      if (isGuarded({ url, allowed }))
        return [
          "Such an address gives away secrets of the machine or controls it, so no role opens it by itself",
        ];
      return /^https?:/i.test(url)
        ? ["The configuration limits where this role may go", "The page leads to another site"]
        : ["The address belongs to the machine, to the browser or to another program, not to the web"];
    },
    steps: ({ url, allowed }) => [
      say(allowed.length ? `Stay within: ${allowed.join(", ")}` : openAnother(url)),
      ...listedAs(url).map((what) =>
        say(`If this address is needed, ask the operator to add ${what} to the role's allow list`),
      ),
    ],
  },
  TIMEOUT: {
    title: "Timeout",
    example: {
      waitedFor: 'the text "Done" to appear',
      afterMs: 10_000,
      page: '"Shop" https://shop.example/',
    },
    category: "TIMEOUT",
    code: "DEADLINE_EXCEEDED",
    recoverable: true,
    expected: "This is often normal while a page is slow.",
    message: ({ waitedFor, afterMs }) => `Waited ${seconds(afterMs)} for ${waitedFor}.`,
    facts: ({ waitedFor, afterMs, page }) => [
      ["Waited for", waitedFor],
      ["Time", seconds(afterMs)],
      ...(page ? [["Page", page] as [string, string]] : []),
    ],
    why: ({ waitedFor }) => `It did not happen in time: ${waitedFor}.`,
    causes: () => [
      "The page or its server is slow",
      "What was waited for does not happen on this page",
      "The page asks for something else first",
    ],
    steps: (_data, call) => [
      ...(call.tool === "browser_snapshot"
        ? []
        : [callStep(call, "browser_snapshot", tabOf(call), "to see what the page shows instead")]),
      again(
        call,
        {},
        call.tool === "browser_snapshot"
          ? "to go on with the page as it is by then"
          : "if it is still needed",
      ),
    ],
  },
  DIALOG_OPEN: {
    title: "Dialog Open",
    example: { dialog: "confirm", text: "Sure?", tab: "t1" },
    category: "EXECUTION",
    code: "FAILED_PRECONDITION",
    recoverable: true,
    expected: "This is often normal: the page asks something before it goes on.",
    message: ({ dialog, text, tab }) =>
      `A dialog is open in ${tab} (${text === "" ? dialog : `${dialog}: ${quote(text)}`}).`,
    facts: ({ dialog, text, tab }) => [
      ["Dialog", dialog],
      ...(text === "" ? [] : [["Text", quote(text)] as [string, string]]),
      ["Tab", tab],
    ],
    why: ({ dialog, holdsUp }) => {
      const asks = dialog === "beforeunload" ? "whether it may be left" : "something before it goes on";
      return holdsUp
        ? `The page asks ${asks}; the answer lets the call finish, and replies with the page.`
        : "While it is open, the page cannot be read or acted on.";
    },
    causes: ({ dialog }) =>
      dialog === "beforeunload"
        ? ["The page holds what has not been saved"]
        : ["An action or the page itself opened it"],
    steps: (data, call) => dialogSteps(data, call),
    otherwise: (data, call) => [dialogSteps({ ...data, inARow: WITHOUT_END }, call)],
  },
  ...files,
  SCRIPT_FAILED: {
    title: "Script Failed",
    example: { error: "x is not defined", line: 1, column: 7 },
    category: "EXECUTION",
    code: "INVALID_ARGUMENT",
    recoverable: true,
    expected: true,
    message: ({ error, ...place }) => `The script failed${placeWords(place)}: ${quote(error)}`,
    facts: ({ error, ...place }) => [
      ["Error", quote(error)],
      ...(place.line > 0 ? [["Where", placeWords(place).trim()] as [string, string]] : []),
    ],
    why: () => "The script threw an exception, cannot be read, or was stopped.",
    causes: () => ["A mistake in the script", "The page is not what the script expects"],
    steps: (_data, call) => [
      findTool(call.tool)?.profile === "debug"
        ? callStep(
            call,
            "debugger_call_stack",
            tabOf(call),
            "to see the variables that the script can use",
            "Look at the variables that the script can use",
          )
        : callStep(call, "browser_snapshot", tabOf(call), "to see the page that the script runs in"),
      say(`Correct the script and call ${call.tool} again`),
    ],
  },
};

function placeWords({ line, column, url = "" }: Omit<PageErrorData["SCRIPT_FAILED"], "error">): string {
  return line > 0 ? ` at line ${line}, column ${column}${url === "" ? "" : ` of ${url}`}` : "";
}

/** The page makes the frame anew, and the snapshot waits for that. */
function comingBack(
  { underWay, role = "", name = "", lost = [] }: PageErrorData["FRAME_DETACHED"],
  call: FailedCall,
): Step[] | undefined {
  if (!underWay || name === "" || lost.length > 0) return undefined;
  return [say(`Find ${named({ role, name })} in it`), again(call, { ref: CANDIDATE })];
}

const INJECTION_CAUSES: Record<string, string[]> = {
  timeout: ["The frame has not finished loading", "The frame's server does not answer, or its page hangs"],
  detached: ["The page replaced the frame, or its address, meanwhile"],
  "cross-origin": ["The frame belongs to another site"],
};

function isPassing(reason: string): boolean {
  return reason === "timeout" || reason === "detached";
}

/** The meaning of accepting a dialog, by its type (Page.DialogType of the DevTools protocol). */
const ANSWERS: Readonly<Record<string, string>> = {
  alert: "to close the alert",
  confirm: "to say OK to the confirm (accept: false says Cancel)",
  prompt: "to accept the prompt as it is (promptText: … gives it an answer; accept: false cancels it)",
  beforeunload: "to leave the page (accept: false stays on it)",
};

/** After so many dialogs in a row a page asks without end, and only closing its tab stops it. */
const WITHOUT_END = 4;

function dialogSteps(
  { dialog, holdsUp, tab, inARow = 1 }: PageErrorData["DIALOG_OPEN"],
  call: FailedCall,
): Step[] {
  if (inARow >= WITHOUT_END && dialog !== "beforeunload") {
    const why = "to end a page that asks without end; its dialog goes with it";
    return [
      callStep(call, "browser_tabs", { action: "close", tab }, why),
      ...(startsAnew(call) ? [again(call)] : [say("Open the address that was meant with browser_navigate")]),
    ];
  }
  const answer = callStep(
    call,
    "browser_handle_dialog",
    { accept: true, ...tabOf(call) },
    ANSWERS[dialog] ?? `to answer the ${dialog} (accept: false to cancel)`,
  );
  return holdsUp ? [answer] : [answer, again(call)];
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}
