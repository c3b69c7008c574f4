// Gives the focused element a text as a paste does. Nothing comes from the browser's clipboard, which sessions share.
import { focusedElement } from "../dom/dom.ts";

/** Returns true if the page took the text itself, as editors do. */
export function paste(text: string): boolean {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  const event = new ClipboardEvent("paste", {
    clipboardData,
    bubbles: true,
    cancelable: true,
    composed: true,
  });
  return !(focusedElement() ?? document.body ?? document).dispatchEvent(event);
}
