// Records the calls that act on pages, so that they can be exported as a test.
import { onlyReads, type Tool } from "../../proto/tools/read-tools.ts";
import { recordStep, type StepReply, tell } from "../recording/begin-step.ts";
import type { CallContext } from "./call-context.ts";

/** These calls begin or end the session itself. */
const NOT_STEPS: ReadonlySet<string> = new Set(["browser_initialize", "browser_close", "clear_failures"]);
/** These only read, but a test waits as they do. */
const WAITS: ReadonlySet<string> = new Set(["browser_wait_for"]);

/** Their parts record themselves. */
const OF_SEVERAL: ReadonlySet<string> = new Set(["browser_steps", "browser_fill_form"]);

/** Carries out a call and records it. The steps of a call of several record themselves. */
export async function recorded<R extends StepReply>(
  tool: Tool,
  { call, session }: CallContext,
  work: () => Promise<R>,
): Promise<R> {
  const { recording, tabs } = session;
  if (!isStep(tool, call.arguments)) return await work();
  const tab = tabs.get(call.tab || undefined);
  if (OF_SEVERAL.has(tool.name)) {
    const before = recording.last;
    const reply = await work();
    const { last } = recording;
    if (last && last !== before && tab && reply.text) tell(recording, last, reply.text, tab, call);
    return reply;
  }
  return await recordStep(recording, { tool, args: call.arguments, tab, call, tabs }, work);
}

function isStep(tool: Tool, args: { action?: unknown }): boolean {
  if (WAITS.has(tool.name)) return true;
  return !onlyReads(tool, args) && !NOT_STEPS.has(tool.name);
}
