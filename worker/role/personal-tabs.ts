// Closes a role's tabs in a person's own context of an attached browser. They do not go with a context of their own.
import type { SessionRecord } from "../../proto/gen/troupe.ts";
import type { Chrome } from "../chrome/chrome.ts";
import type { Session } from "../session/session.ts";

/** Closes the sessions' tabs at the role's end. */
export async function leaveTabs(
  { personalContext, isConnected }: Chrome,
  sessions: readonly Session[],
): Promise<void> {
  if (personalContext === undefined || !isConnected) return;
  await Promise.all(sessions.map(({ context, tabs }) => context.close(tabs.open)));
}

/** Closes the tabs of a worker that was killed. */
export async function closeLeft(
  { personalContext, session }: Chrome,
  records: readonly SessionRecord[],
): Promise<void> {
  if (personalContext === undefined) return;
  const left = records.flatMap(({ targets }) => targets);
  // A page that is not there any more needs no end.
  await Promise.allSettled(left.map((targetId) => session.send("Target.closeTarget", { targetId })));
}

/** Returns true if the target is in a context that only sessions use. */
export function isInOwnContext(
  { browserContextId }: { browserContextId?: string },
  { personalContext }: Chrome,
  sessions: readonly Session[],
): boolean {
  const isPersonal = browserContextId === personalContext;
  return !isPersonal && sessions.some(({ context }) => context.id === browserContextId);
}
