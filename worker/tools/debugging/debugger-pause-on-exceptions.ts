// debugger_pause_on_exceptions: chooses the exceptions that pause.
import { fail } from "../../../proto/errors/catalogue.ts";
import type { ExceptionState } from "../../debugging/debug-settings.ts";
import { Page } from "../../tab/page.ts";
import type { ToolHandler } from "../tool.ts";
import { checkEnabled } from "./debugged.ts";
import { inAllTabs } from "./in-all-tabs.ts";

const STATES: Readonly<Record<string, ExceptionState>> = {
  EXCEPTION_STATE_NONE: "none",
  EXCEPTION_STATE_UNCAUGHT: "uncaught",
  EXCEPTION_STATE_ALL: "all",
};

const WORDS: Readonly<Record<ExceptionState, string>> = {
  none: "No exception pauses.",
  uncaught: "Exceptions that nothing catches pause from now on.",
  all: "All exceptions pause from now on, also those that are caught.",
};

export const debuggerPauseOnExceptions: ToolHandler<"DebuggerPauseOnExceptions"> = async (
  { state: asked },
  context,
) => {
  const state = STATES[asked];
  if (!state)
    throw fail("INVALID_ARGUMENT", {
      argument: "state",
      problem: "state is missing",
      allowed: Object.values(STATES),
    });
  checkEnabled(context);
  const { session, call } = context;
  session.debugging.pauseOn(state);
  session.changed();
  await inAllTabs(context, (tab) => tab.debugging.pauseOnExceptions());
  const tab = session.tabs.get();
  return { text: WORDS[state], shown: tab && new Page(tab, call) };
};
