// The elements of steps. Refs are checked before anything is done. An element that the steps before it bring forth is
// named by role and name, and looked up when its turn comes.
import type { Candidate, ElementData } from "../../proto/errors/catalogue.ts";
import { named } from "../../proto/text/named.ts";
import { FrameTimeout, frameTimeMs, withinTime } from "../core/frame-time.ts";
import { isGone } from "../core/gone.ts";
import { meetShown } from "../outside/internals.ts";
import { readUnseen } from "../outside/unseen.ts";
import { type Label, labelIn } from "../refs/label-text.ts";
import { parseRef } from "../refs/ref-text.ts";
import { actionabilityError, data } from "../snapshot/actionability-error.ts";
import { probeChanges } from "../snapshot/change-probe.ts";
import type { Frame } from "../tab/frames/frame.ts";
import type { Located, Page } from "../tab/page.ts";
import { orDetached } from "./element.ts";

/** `text` is what the client wrote. `label` is set if it is a role and a name, such as `button "Save"`. */
export interface Target {
  text: string;
  label: Label | undefined;
}

export function targetOf(text: string): Target {
  return { text, label: parseRef(text) ? undefined : labelIn(text) };
}

/** Returns the ref of the one element that is meant, or says in words why there is none. */
export async function refOfTarget(
  page: Page,
  { text, label }: Target,
): Promise<{ ref: string } | { missing: string }> {
  if (!label) return { ref: text };
  const [only, ...others] = await called(page, label);
  const element = named({ role: label.role ?? "", name: label.name });
  if (!only) return { missing: `the page has no ${element}` };
  if (others.length === 0) return { ref: only.ref };
  const refs = [only, ...others].map(({ ref }) => ref).join(", ");
  return { missing: `several elements are ${element} (${refs}), so give the ref of one` };
}

async function called(page: Page, label: Label): Promise<Candidate[]> {
  // A step before may have led to another document, whose refs count from here on.
  page.worlds.clear();
  const found = await page.called(label);
  if (found.length > 0) return found;
  for (const frame of [page.main(), ...page.tab.frames.children]) await readHidden(page, frame);
  return await page.called(label);
}

/** Reads what only Chrome knows, such as the roles of custom elements that an earlier step has brought forth. */
async function readHidden(page: Page, frame: Frame): Promise<void> {
  try {
    await meetShown(page, frame);
    const probe = (await probeChanges(page, frame, page.tab.delivered.snapshot?.frames)).get(frame);
    if (probe) await readUnseen(page, frame, probe);
  } catch (error) {
    if (!isGone(error) || frame.number === 0) throw error;
  }
}

/** Throws the error that refuses an action on the element: it is unknown, gone or another one. */
export async function checkRef(page: Page, ref: string): Promise<{ at: Located; element: ElementData }> {
  const at = await page.locate(ref);
  const answer = await orDetached(page, at, page.ask(at.frame, "resolve", at.ref, at.deliveredIn));
  if (answer.state !== "present") throw actionabilityError(page, at, answer);
  return { at, element: data(answer.element, at) };
}

/** Keeps the trees from which the elements were delivered, however often the steps change the page. */
export async function pinTrees(page: Page, located: readonly Located[]): Promise<void> {
  for (const [frame, inFrame] of Map.groupBy(located, (at) => at.frame)) {
    const numbers = inFrame.flatMap(({ deliveredIn }) =>
      deliveredIn ? [deliveredIn.line, deliveredIn.row] : [],
    );
    await orDetached(page, inFrame[0] as Located, page.ask(frame, "pinTrees", numbers));
  }
}

/** Returns true if one of the elements is gone or another one. Nothing of this counts as delivered. */
export async function isAnyLost(page: Page, refs: readonly string[]): Promise<boolean> {
  const lost = await Promise.all(refs.map((ref) => isLost(page, ref)));
  return lost.includes(true);
}

async function isLost(page: Page, ref: string): Promise<boolean> {
  const { frames, delivered } = page.tab;
  const parsed = parseRef(ref);
  const frame = parsed && frames.numbered(parsed.frame);
  if (!frame || frame === "gone" || delivered.knows(parsed, frame.world?.uniqueId) !== "known") return true;
  const asking = () => page.askInPassing(frame, "resolve", parsed.whole, delivered.treesOf(parsed));
  try {
    return (await withinTime(asking, frameTimeMs(page.call))).state !== "present";
  } catch (error) {
    if (page.tab.halt || !page.tab.isOpen) return false;
    if (isGone(error) || error instanceof FrameTimeout) return true;
    throw error;
  }
}
