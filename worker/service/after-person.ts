// Reports to a session what a person did in it, once: with the first reply after the session was handed back.
import { isTroupeError } from "../../proto/errors/catalogue.ts";
import type { Tool } from "../../proto/tools/read-tools.ts";
import { FrameTimeout, withinTime } from "../core/frame-time.ts";
import { isGone } from "../core/gone.ts";
import { changesSince, deliver } from "../snapshot/reply.ts";
import { Page } from "../tab/page.ts";
import type { CallContext } from "./call-context.ts";

/** A page that is slower than this is read by a later call. */
const READ_MS_MAX = 3_000;

/** The lines before the reply's own text. `delivered` is called when the reply is delivered. */
export interface SincePerson {
  lines: string[];
  delivered(): void;
}

/** Reads what has changed, before the call does anything. A call that shows a page by itself needs the line alone. */
export async function sincePerson({ call, session }: CallContext, tool: Tool): Promise<SincePerson> {
  if (!session.visitedByPerson || tool.control) return { lines: [], delivered: () => undefined };
  const delivered = () => {
    session.visitedByPerson = false;
  };
  const tab = session.tabs.get(call.tab || undefined);
  const said = `A person has worked in this session and handed it back${tab ? ` (current tab ${session.tabs.currentId})` : ""}.`;
  const before = tab?.delivered.snapshot;
  if (!tab || !before || tab.halt || tool.snapshot || tool.arrival) return { lines: [said], delivered };
  const page = new Page(tab, call);
  try {
    const text = await withinTime(() => changesSince(page, before, [said]), READ_MS_MAX);
    const whole = () => {
      deliver(page, text);
      if (text.includes("[ref=")) session.lines.delivered(tab);
      delivered();
    };
    return { lines: [text, ""], delivered: whole };
  } catch (error) {
    if (!isGone(error) && !isTroupeError(error) && !(error instanceof FrameTimeout)) throw error;
    call.signal.throwIfAborted();
    return { lines: [said], delivered };
  }
}
