// An element that a ref names: made ready for real input, or refused with the type that says why.
import type { CDPSession } from "puppeteer-core";
import { type ElementData, fail, type TroupeError } from "../../proto/errors/catalogue.ts";
import type { Box, Edit, Need, Point, Readiness } from "../bridge/api/bridge-api.ts";
import { DocumentGone } from "../core/gone.ts";
import { data, refused, tell } from "../snapshot/refusal.ts";
import type { Frame, World } from "../tab/frames.ts";
import type { Located, Page } from "../tab/page.ts";

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
  /** The documents in which a click's press may be heard, the element's own first: their bridges watch over it. */
  watching: Watching[];
}

/** A frame's document of that moment. */
export interface Watching {
  frame: Frame;
  world: World | undefined;
}

/**
 * Scrolls the ref's element into view and checks what the need asks for, in its frame and all frames around it. `again`:
 * a press missed it, so it is waited for until it stands still.
 */
export async function readyElement(
  page: Page,
  ref: string,
  need: Need,
  again = false,
): Promise<ReadyElement> {
  const at = await page.locate(ref);
  page.call.waitsFor = `${at.ref} to be ready`;
  const ready = await orDetached(
    page,
    at,
    page.ask(at.frame, "ready", at.local, need, page.prefixOf(at.frame), at.told, again),
  );
  if (ready.state !== "ready") throw refused(page, at, ready);
  return { at, element: data(ready.element), ...(await placeOf(page, at, ready, need === "click")) };
}

/**
 * Focuses what is to be edited and selects its content; without a ref, what has the focus in whatever frame. `choosing`:
 * what opens a list is to be chosen from, also where it takes text.
 */
export async function editElement(
  page: Page,
  ref: string | undefined,
  { choosing = false } = {},
): Promise<{ at: Located; edit: Extract<Edit, { state: "ready" }> }> {
  const at = ref === undefined ? { frame: page.main(), local: "", ref: "" } : await page.locate(ref);
  page.call.waitsFor = `${at.ref || "what has the focus"} to take text`;
  return await edit(page, at, { named: ref !== undefined, choosing });
}

async function edit(
  page: Page,
  at: Located,
  { named, choosing }: { named: boolean; choosing: boolean },
): Promise<{ at: Located; edit: Extract<Edit, { state: "ready" }> }> {
  const answer = await orDetached(
    page,
    at,
    page.ask(at.frame, "beginEdit", named ? at.local : undefined, page.prefixOf(at.frame), at.told, choosing),
  );
  switch (answer.state) {
    case "ready": {
      // The page may answer the focus with changes around the field: what it is now is what was found to be right.
      const told = answer.seen === undefined ? at.told : { line: answer.seen, row: answer.seen };
      const { ref } = answer.element;
      // What has the focus is named from now on: the list that it opens is looked for by its ref.
      if (!named) tell(page, [answer.element], "lines");
      const local = named ? at.local : ref.slice(page.prefixOf(at.frame).length);
      return { at: { ...at, local, ref: ref || at.ref, told }, edit: answer };
    }
    case "nothing-focused":
      throw fail("ELEMENT_NOT_EDITABLE", { ref: at.ref, role: "", name: "", tag: "body" });
    case "focus-moved":
      tell(page, [answer.to], "lines");
      throw fail("ELEMENT_NOT_EDITABLE", { ...data(answer.element, at), focusGoesTo: data(answer.to) });
    case "in-frame": {
      const frame = await focusedFrame(page, at, answer.ref);
      if (!frame) throw fail("ELEMENT_NOT_EDITABLE", { ref: answer.ref, role: "", name: "", tag: "iframe" });
      return await edit(page, { frame, local: "", ref: "" }, { named: false, choosing });
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

/** Whatever goes on in a child frame that goes away meanwhile is FRAME_DETACHED. */
export async function orDetached<T>(page: Page, at: Located, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw error instanceof DocumentGone ? detached(page, at, error) : error;
  }
}

/** What a ref is whose document has gone. */
export function detached(page: Page, at: Located, cause: Error): TroupeError {
  return at.frame.number > 0
    ? page.whileUnderWay(at, cause)
    : fail("UNKNOWN_REF", { ref: at.ref, cause: "earlier-page" }, cause);
}

/** From the element's frame outwards: each parent tells where the frame's content begins, and whether it is covered. */
async function placeOf(
  page: Page,
  at: Located,
  ready: Extract<Readiness, { state: "ready" }>,
  press: boolean,
): Promise<Pick<ReadyElement, "aim" | "box" | "watching">> {
  const { client } = at.frame;
  let { point, box } = ready;
  let aim: Aim = { client, point };
  const watching: Watching[] = [{ frame: at.frame, world: at.frame.world }];
  for (let { frame } = at; frame.parent; frame = frame.parent) {
    const ownerRef = await page.ownerRef(frame);
    const prefix = page.prefixOf(frame.parent);
    // Another process hears nothing of the press.
    const hears = press && frame.parent.client === client;
    const content = ownerRef && (await page.ask(frame.parent, "frameBox", ownerRef, point, prefix, hears));
    if (!content || content.state === "unknown")
      throw page.whileUnderWay({ ...at, frame }, new DocumentGone(`frame f${frame.number} is gone`));
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
    if (hears) watching.push({ frame: frame.parent, world: frame.parent.world });
  }
  return { aim, box, watching };
}
