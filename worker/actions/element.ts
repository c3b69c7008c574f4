// Makes the element that a ref names ready for real input, or refuses it with a typed error.
import type { CDPSession } from "puppeteer-core";
import { type ElementData, fail, type TroupeError } from "../../proto/errors/catalogue.ts";
import type { Box, Bridge, Edit, Need, Point, Readiness } from "../bridge/api/bridge-api.ts";
import { DocumentGone } from "../core/gone.ts";
import { actionabilityError, data, deliverElements } from "../snapshot/actionability-error.ts";
import type { Frame, World } from "../tab/frames/frame.ts";
import type { Located, Page } from "../tab/page.ts";
import { expectedAt, noteFacts } from "../tab/step-notes.ts";

/** A point to aim at: a process's CDP session, and a point in the viewport of its topmost frame. */
export interface Aim {
  client: CDPSession;
  point: Point;
}

/** A ready element: the point to aim at, and its description. */
export interface ReadyElement {
  at: Located;
  element: ElementData;
  /**
   * The point where input meets the element. After scrolling, Chrome learns late where frames of other processes are,
   * so their own process is aimed at.
   */
  aim: Aim;
  /** In the tab's viewport, CSS pixels. */
  box: Box;
  /** The point in the tab's viewport. */
  inTab: Point;
  /** The documents that may hear of a click's press, the element's own first. Their bridges watch over the press. */
  watching: Watching[];
}

/** A frame with the document that it had at that moment. */
export interface Watching {
  frame: Frame;
  world: World | undefined;
}

/**
 * Scrolls the ref's element into view and checks what the need requires, in its frame and all outer frames. `again`: a
 * press missed it, so this waits until the element stands still.
 */
export async function readyElement(
  page: Page,
  ref: string,
  need: Need,
  again = false,
): Promise<ReadyElement> {
  const at = await page.locate(ref);
  page.call.waitsFor = `${at.ref} to be ready`;
  const asking = page.ask(at.frame, "ready", at.ref, need, at.deliveredIn, again, expectedAt(page, at));
  const ready = await orDetached(page, at, asking);
  if (ready.state !== "ready") throw actionabilityError(page, at, ready);
  noteFacts(page, at, ready.facts);
  return { at, element: data(ready.element), ...(await placeOf(page, at, ready, need === "click")) };
}

/**
 * Focuses the element to edit and selects its content. Without a ref, it takes the focused element of any frame.
 * `choosing`: an element that opens a list is for choosing, even if it takes text.
 */
export async function editElement(
  page: Page,
  ref: string | undefined,
  { choosing = false } = {},
): Promise<{ at: Located; edit: Extract<Edit, { state: "ready" }> }> {
  const at = ref === undefined ? { frame: page.main(), ref: "" } : await page.locate(ref);
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
    page.ask(
      at.frame,
      "beginEdit",
      named ? at.ref : undefined,
      at.deliveredIn,
      choosing,
      expectedAt(page, at),
    ),
  );
  switch (answer.state) {
    case "ready": {
      noteFacts(page, at, answer.facts);
      // The page may answer the focus with changes around the field. From now on its new line counts, because the
      // bridge has just checked it.
      const deliveredIn =
        answer.seen === undefined ? at.deliveredIn : { line: answer.seen, row: answer.seen };
      const { ref } = answer.element;
      // The focused element gets its ref now, because its list is looked for by that ref.
      if (!named) deliverElements(page, [answer.element], "lines");
      return { at: { ...at, ref, deliveredIn }, edit: answer };
    }
    case "nothing-focused":
      throw fail("ELEMENT_NOT_EDITABLE", { ref: at.ref, role: "", name: "", tag: "body" });
    case "focus-moved":
      deliverElements(page, [answer.to], "lines");
      throw fail("ELEMENT_NOT_EDITABLE", { ...data(answer.element, at), focusGoesTo: data(answer.to) });
    case "in-frame": {
      const frame = await focusedFrame(page, at.frame, answer.ref);
      if (!frame) throw fail("ELEMENT_NOT_EDITABLE", { ref: answer.ref, role: "", name: "", tag: "iframe" });
      return await edit(page, { frame, ref: "" }, { named: false, choosing });
    }
    default:
      throw actionabilityError(page, at, answer);
  }
}

/**
 * Returns the focused element of any frame, or undefined if there is none. `isSecret`: the text that it takes is a
 * secret.
 */
export async function focused(
  page: Page,
): Promise<(Pick<Located, "frame" | "ref"> & { isSecret: boolean }) | undefined> {
  let frame: Frame | undefined = page.main();
  while (frame) {
    const focus: ReturnType<Bridge["focused"]> = await page.ask(frame, "focused");
    if (!focus) return undefined;
    if (!focus.isFrame) return { frame, ref: focus.ref, isSecret: focus.isSecret };
    frame = await focusedFrame(page, frame, focus.ref);
  }
  return undefined;
}

/** Returns the same for a person's typing: {@link Bridge.focusedByPerson}. */
export async function focusedByPerson(page: Page): Promise<{ isSecret: boolean; value: string } | undefined> {
  let frame: Frame | undefined = page.main();
  while (frame) {
    const focus: ReturnType<Bridge["focusedByPerson"]> = await page.askInPassing(frame, "focusedByPerson");
    if (!focus) return undefined;
    if (!focus.isFrame) return focus;
    frame = await focusedFrame(page, frame, focus.ref);
  }
  return undefined;
}

async function focusedFrame(page: Page, parent: Frame, ownerRef: string) {
  for (const child of page.tab.frames.children) {
    if (child.parent === parent && (await page.ownerRef(child)) === ownerRef) return child;
  }
  return undefined;
}

/** Turns an answer's DocumentGone into the error for an element whose document has gone. */
export async function orDetached<T>(page: Page, at: Located, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw error instanceof DocumentGone ? detached(page, at, error) : error;
  }
}

/** Returns the error for a ref whose document has gone. */
export function detached(page: Page, at: Located, cause: Error): TroupeError {
  return at.frame.number > 0
    ? page.whileUnderWay(at, cause)
    : fail("UNKNOWN_REF", { ref: at.ref, cause: "earlier-page" }, cause);
}

/**
 * Goes from the element's frame outwards. Each parent reports where the frame's content begins, and if it is covered.
 */
async function placeOf(
  page: Page,
  at: Located,
  ready: Extract<Readiness, { state: "ready" }>,
  press: boolean,
): Promise<Pick<ReadyElement, "aim" | "box" | "inTab" | "watching">> {
  const { client } = at.frame;
  let { point, box } = ready;
  let aim: Aim = { client, point };
  const watching: Watching[] = [{ frame: at.frame, world: at.frame.world }];
  for (let { frame } = at; frame.parent; frame = frame.parent) {
    const ownerRef = await page.ownerRef(frame);
    // A document of another process hears nothing of the press.
    const hears = press && frame.parent.client === client;
    const content = ownerRef && (await page.ask(frame.parent, "frameBox", ownerRef, point, hears));
    if (!content || content.state === "unknown")
      throw page.whileUnderWay({ ...at, frame }, new DocumentGone(`frame f${frame.number} is gone`));
    if (content.state === "hidden") throw fail("ELEMENT_NOT_VISIBLE", data(ready.element, at));
    if (content.state === "covered")
      throw actionabilityError(
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
  return { aim, box, inTab: point, watching };
}
