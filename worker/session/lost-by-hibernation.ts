// Lists what a session would lose by hibernation: everything that its storage and its tabs' addresses do not restore.
import type { SessionRecord } from "../../proto/gen/troupe.ts";
import { quote } from "../../proto/text/quote.ts";
import { FrameTimeout, withinTime } from "../core/frame-time.ts";
import { isGone } from "../core/gone.ts";
import type { Downloads } from "../files/downloads.ts";
import type { TrackedStorage } from "../storage/tracked-storage.ts";
import type { KnownCredentials } from "../tab/http-credentials.ts";
import { isPlaying } from "../tab/playing.ts";
import type { Tab } from "../tab/tab.ts";
import { canReopen, typedIn } from "./tab-record.ts";

/** A page that takes longer to answer does not count as playing. */
const ASK_MS_MAX = 500;
/** The daemon waits somewhat longer than this. */
const REPORT_MS_MAX = 3_500;

/** The session that would be hibernated. */
interface Resting {
  tabs: { open: readonly Tab[] };
  files: { downloads: Pick<Downloads, "unfetched"> };
  losses: { lostInput: SessionRecord["typed"] };
  credentials: Pick<KnownCredentials, "ownOrigins">;
  /** The actions that wait for a person. */
  waiting?: readonly { what: string }[];
}

/** Lists in words what would be lost with the pages. */
export async function lostByHibernation({
  tabs,
  files: { downloads },
  losses,
  credentials,
  waiting = [],
}: Resting): Promise<string[]> {
  const lost = await Promise.all(tabs.open.map(lostWith));
  const named = credentials.ownOrigins.map((origin) => `the name and password for ${origin}`);
  const files = downloads.unfetched.map(({ id, name }) => `the download ${id} of ${quote(name)}`);
  const asked = waiting.map(({ what }) => `what waited for approval (${what})`);
  return [...losses.lostInput.map(({ field }) => field), ...lost.flat(), ...files, ...named, ...asked];
}

/** Reports what the session has stored. Resolves to the parts that cannot be reported, in words. */
export async function reportStored(
  { key, context: { kept } }: { key: string; context: { kept: Pick<TrackedStorage, "notKept"> } },
  report: () => Promise<void>,
): Promise<string[]> {
  try {
    return await withinTime(async () => {
      await report();
      return await kept.notKept(key);
    }, REPORT_MS_MAX);
  } catch (error) {
    if (!(error instanceof FrameTimeout)) throw error;
    return ["what its pages have stored, as they do not answer"];
  }
}

/** Notes which pages play something, because frozen pages cannot be asked. */
export async function notePlaying(tabs: readonly Tab[]): Promise<void> {
  await Promise.all(
    tabs.map(async (tab) => {
      tab.lifecycle.notePlaying(await playsSomething(tab));
    }),
  );
}

async function lostWith(tab: Tab): Promise<string[]> {
  const {
    activity,
    interrupts: { ownDialog, ownPause },
  } = tab;
  return [
    ...typedIn(tab).map(({ field }) => field),
    ...(ownDialog ? [`the open dialog (${ownDialog.type})`] : []),
    ...(ownPause ? [`the pause at ${ownPause.words}`] : []),
    ...(activity.streams.areOpen ? ["the page's open connection (WebSocket or events)"] : []),
    ...((await playsSomething(tab)) ? ["a playing video or sound"] : []),
    ...(activity.navigating ? ["the page or download on its way"] : []),
    ...((await hasNoAddress(tab)) ? [`the content of tab ${tab.id}, which has no address of its own`] : []),
    ...(canReopen(tab.url) ? [] : ["the page's address, which is too long to be kept"]),
  ];
}

/** Says if the tab's address does not bring its content back: it was written by another page, or made by a script. */
async function hasNoAddress(tab: Tab): Promise<boolean> {
  if (tab.url.startsWith("blob:")) return true;
  if (tab.url !== "about:blank") return false;
  if (tab.lifecycle.isFrozen || tab.halt) return tab.openerId !== undefined;
  return (await answered(() => hasContent(tab))) ?? false;
}

async function hasContent({ client }: Tab): Promise<boolean> {
  const expression = "Boolean(document.body?.hasChildNodes())";
  const { result } = await client.send("Runtime.evaluate", { expression, returnByValue: true });
  return result.value === true;
}

/** A frozen page still counts as playing if it played before. */
async function playsSomething(tab: Tab): Promise<boolean> {
  if (tab.lifecycle.isFrozen || tab.halt) return tab.lifecycle.wasPlaying;
  return (await answered(() => isPlaying(tab))) ?? false;
}

/** The page's answer, or undefined if it is gone or slow. */
async function answered<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await withinTime(ask, ASK_MS_MAX);
  } catch (error) {
    if (!isGone(error) && !(error instanceof FrameTimeout)) throw error;
    return undefined;
  }
}
