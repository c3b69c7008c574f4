// Covers the secrets that a page shows while a picture of it is taken. No secret is sent to the page for that: the page
// gives its text, and the worker finds the places.
import type { ShownText } from "../bridge/api/bridge-api.ts";
import { FrameTimeout, frameTimeMs, withinTime } from "../core/frame-time.ts";
import { DocumentGone } from "../core/gone.ts";
import type { Segment } from "../secrets/folded-text.ts";
import type { Redactor } from "../secrets/redactor.ts";
import type { Frame } from "../tab/frames/frame.ts";
import { Page } from "../tab/page.ts";
import { frameTree } from "./frame-tree.ts";

/** A page that changes its text during each of these pictures is hidden altogether in the last one. */
const TRIES_MAX = 3;
/** The tree itself is of no use here. */
const ROOM = 200;
const GONE: ShownText = { text: "", holds: true };
/** A frame that hangs may show anything. */
const UNKNOWN: ShownText = { text: undefined, holds: true };

/** How a picture is covered. */
interface VeilOptions {
  /** Whole elements are hidden for a secret in them. */
  areElements?: boolean;
  /** Finds more secrets than the role's. */
  also?: Pick<Redactor, "hasAny" | "placesIn"> | undefined;
  /** False: a page that shows a secret throws ShowsSecret. */
  mayHide?: boolean;
}

/** The page shows a secret, and nothing may be hidden now. */
export class ShowsSecret extends Error {
  override readonly name = "ShowsSecret";
}

/** Takes a picture in which no text of the page has a secret. An element that shows one is not visible meanwhile. */
export async function veiled<T>(
  { tab, call }: Page,
  take: () => Promise<T>,
  { areElements = false, also, mayHide = true }: VeilOptions = {},
): Promise<T> {
  const finders = [tab.owner.redactor, ...(also ? [also] : [])].filter(({ hasAny }) => hasAny);
  if (finders.length === 0) return await take();
  const placesIn = (text: string) => sorted(finders.flatMap((each) => each.placesIn(text)));
  // Its questions deliver nothing.
  const page = new Page(tab, call);
  const covers: Covers = { veiled: new Set(), hidden: new Set() };
  try {
    for (let tries = 1; ; tries++) {
      const before = await coverFrames(page, covers, {
        placesIn,
        whole: tries === TRIES_MAX,
        areElements,
        mayHide,
      });
      const picture = await take();
      if (tries === TRIES_MAX || (await areSame(page, covers, before))) return picture;
    }
  } finally {
    for (const frame of covers.veiled) page.takeBack(frame, "unveil");
  }
}

/** The text that each frame showed, and its document. */
type Seen = Map<Frame, { world: string | undefined; text: string | undefined }>;

interface Covers {
  /** Frames whose bridge covers something. */
  veiled: Set<Frame>;
  /**
   * Frames of other processes, hidden by the page around them. They draw by themselves, and a picture has their last
   * drawing, which may be older than a cover of their own.
   */
  hidden: Set<Frame>;
}

interface Cover {
  placesIn(text: string): Segment[];
  /** Everything is hidden in a frame that shows a secret. */
  whole: boolean;
  areElements: boolean;
  mayHide: boolean;
}

async function coverFrames(
  page: Page,
  { veiled, hidden }: Covers,
  { placesIn, whole, areElements, mayHide }: Cover,
): Promise<Seen> {
  const seen: Seen = new Map();
  const found = new Map<Frame, Segment[] | undefined>();
  for (const { frame, drawnApart } of shownFrames(page, hidden)) {
    const { text } = await readWhole(page, frame);
    const places = text === undefined ? undefined : placesIn(text);
    if (drawnApart && places?.length !== 0) hidden.add(drawnApart);
    else if (!drawnApart) found.set(frame, places);
    seen.set(frame, { world: frame.world?.uniqueId, text });
  }
  for (const [frame, places] of found) {
    const owners = await ownersIn(page, frame, hidden);
    if (places?.length === 0 && owners?.length === 0 && !veiled.has(frame)) continue;
    if (!mayHide) throw new ShowsSecret("the page shows a secret");
    veiled.add(frame);
    const isWhole = owners === undefined || (whole && places?.length !== 0);
    const parts = isWhole ? undefined : places;
    await unlessOver(page, frame, () => page.ask(frame, "veil", parts, owners ?? [], areElements));
  }
  return seen;
}

/**
 * Yields the frames that are not hidden by then. `drawnApart`: the outermost frame around one, or itself, that another
 * process draws than the main one's. Frames that never got a document show nothing.
 */
function* shownFrames(
  page: Page,
  hidden: ReadonlySet<Frame>,
): Generator<{ frame: Frame; drawnApart?: Frame }> {
  const main = page.main();
  for (const frame of [main, ...page.tab.frames.children.filter(({ loaderId }) => loaderId)]) {
    let drawnApart: Frame | undefined;
    for (let at: Frame | undefined = frame; at; at = at.parent)
      if (at.client !== main.client) drawnApart = at;
    if (drawnApart === undefined) yield { frame };
    else if (!hidden.has(drawnApart)) yield { frame, drawnApart };
  }
}

/** Returns the refs of the hidden frames' elements in this one. Undefined if one of them is not found. */
async function ownersIn(page: Page, frame: Frame, hidden: Set<Frame>): Promise<string[] | undefined> {
  const refs: string[] = [];
  for (const child of hidden) {
    if (child.parent !== frame || !page.tab.frames.has(child)) continue;
    const ref = await page.ownerRef(child);
    if (ref === undefined && page.tab.frames.has(child)) return undefined;
    if (ref !== undefined) refs.push(ref);
  }
  return refs;
}

/** Returns true if no frame has other text than before the picture. */
async function areSame(page: Page, { hidden }: Covers, before: Seen): Promise<boolean> {
  for (const { frame } of shownFrames(page, hidden)) {
    const was = before.get(frame);
    if (!was || was.text === undefined || was.world !== frame.world?.uniqueId) return false;
    const now = await shownText(page, frame);
    if (now.text !== was.text || !now.holds) return false;
  }
  return true;
}

/** Makes the frame's closed shadow roots known to its bridge, and returns what the frame shows with them. */
async function readWhole(page: Page, frame: Frame): Promise<ShownText> {
  return await shownText(page, frame, async () => {
    await frameTree(
      page,
      frame,
      { room: ROOM },
      { at: undefined, place: undefined, before: undefined, probe: undefined },
    );
  });
}

async function shownText(page: Page, frame: Frame, first = async () => {}): Promise<ShownText> {
  const ask = async () => {
    await first();
    return await page.ask(frame, "shownText");
  };
  try {
    return (await unlessOver(page, frame, ask)) ?? GONE;
  } catch (error) {
    if (error instanceof FrameTimeout) return UNKNOWN;
    throw error;
  }
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
