// Drags from one element to another: by the pointer, or by the browser's own drag and drop if the page uses that.
import type { CDPSession, Protocol } from "puppeteer-core";
import { type ElementData, fail } from "../../proto/errors/catalogue.ts";
import { within } from "../../proto/machine/within.ts";
import type { Point } from "../bridge/api/bridge-api.ts";
import type { Frame } from "../tab/frames/frame.ts";
import type { Page } from "../tab/page.ts";
import { AIMS_MAX, missOf } from "./aimed-click.ts";
import { type ReadyElement, readyElement } from "./element.ts";

/** The pointer's movements on the way. Pages follow them, and some need several to notice a drag. */
const MOVES = 10;
/** The share of the way at which the last movement begins. */
const NEAR = 0.97;
/** Browsers and pages take a shorter movement of the pressed pointer for a click. */
const BEGIN_PX = 10;
/** Chrome hands the data of a drag over with the movement that begins it, or begins none. */
const HANDED_OVER_MS_MAX = 1_000;

type MouseEvent = Protocol.Input.DispatchMouseEventRequest["type"];
type DragEvent = Protocol.Input.DispatchDragEventRequest["type"];

/** `far`: how far it came. `refused`: the page lets nothing be dropped there. */
export interface Dragged {
  source: ElementData;
  goal: ElementData;
  far: "begun" | "dropped" | "refused";
}

/** The pointer's place: for its own process, which gets its events, and in the tab, for the browser's own drag. */
interface Place {
  own: Point;
  inTab: Point;
}

/** A drag under way, with the data of the browser's own drag. */
interface Drag {
  page: Page;
  frame: Frame;
  client: CDPSession;
  place: Place;
  isPressed: boolean;
  handedOver: Promise<Protocol.Input.DragData>;
  data?: Protocol.Input.DragData;
  /** The page began no drag of the browser's own that was handed over, so the pointer goes on alone. */
  isByPointer: boolean;
}

/**
 * Presses on the first element, moves to the other one, and releases there. `note` gets how far it has come, because
 * a dialog may end it.
 */
export async function drag(
  page: Page,
  from: string,
  to: string,
  note: (far: Dragged) => void,
): Promise<void> {
  const [source, target] = [await page.locate(from), await page.locate(to)];
  const { client } = source.frame;
  if (target.frame.client !== client) throw inOtherProcess();
  const { element: goal } = await readyElement(page, to, "hover");
  const { promise: handedOver, resolve } = Promise.withResolvers<Protocol.Input.DragData>();
  const onDrag = ({ data }: Protocol.Input.DragInterceptedEvent) => resolve(data);
  const nowhere = { own: { x: 0, y: 0 }, inTab: { x: 0, y: 0 } };
  const start = { page, frame: source.frame, client, place: nowhere };
  const under: Drag = { ...start, isPressed: false, handedOver, isByPointer: false };
  const { client: ofTab } = page.tab;
  ofTab.on("Input.dragIntercepted", onDrag);
  try {
    await page.during(ofTab.send("Input.setInterceptDrags", { enabled: true }));
    const element = await press(under, from);
    const dragged = { source: element, goal };
    note({ ...dragged, far: "begun" });
    await carry(under, to);
    note({ ...dragged, far: "dropped" });
    await release(under);
    if (await isRefused(under)) note({ ...dragged, far: "refused" });
  } finally {
    // Neither the button nor the drag may outlast the call. A dialog may hold this up.
    if (under.isPressed)
      quietly(under, under.data ? dragEvent(under, "dragCancel") : mouse(under, "mouseReleased"));
    quietly(under, ofTab.send("Input.setInterceptDrags", { enabled: false }));
    page.takeBack(source.frame, "watchDrag", false);
    ofTab.off("Input.dragIntercepted", onDrag);
  }
}

