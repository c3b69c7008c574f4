// Lets a halted page go on: after the answer to a dialog, or from a pause of the debugger. The halted action goes on too.
import type { Session } from "../session/session.ts";
import { haltLine } from "../snapshot/notes.ts";
import { wholePage } from "../snapshot/reply.ts";
import { isHalt } from "../tab/interrupts.ts";
import type { Page } from "../tab/page.ts";
import { finish } from "./navigation.ts";
import { consequences } from "./perform.ts";
import { react, settled } from "./settle.ts";

/**
 * Runs `release`, waits until the page has settled or halts again, and reports what changed. `said`: what was done, in
 * words. It is asked once the page has settled.
 */
export async function goOn(
  page: Page,
  session: Session,
  release: () => Promise<void>,
  said: () => string | Promise<string>,
): Promise<{ text: string; shown: Page }> {
  const { tab } = page;
  const before = tab.delivered.snapshot;
  const tabsBefore = new Set(session.tabs.open);
  using reaction = react(page, { resumes: true });
  await release();
  try {
    if (tab.navigation.held) {
      await page.during(tab.navigation.held);
      await finish(page, reaction);
      return { text: await wholePage(page, [await said()]), shown: page };
    }
    await settled(page, reaction);
    return await consequences(page, session, { said: await said(), before, tabsBefore });
  } catch (error) {
    // The page opened its next dialog or met a breakpoint. It was let go all the same.
    if (isHalt(error) && tab.halt)
      return { text: [await said(), haltLine(tab.halt)].join("\n"), shown: page };
    tab.navigation.ended();
    throw error;
  }
}
