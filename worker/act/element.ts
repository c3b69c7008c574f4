// An element that a ref names: made ready for real input, or refused with the type that says why.
import type { CDPSession } from "puppeteer-core";
import { type Candidate, type ElementData, fail, type TroupeError } from "../../proto/errors.ts";
import type {
  Box,
  Changed,
  Described,
  Edit,
  Missing,
  Need,
  Point,
  Readiness,
  Refusal,
} from "../bridge/api.ts";
import { DocumentGone } from "../tab/gone.ts";
import type { Located, Page } from "../tab/page.ts";
import type { Tells } from "../tab/told.ts";

/** Where to point: a process's session, and the place in the viewport of its topmost frame. */
export interface Aim {
  client: CDPSession;
  point: Point;
}

/** An element, ready: where to point, and what it is. */
export interface ReadyElement {
  at: Located;
  element: ElementData;
  /** Where input meets it. Chrome knows late where frames of other processes are after scrolling: they are aimed at directly. */
  aim: Aim;
  /** In the tab's viewport, CSS pixels. */
  box: Box;
}

type Removed = Extract<Missing, { state: "removed" }>;

/** Scrolls the ref's element into view and checks what the need asks for, in its frame and all frames around it. */
export async function readyElement(page: Page, ref: string, need: Need): Promise<ReadyElement> {
  const at = await page.locate(ref);
  page.call.waitsFor = `${at.ref} to be ready`;
  const ready = await orDetached(
    at,
    page.ask(at.frame, "ready", at.local, need, page.prefixOf(at.frame), at.told),
  );
  if (ready.state !== "ready") throw refused(page, at, ready);
  return { at, element: data(ready.element), ...(await placeOf(page, at, ready)) };
}

/** Focuses what is to be edited and selects its content; without a ref, what has the focus in whatever frame. */
export async function editElement(
  page: Page,
  ref: string | undefined,
): Promise<{ at: Located; edit: Extract<Edit, { state: "ready" }> }> {
  const at = ref === undefined ? { frame: page.main(), local: "", ref: "" } : await page.locate(ref);
  page.call.waitsFor = `${at.ref || "what has the focus"} to take text`;
  return await edit(page, at, ref !== undefined);
}

async function edit(
  page: Page,
  at: Located,
  named: boolean,
): Promise<{ at: Located; edit: Extract<Edit, { state: "ready" }> }> {
  const answer = await orDetached(
    at,
    page.ask(at.frame, "beginEdit", named ? at.local : undefined, page.prefixOf(at.frame), at.told),
  );
  switch (answer.state) {
    case "ready": {
      // The page may answer the focus with changes around the field: what it is now is what was found to be right.
      const told = answer.seen === undefined ? at.told : { line: answer.seen, row: answer.seen };
      return { at: { ...at, ref: answer.element.ref || at.ref, told }, edit: answer };
    }
    case "nothing-focused":
      throw fail("ELEMENT_NOT_EDITABLE", { ref: at.ref, role: "", name: "", tag: "body" });
    case "focus-moved":
      throw fail("ELEMENT_NOT_EDITABLE", { ...data(answer.element, at), focusGoesTo: data(answer.to) });
    case "in-frame": {
      const frame = await focusedFrame(page, at, answer.ref);
      if (!frame) throw fail("ELEMENT_NOT_EDITABLE", { ref: answer.ref, role: "", name: "", tag: "iframe" });
      return await edit(page, { frame, local: "", ref: "" }, false);
    }
    default:
      throw refused(page, at, answer);
  }
}

async function focusedFrame(page: Page, at: Located, ownerRef: string) {
  for (const child of page.tab.frames.children) {
    if (child.parent === at.frame && page.prefixOf(at.frame) + (await page.ownerRef(child)) === ownerRef)
      return child;
  }
  return undefined;
}

