// Watches if a page takes files that are dragged over it.

import type { FileDragReport } from "../api/bridge-api.ts";
import { getter } from "../dom/dom.ts";
import { listen, stopListening } from "../dom/listen.ts";

const isPreventedOf = getter(Event.prototype, "defaultPrevented");
const transferOf = getter(DragEvent.prototype, "dataTransfer");
const effectOf = getter(DataTransfer.prototype, "dropEffect");
const { preventDefault } = Event.prototype;
const FIRST = { capture: true };
const LAST = { capture: false };

/** Watches a drag of files over the document. */
export interface FileDragWatch {
  beginFileDrag(): void;
  fileDragged(): FileDragReport;
  endFileDrag(): void;
}

/** A page takes a drag by preventing the default of its last `dragover` (HTML, drag-and-drop processing model). */
export function createFileDragWatch(): FileDragWatch {
  let last: DragEvent | undefined;
  const hear = (event: Event) => {
    if (event.isTrusted) last = event as DragEvent;
  };
  // Chrome would open a file that the page does not take in the tab.
  const keepPage = (event: Event) => preventDefault.call(event);
  return {
    beginFileDrag() {
      last = undefined;
      listen(window, "dragover", hear, FIRST);
      listen(window, "drop", keepPage, LAST);
    },
    fileDragged() {
      if (last === undefined) return { isTaken: false };
      const transfer = transferOf(last);
      return { isTaken: isPreventedOf(last) && (transfer === null || effectOf(transfer) !== "none") };
    },
    endFileDrag() {
      stopListening(window, "dragover", hear, FIRST);
      stopListening(window, "drop", keepPage, LAST);
    },
  };
}