/** Presses on the element. Aims again if the press met another one. */
async function press(under: Drag, from: string): Promise<ElementData> {
  const { page, frame } = under;
  for (let aims = 1; ; aims++) {
    const ready = await readyElement(page, from, "click", aims > 1);
    await page.askInPassing(frame, "watchDrag", true);
    under.place = placeOf(ready);
    await page.during(mouse(under, "mouseMoved"));
    under.isPressed = true;
    await page.during(mouse(under, "mousePressed"));
    const miss = await missOf(page, ready);
    if (!miss) return ready.element;
    under.isPressed = false;
    await page.during(mouse(under, "mouseReleased"));
    if (aims === AIMS_MAX) throw miss;
  }
}

/** Moves to the other element, and stands still there: some pages compare two positions. */
async function carry(under: Drag, to: string): Promise<void> {
  const { page, place: from } = under;
  const goal = async () => placeOf(await readyElement(page, to, "visible"));
  const first = await goal();
  const distance = Math.hypot(first.own.x - from.own.x, first.own.y - from.own.y);
  const begun = distance <= BEGIN_PX ? 1 : BEGIN_PX / distance;
  await moveTo(under, between(from, first, begun / 2));
  await moveTo(under, between(from, first, begun));
  // The beginning of a drag may move what is around it. After that, the place counts: a list that is being sorted makes
  // room there by moving its elements away.
  const start = under.place;
  const place = await goal();
  for (let move = 1; move < MOVES; move++) await moveTo(under, between(start, place, move / MOVES));
  // A list that is being sorted takes no notice of the pointer while its elements are on their way.
  await readyElement(page, to, "visible", true);
  await moveTo(under, between(start, place, NEAR));
  await moveTo(under, place);
}

function placeOf({ aim, inTab }: ReadyElement): Place {
  return { own: aim.point, inTab };
}

function between(from: Place, to: Place, share: number): Place {
  const part = (one: Point, other: Point) => ({
    x: one.x + (other.x - one.x) * share,
    y: one.y + (other.y - one.y) * share,
  });
  return { own: part(from.own, to.own), inTab: part(from.inTab, to.inTab) };
}

async function moveTo(under: Drag, place: Place): Promise<void> {
  const { page } = under;
  under.place = place;
  if (under.data) return await page.during(dragEvent(under, "dragOver"));
  await page.during(mouse(under, "mouseMoved"));
  if (under.isByPointer || !(await page.askInPassing(under.frame, "dragSeen")).isNative) return;
  const data = await page.during(within({ timeMs: HANDED_OVER_MS_MAX }, under.handedOver));
  if (!data) {
    under.isByPointer = true;
    return;
  }
  under.data = data;
  await page.during(dragEvent(under, "dragEnter"));
}

async function release(under: Drag): Promise<void> {
  under.isPressed = false;
  await under.page.during(under.data ? dragEvent(under, "drop") : mouse(under, "mouseReleased"));
}

/** A page that cancels no `dragover` gets no `drop`. An element that the drop removed reports nothing. */
async function isRefused({ page, frame, data }: Drag): Promise<boolean> {
  if (!data || !frame.world || page.tab.halt || !page.tab.isOpen) return false;
  return (await page.askInPassing(frame, "dragSeen")).taken === false;
}

function mouse({ client, place: { own }, isPressed }: Drag, type: MouseEvent): Promise<void> {
  const button = type === "mouseMoved" && !isPressed ? "none" : "left";
  const buttons = isPressed && type !== "mouseReleased" ? 1 : 0;
  return client.send("Input.dispatchMouseEvent", { type, ...own, button, buttons, clickCount: 1 });
}

function dragEvent(
  { page, place: { inTab }, data = { items: [], dragOperationsMask: 0 } }: Drag,
  type: DragEvent,
): Promise<void> {
  return page.tab.client.send("Input.dispatchDragEvent", { type, ...inTab, data });
}

function quietly({ page }: Drag, sent: Promise<unknown>): void {
  sent.catch((error: Error) => page.tab.failures.cleanup("drag", error));
}

function inOtherProcess() {
  return fail("INVALID_ARGUMENT", {
    argument: "to",
    problem: "the two elements are in frames of different sites, between which nothing can be dragged",
    hint: "with from and to in the same frame",
  });
}
