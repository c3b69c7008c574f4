// Covers the secrets that a page shows while a picture of it is taken. No secret is sent to the page for that: the page
// gives its text, and the worker finds the places.
import type { ShownText } from "../bridge/api/bridge-api.ts";
import { frameTimeMs, withinTime } from "../core/frame-time.ts";
import { DocumentGone } from "../core/gone.ts";
import type { Segment } from "../secrets/folded-text.ts";
import type { Redactor } from "../secrets/redactor.ts";
import type { Frame } from "../tab/frames.ts";
import { Page } from "../tab/page.ts";
import { frameTree } from "./frame-tree.ts";

/** A page that changes its text during each of these pictures is hidden altogether in the last one. */
const TRIES_MAX = 3;
/** The tree itself is of no use here. */
const ROOM = 200;
const GONE: ShownText = { text: "", holds: true };

/** How a picture is covered. */
interface VeilOptions {
  /** Whole elements are hidden for a secret in them. */
  areElements?: boolean;
  /** Finds more secrets than the role's. */
  also?: Pick<Redactor, "hasAny" | "placesIn"> | undefined;
}

/** Takes a picture in which no text of the page has a secret. */
export async function veiled<T>(
  { tab, call }: Page,
  take: () => Promise<T>,
  { areElements = false, also }: VeilOptions = {},
): Promise<T> {
  const finders = [tab.owner.redactor, ...(also ? [also] : [])].filter(({ hasAny }) => hasAny);
  if (finders.length === 0) return await take();
  const placesIn = (text: string) => sorted(finders.flatMap((each) => each.placesIn(text)));
  // Its questions deliver nothing.
  const page = new Page(tab, call);
  const covered = new Set<Frame>();
  try {
    for (let tries = 1; ; tries++) {
      const before = await coverFrames(page, covered, {
        placesIn,
        whole: tries === TRIES_MAX,
        areElements,
      });
      const picture = await take();
      if (tries === TRIES_MAX || (await areSame(page, before))) return picture;
    }
  } finally {
    for (const frame of covered) page.takeBack(frame, "unveil");
  }
}

/** The text that each frame showed, and its document. */
type Seen = Map<Frame, { world: string | undefined; text: string | undefined }>;

interface Cover {
  placesIn(text: string): Segment[];
  /** Everything is hidden in a frame that shows a secret. */
  whole: boolean;
  areElements: boolean;
}

async function coverFrames(
  page: Page,
  covered: Set<Frame>,
  { placesIn, whole, areElements }: Cover,
): Promise<Seen> {
  const seen: Seen = new Map();
  for (const frame of framesOf(page)) {
    const { text } = await readWhole(page, frame);
    const world = frame.world?.uniqueId;
    seen.set(frame, { world, text });
    const places = text === undefined ? undefined : placesIn(text);
    if (places?.length === 0 && !covered.has(frame)) continue;
    covered.add(frame);
    await unlessOver(page, frame, () => page.ask(frame, "veil", whole ? undefined : places, areElements));
  }
  return seen;
}

/** Returns true if no frame has other text than before the picture. */
async function areSame(page: Page, before: Seen): Promise<boolean> {
  for (const frame of framesOf(page)) {
    const was = before.get(frame);
    if (!was || was.text === undefined || was.world !== frame.world?.uniqueId) return false;
    const now = (await unlessOver(page, frame, () => page.ask(frame, "shownText"))) ?? GONE;
    if (now.text !== was.text || !now.holds) return false;
  }
  return true;
}

/** Frames that never got a document show nothing. */
function framesOf(page: Page): Frame[] {
  return [page.main(), ...page.tab.frames.children.filter(({ loaderId }) => loaderId)];
}

/** Makes the frame's closed shadow roots known to its bridge, and returns what the frame shows with them. */
async function readWhole(page: Page, frame: Frame): Promise<ShownText> {
  const answer = await unlessOver(page, frame, async () => {
    await frameTree(
      page,
      frame,
      { room: ROOM },
      { at: undefined, place: undefined, before: undefined, probe: undefined },
    );
    return await page.ask(frame, "shownText");
  });
  return answer ?? GONE;
}

/** A child frame that goes away meanwhile shows nothing more. */
async function unlessOver<T>(page: Page, frame: Frame, ask: () => Promise<T>): Promise<T | undefined> {
  if (frame.number === 0) return await ask();
  try {
    return await withinTime(ask, frameTimeMs(page.call));
  } catch (error) {
    if (error instanceof DocumentGone) return undefined;
    throw error;
  }
}

/** The page takes the parts in their order. */
function sorted(places: Segment[]): Segment[] {
  return places.sort(([one], [other]) => one - other);
}
