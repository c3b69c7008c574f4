// Follows a session's tab for as long as the session has one: over lost connections, restarted workers and closed tabs.
import type { Session as ListedSession, SnapshotUpdate } from "../../../proto/gen/troupe.ts";
import { CallError } from "../../connection/call-error.ts";
import { CommandError, EXIT } from "../../connection/exit-code.ts";
import { isInterruption, lastingStream } from "../../connection/lasting-stream.ts";
import type { Session } from "../../session/session.ts";

export interface Followed {
  session: Session;
  role: string;
  /** The tab that the person named. Default: the session's current one, and the next one when it is closed. */
  tab: string | undefined;
  maxTokens: number | undefined;
  /** Each update is the whole tree. */
  whole: boolean;
  /** Lists the daemon's sessions. */
  sessions(): Promise<readonly ListedSession[]>;
  /** The stream broke off, and is opened again. */
  interrupted(error: CallError): void;
  /** The person does not want more. */
  stopped: AbortSignal;
}

/** Yields what the tab shows. Throws a CommandError when there is nothing more to show. */
export async function* follow(followed: Followed): AsyncGenerator<SnapshotUpdate, void> {
  const { session, role, stopped } = followed;
  const closed = new Set<string>();
  for (;;) {
    const all = await followed.sessions();
    if (!all.some(({ id }) => id === session.id)) throw over(`session ${session.id} has ended`);
    const tab = followed.tab ?? currentTab(all, session.id, role, closed);
    if (tab === undefined) throw over(`session ${session.id} has no tab open in role ${role} any more`);
    let isOpen = false;
    const updates = lastingStream((signal) => opened(followed, tab, signal), { closed: stopped });
    try {
      for await (const update of updates) {
        isOpen = true;
        yield update;
      }
      return;
    } catch (error) {
      checkTabClosed(error, session.id);
      // A worker that is restarted closes its tabs, too, and opens them again. A closed tab is closed at once then.
      if (isOpen) continue;
      if (followed.tab !== undefined) throw over(`tab ${tab} of session ${session.id} is closed`);
      closed.add(tab);
    }
  }
}

/** Throws any other end of the stream than that of its tab. The end of the session is said in a person's words. */
function checkTabClosed(error: unknown, session: string): void {
  if (!(error instanceof CallError)) throw error;
  if (error.type === "SESSION_EXPIRED" || error.type === "SESSION_LOST")
    throw over(`session ${session} has ended: ${error.message}`);
  if (error.type !== "UNKNOWN_TAB") throw error;
}

async function* opened(followed: Followed, tab: string, signal: AbortSignal) {
  const { session, role, maxTokens, whole, interrupted } = followed;
  const args = { role, tab, whole, ...(maxTokens !== undefined && { maxTokens }) };
  try {
    yield* session.watch(args, false, signal);
  } catch (error) {
    if (error instanceof CallError && isInterruption(error) && !signal.aborted) interrupted(error);
    throw error;
  }
}

/** The list may lag behind the end of a tab. */
export function currentTab(
  all: readonly Pick<ListedSession, "id" | "roles">[],
  id: string,
  role: string,
  closed: ReadonlySet<string>,
): string | undefined {
  const here = all.find((each) => each.id === id)?.roles.find((each) => each.role === role);
  const open = here?.tabs.filter((each) => !closed.has(each.id)) ?? [];
  return (open.find(({ current }) => current) ?? open.at(-1))?.id;
}

function over(message: string): CommandError {
  return new CommandError(EXIT.failed, message);
}
