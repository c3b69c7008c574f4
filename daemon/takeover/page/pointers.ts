// Sends what the mouse and the finger do, each as what it is.
import type { Elements } from "./elements.ts";
import type { Line } from "./line.ts";
import type { Picture } from "./picture.ts";

const BUTTONS = ["left", "middle", "right"] as const;
/** Clicks further apart than this are single ones. */
const CLICKS_PX_MAX = 8;
/** Wheels that count in lines and in pages. */
const PX_OF_LINE = 40;
const PX_OF_PAGE = 600;

export function followPointers({ view, typing }: Elements, picture: Picture, line: Line): void {
  const point = (event: PointerEvent, type: "move" | "down" | "up", clicks: number) =>
    line.send({
      pointer: {
        type,
        ...picture.pointAt(event),
        button: type === "move" ? "none" : (BUTTONS[event.button] ?? "none"),
        buttons: event.buttons & 7,
        clicks,
        modifiers: modifiersOf(event),
      },
    });
  const clicks = clickCounter();
  const finger = followFinger(picture, line);
  view.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    view.setPointerCapture(event.pointerId);
    if (event.pointerType === "touch") return finger.down(event);
    typing.focus({ preventScroll: true });
    point(event, "down", clicks.down(event));
  });
  view.addEventListener("pointermove", (event) => {
    if (event.pointerType === "touch") finger.move(event);
    else point(event, "move", 0);
  });
  view.addEventListener("pointerup", (event) => {
    if (event.pointerType === "touch") finger.gone(event, "end");
    else point(event, "up", clicks.last);
  });
  view.addEventListener("pointercancel", (event) => finger.gone(event, "cancel"));
  view.addEventListener("contextmenu", (event) => event.preventDefault());
  view.addEventListener("wheel", (event) => turned(event, picture, line), { passive: false });
}

export function modifiersOf(event: MouseEvent | KeyboardEvent): number {
  const { altKey, ctrlKey, metaKey, shiftKey } = event;
  return (altKey ? 1 : 0) | (ctrlKey ? 2 : 0) | (metaKey ? 4 : 0) | (shiftKey ? 8 : 0);
}

function turned(event: WheelEvent, picture: Picture, line: Line): void {
  event.preventDefault();
  const unit = [1, PX_OF_LINE, PX_OF_PAGE][event.deltaMode] ?? 1;
  const wheel = {
    ...picture.pointAt(event),
    deltaX: event.deltaX * unit,
    deltaY: event.deltaY * unit,
    modifiers: modifiersOf(event),
  };
  line.send({ wheel });
}

/** Pointer events do not count clicks. */
function clickCounter() {
  const SOON_MS = 500;
  let count = 0;
  let before: { atMs: number; x: number; y: number } | undefined;
  return {
    get last() {
      return count;
    },
    down({ clientX: x, clientY: y, timeStamp: atMs }: PointerEvent): number {
      const isAgain =
        before && atMs - before.atMs < SOON_MS && Math.hypot(x - before.x, y - before.y) < CLICKS_PX_MAX;
      count = isAgain ? Math.min(3, count + 1) : 1;
      before = { atMs, x, y };
      return count;
    },
  };
}

/** The first finger counts until it is gone: a page that two fingers zoom is another one for its agent. */
function followFinger(picture: Picture, line: Line) {
  let pointer: number | undefined;
  const send = (type: "start" | "move", event: PointerEvent) =>
    line.send({ touch: { type, points: [{ id: 0, ...picture.pointAt(event) }] } });
  return {
    down(event: PointerEvent): void {
      if (pointer !== undefined) return;
      pointer = event.pointerId;
      send("start", event);
    },
    move(event: PointerEvent): void {
      if (event.pointerId === pointer) send("move", event);
    },
    gone({ pointerId }: PointerEvent, type: "end" | "cancel"): void {
      if (pointerId !== pointer) return;
      pointer = undefined;
      line.send({ touch: { type, points: [] } });
    },
  };
}
