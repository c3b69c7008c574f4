// Watches a drag: if the browser's own drag and drop begins, which takes the pointer's events away, and how it ends.
import type { Bridge, DragSeen } from "../api/bridge-api.ts";
import { listen, stopListening } from "../dom/listen.ts";

const OPTIONS = { capture: true, passive: true };

export function createDragWatch(): Pick<Bridge, "watchDrag" | "dragSeen"> {
  let started: Event | undefined;
  let taken: boolean | undefined;
  const onStart = (event: Event) => {
    started = event;
  };
  // The effect can be read only while the event is dispatched.
  const onEnd = (event: Event) => {
    taken = (event as DragEvent).dataTransfer?.dropEffect !== "none";
  };
  const stop = () => {
    stopListening(window, "dragstart", onStart, OPTIONS);
    stopListening(window, "dragend", onEnd, OPTIONS);
  };
  return {
    watchDrag(isWatched) {
      started = undefined;
      taken = undefined;
      stop();
      if (!isWatched) return;
      listen(window, "dragstart", onStart, OPTIONS);
      listen(window, "dragend", onEnd, OPTIONS);
    },
    dragSeen(): DragSeen {
      // A listener that prevents the drag is called later than this one.
      return {
        isNative: started !== undefined && !started.defaultPrevented,
        ...(taken !== undefined && { taken }),
      };
    },
  };
}
