// Errors of the debugger's preconditions.
import { oneLine } from "../../text/quote.ts";
import type { FailedCall, Step } from "../steps/step.ts";
import { again, callStep, say, tabOf } from "../steps/step-words.ts";
import type { ErrorEntry } from "./entry.ts";

export interface DebuggerErrorData {
  DEBUGGER_NOT_ENABLED: { role: string };
  EXECUTION_NOT_PAUSED: { tab: string };
  /** `words`: the place, such as `app.ts:12 in addToCart (breakpoint b1)`. */
  EXECUTION_ALREADY_PAUSED: { words: string };
  /** `tab`: the paused tab, which is the call's own or shares its process. */
  EXECUTION_PAUSED: { url: string; line: number; words: string; tab: string };
  BREAKPOINT_NOT_FOUND: { id: string; ids: string[] };
}

const PRECONDITION = {
  category: "DEBUGGER",
  code: "FAILED_PRECONDITION",
  recoverable: true,
  expected: true,
} as const;

/** These tools work on a page that runs, or on no page at all. The others need one that is paused. */
const NEED_NO_PAUSE: ReadonlySet<string> = new Set(["debugger_breakpoint", "debugger_pause_on_exceptions"]);

export const debugging: { [T in keyof DebuggerErrorData]: ErrorEntry<DebuggerErrorData[T]> } = {
  DEBUGGER_NOT_ENABLED: {
    ...PRECONDITION,
    title: "Debugger Not Enabled",
    example: { role: "customer" },
    message: ({ role }) => `The debugger is not enabled for this session's tabs in role ${role}.`,
    facts: ({ role }) => [["Role", role]],
    causes: () => ["It was not enabled yet", "The session began anew"],
    steps: (_data, call) => [
      callStep(call, "debugger_enable", {}, "first", "Enable the debugger first"),
      ...(NEED_NO_PAUSE.has(call.tool) || isPause(call) ? [again(call)] : pauseFirst(call)),
    ],
  },
  EXECUTION_NOT_PAUSED: {
    ...PRECONDITION,
    title: "Execution Not Paused",
    example: { tab: "t1" },
    message: ({ tab }) => `The scripts of the page in ${tab} are not paused.`,
    facts: ({ tab }) => [["Tab", tab]],
    causes: () => ["No breakpoint was met yet", "Execution was resumed", "The page was left"],
    steps: (_data, call) =>
      call.arguments.action === "resume"
        ? [callStep(call, "browser_snapshot", tabOf(call), "to see the page, which runs")]
        : pauseFirst(call),
  },
  EXECUTION_ALREADY_PAUSED: {
    ...PRECONDITION,
    title: "Execution Already Paused",
    example: { words: "app.js:12 in addToCart (breakpoint b1)" },
    message: ({ words }) => `The page's scripts are paused already, at ${oneLine(words)}.`,
    facts: ({ words }) => [["Paused at", oneLine(words)]],
    causes: () => ["A breakpoint was met", "Execution was paused before"],
    steps: (_data, call) => [
      callStep(
        call,
        "debugger_call_stack",
        tabOf(call),
        "to see where it is paused",
        "See where it is paused",
      ),
    ],
  },
  EXECUTION_PAUSED: {
    ...PRECONDITION,
    title: "Execution Paused",
    example: {
      url: "https://shop.example/app.js",
      line: 12,
      words: "app.js:12 in addToCart (breakpoint b1)",
      tab: "t1",
    },
    message: ({ words, tab }) => `The page's scripts are paused in ${tab}, at ${oneLine(words)}.`,
    facts: ({ url, line, tab }) => [
      ["Paused at", `${oneLine(url)}:${line}`],
      ["Tab", tab],
    ],
    why: () => "While they are paused, the page answers nothing but the debugger.",
    causes: () => ["A breakpoint, a debugger statement or an exception paused them"],
    steps: ({ tab }, call) => [
      callStep(
        call,
        "debugger_execution",
        { action: "resume", tab },
        "first (debugger_step goes on step by step)",
        "Resume execution first",
      ),
      again(call),
    ],
  },
  BREAKPOINT_NOT_FOUND: {
    ...PRECONDITION,
    title: "Breakpoint Not Found",
    example: { id: "b9", ids: ["b1"] },
    message: ({ id }) => `There is no breakpoint ${oneLine(id) || "without an id"}.`,
    facts: ({ id, ids }) => [
      ["Breakpoint", oneLine(id) || "(none given)"],
      ["Set", ids.join(", ") || "none"],
    ],
    causes: () => ["It was removed", "The id is misspelt"],
    steps: (_data, call) => [
      callStep(call, "debugger_breakpoint", { action: "list" }, "to see what is set", "List the breakpoints"),
      say(`Call ${call.tool} again with one of their ids`),
    ],
  },
};

function isPause(call: FailedCall): boolean {
  return call.arguments.action === "pause";
}

function pauseFirst(call: FailedCall): Step[] {
  return [
    callStep(
      call,
      "debugger_execution",
      { action: "pause", ...tabOf(call) },
      "so that the next script pauses (or set a breakpoint)",
      "Pause execution first",
    ),
    say(`Do on the page what runs the code (the reply says where it pauses), then call ${call.tool} again`),
  ];
}