/** The catalogue's word for a bridge's refusal. A stale ref comes with the elements that are likely to be meant. */
export function refused(page: Page, at: Located, refusal: Refusal): TroupeError {
  switch (refusal.state) {
    case "unknown":
      return fail("UNKNOWN_REF", { ref: at.ref, cause: "unseen" });
    case "removed":
      return stale(page, at, refusal);
    case "changed":
      return changed(page, at, refusal);
    case "hidden":
      return fail("ELEMENT_NOT_VISIBLE", data(refusal.element, at));
    case "moving":
      return fail("ELEMENT_NOT_VISIBLE", { ...data(refusal.element, at), moving: true });
    case "disabled":
      return fail("ELEMENT_DISABLED", data(refusal.element, at));
    case "readonly":
      return fail("ELEMENT_NOT_EDITABLE", { ...data(refusal.element, at), readonly: true });
    case "not-editable":
      return fail("ELEMENT_NOT_EDITABLE", data(refusal.element, at));
    case "covered":
      tell(page, [refusal.by], "lines");
      return fail("ELEMENT_COVERED", { ...data(refusal.element, at), by: data(refusal.by) });
  }
}

/** Why the bridge does not know the ref any more: it was removed, or never was. */
export async function missingElement(page: Page, at: Located): Promise<TroupeError> {
  const look = await page.ask(at.frame, "look", at.local, page.prefixOf(at.frame));
  if (look.state === "removed") return stale(page, at, look);
  return fail("UNKNOWN_REF", { ref: at.ref, cause: "unseen" });
}

function stale(page: Page, at: Located, { element, likely, alike }: Removed): TroupeError {
  tell(page, likely, "lines");
  return fail("STALE_REF", { ...data(element, at), candidates: likely.map(candidate), alike });
}

/** The error says what the element is now, and so tells it: the same call is right if that is meant. */
function changed(page: Page, at: Located, change: Changed): TroupeError {
  const { element, now, row, nowRow, likely, alike, forgotten } = change;
  tell(page, [now], "rows");
  tell(page, likely, "lines");
  return fail("ELEMENT_CHANGED", {
    ...data(element, at),
    nowRole: now.role,
    nowName: now.name,
    ...(row !== undefined && nowRow !== undefined && { row, nowRow }),
    ...(forgotten && { forgotten }),
    candidates: likely.map(candidate),
    alike,
  });
}

function candidate({ ref, role, name }: Described): Candidate {
  return { ref, role, name };
}

/** Elements that an error names may be used at once. */
function tell({ tab, worlds, trees }: Page, elements: readonly Described[], tells: Tells): void {
  const refs = elements.map(({ ref }) => `[ref=${ref}]`).join(" ");
  tab.told.deliver(refs, worlds, trees, tells);
}

/** What an error or a reply says of an element. */
export function data({ ref, role, name, tag }: Described, at?: Located): ElementData {
  return { ref: at?.ref ?? ref, role, name, tag };
}

/** Whatever goes on in a child frame that goes away meanwhile is FRAME_DETACHED. */
export async function orDetached<T>(at: Located, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw error instanceof DocumentGone ? detached(at, error) : error;
  }
}

/** What a ref is whose document has gone. */
export function detached({ frame, ref }: Located, cause: Error): TroupeError {
  return frame.number > 0
    ? fail("FRAME_DETACHED", { frame: `f${frame.number}`, reason: "it was removed or navigated" }, cause)
    : fail("UNKNOWN_REF", { ref, cause: "earlier-page" }, cause);
}

/** From the element's frame outwards: each parent tells where the frame's content begins, and whether it is covered. */
async function placeOf(
  page: Page,
  at: Located,
  ready: Extract<Readiness, { state: "ready" }>,
): Promise<{ aim: Aim; box: Box }> {
  const { client } = at.frame;
  let { point, box } = ready;
  let aim: Aim = { client, point };
  for (let { frame } = at; frame.parent; frame = frame.parent) {
    const ownerRef = await page.ownerRef(frame);
    const content =
      ownerRef && (await page.ask(frame.parent, "frameBox", ownerRef, point, page.prefixOf(frame.parent)));
    if (!content || content.state === "unknown") throw fail("FRAME_DETACHED", { frame: `f${frame.number}` });
    if (content.state === "hidden") throw fail("ELEMENT_NOT_VISIBLE", data(ready.element, at));
    if (content.state === "covered")
      throw refused(
        page,
        { ...at, frame: frame.parent },
        { ...content, element: { ...ready.element, ref: at.ref } },
      );
    const { x, y, scaleX, scaleY } = content;
    point = { x: x + point.x * scaleX, y: y + point.y * scaleY };
    box = {
      x: x + box.x * scaleX,
      y: y + box.y * scaleY,
      width: box.width * scaleX,
      height: box.height * scaleY,
    };
    if (frame.parent.client === client) aim = { client, point };
  }
  return { aim, box };
}
