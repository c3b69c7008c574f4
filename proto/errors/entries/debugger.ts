// Errors of the debugger's preconditions.
import { again, callStep, say } from "../steps/step-words.ts";
import type { ErrorEntry } from "./entry.ts";

export interface DebuggerErrorData {
  DEBUGGER_NOT_ENABLED: Record<never, never>;
  EXECUTION_NOT_PAUSED: Record<never, never>;
  EXECUTION_ALREADY_PAUSED: Record<never, never>;
  EXECUTION_PAUSED: { url: string; line: number };
  BREAKPOINT_NOT_FOUND: { id: string; ids: string[] };
}

const PRECONDITION = {
  notBuilt: "the debug profile is not there",
  category: "DEBUGGER",
  code: "FAILED_PRECONDITION",
  recoverable: true,
  expected: true,
} as const;

export const debugging: { [T in keyof DebuggerErrorData]: ErrorEntry<DebuggerErrorData[T]> } = {
  DEBUGGER_NOT_ENABLED: {
    ...PRECONDITION,
    title: "Debugger Not Enabled",
    example: {},
    message: () => "The debugger is not enabled in this tab.",
    causes: () => ["It was not enabled yet", "The page was replaced"],
    steps: (_data, call) => [
      callStep(call, "debugger_enable", {}, "first", "Enable the debugger first"),
      again(call),
    ],
  },
  EXECUTION_NOT_PAUSED: {
    ...PRECONDITION,
    title: "Execution Not Paused",
    example: {},
    message: () => "The page's scripts are not paused.",
    causes: () => ["No breakpoint was met yet", "Execution was resumed"],
    steps: (_data, call) => [
      callStep(
        call,
        "debugger_execution",
        { action: "pause" },
        "or let the page meet a breakpoint",
        "Pause execution first",
      ),
      again(call),
    ],
  },
  EXECUTION_ALREADY_PAUSED: {
    ...PRECONDITION,
    title: "Execution Already Paused",
    example: {},
    message: () => "The page's scripts are paused already.",
    causes: () => ["A breakpoint was met", "Execution was paused before"],
    steps: (_data, call) => [
      callStep(call, "debugger_call_stack", {}, "to see where it is paused", "See where it is paused"),
    ],
  },
  EXECUTION_PAUSED: {
    ...PRECONDITION,
    title: "Execution Paused",
    example: { url: "https://shop.example/app.js", line: 12 },
    message: ({ url, line }) => `The page's scripts are paused at ${url}:${line}.`,
    facts: ({ url, line }) => [["Paused at", `${url}:${line}`]],
    why: () => "While they are paused, the page does not react.",
    causes: () => ["A breakpoint was met"],
    steps: (_data, call) => [
      callStep(call, "debugger_execution", { action: "resume" }, "first", "Resume execution first"),
      again(call),
    ],
  },
  BREAKPOINT_NOT_FOUND: {
    ...PRECONDITION,
    title: "Breakpoint Not Found",
    example: { id: "b9", ids: ["b1"] },
    message: ({ id }) => `There is no breakpoint ${id}.`,
    facts: ({ id, ids }) => [
      ["Breakpoint", id],
      ["Set", ids.join(", ") || "none"],
    ],
    causes: () => ["It was removed", "The id is misspelt"],
    steps: (_data, call) => [
      callStep(call, "debugger_breakpoint", { action: "list" }, "to see what is set", "List the breakpoints"),
      say("Use one of their ids"),
    ],
  },
};
