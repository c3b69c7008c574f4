// Reads the text of a PDF. Chrome's viewer draws the text without elements, so it is asked by the messages that it
// takes from pages. The viewer then gets the text as an invisible layer, which appears in the tree.

import { FrameTimeout, withinTime } from "../core/frame-time.ts";
import { isGone } from "../core/gone.ts";
import { timeLeftMs } from "../core/time-left.ts";
import type { Frame, PdfText } from "../tab/frames/frame.ts";
import type { Page } from "../tab/page.ts";

/** Chrome's own viewer is an extension that is part of Chrome. */
const VIEWER = "chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai/";
/** A document that takes longer appears without its text, which a later snapshot has. */
const TEXT_MS_MAX = 5_000;
/** A viewer that hangs cannot report that the time is up, so the worker waits this much longer. */
const GRACE_MS = 500;
const LINES_MAX = 20_000;

/** Gives each viewer in the tab its layer of text, and waits a while for it. */
export async function readPdfs(page: Page): Promise<void> {
  const open = page.tab.frames.pdfs.filter(({ pdfText }) => isOpen(pdfText));
  await Promise.all(open.map((frame) => readPdf(page, frame)));
}

/** Returns true if the document may still get its text. */
function isOpen(text: PdfText | undefined): boolean {
  return text === undefined || text === "late" || text === "locked";
}

async function readPdf(page: Page, frame: Frame): Promise<void> {
  const { loaderId, pdfText = "late" } = frame;
  // A document that was waited for once is only checked.
  const boundMs = frame.pdfText === undefined ? TEXT_MS_MAX : 0;
  const timeMs = Math.max(0, Math.min(boundMs, timeLeftMs(page.call, "settling")));
  const waiting = new AbortController();
  try {
    const work = async () => await askViewer(await viewerIn(page, frame, waiting.signal), timeMs);
    // The viewer ends its wait by itself, but not if it hangs.
    const text = await page.during(withinTime(work, timeMs + GRACE_MS));
    if (frame.loaderId === loaderId) frame.pdfText = text ?? pdfText;
  } catch (error) {
    if (!isGone(error) && !(error instanceof FrameTimeout)) throw error;
    if (frame.loaderId === loaderId) frame.pdfText = pdfText;
  } finally {
    waiting.abort();
  }
}

/** Returns the viewer's own frame, which comes after the document that it shows. */
async function viewerIn({ tab }: Page, frame: Frame, signal: AbortSignal): Promise<Frame | undefined> {
  const { frames } = tab;
  const find = () =>
    frames.children.find(({ parent, url, world }) => parent === frame && world && url.startsWith(VIEWER));
  while (!find() && frames.has(frame) && !signal.aborted) await frames.changed(signal);
  return find();
}

async function askViewer(viewer: Frame | undefined, timeMs: number): Promise<PdfText | undefined> {
  // This runs in the viewer's own world, because only that one has the method that clears the selection.
  const answer = await viewer?.client.send("Runtime.evaluate", {
    expression: `(${ADD_TEXT_LAYER})(${timeMs}, ${LINES_MAX})`,
    awaitPromise: true,
    returnByValue: true,
  });
  return answer?.result.value as PdfText | undefined;
}

/**
 * Runs in the viewer. It answers once its document has come, or once it asks for a password. The viewer also answers
 * questions of other senders, so only its messages to itself count.
 */
const ADD_TEXT_LAYER = `async (timeMs, linesMax) => {
  const add = (text) => {
    const layer = document.createElement("div");
    layer.setAttribute("role", "document");
    layer.setAttribute("aria-label", "Text of the PDF");
    layer.style = "position: fixed; inset: 0; z-index: -1; overflow: hidden; color: transparent; font-size: 1px; pointer-events: none";
    for (const line of text.split("\\n").filter((each) => each.trim() !== "").slice(0, linesMax)) {
      const part = document.createElement("div");
      part.textContent = line;
      layer.append(part);
    }
    if (layer.hasChildNodes()) document.body.append(layer);
    return layer.hasChildNodes() ? "there" : "none";
  };
  const viewer = () => document.querySelector("pdf-viewer");
  const unselect = () => {
    const { currentController: plugin } = viewer();
    for (const isOn of [true, false]) plugin?.setPresentationMode?.(isOn);
  };
  const begin = () => {
    const { promise, resolve } = Promise.withResolvers();
    const reading = { text: "late", over: promise };
    const end = (text) => resolve((reading.text = text));
    addEventListener("message", ({ source, data }) => {
      if (source !== window) return;
      if (data.type === "documentLoaded" && data.load_state !== "success") end("failed");
      // By then the viewer knows whom it tells of a password that it wants; it may have asked before.
      const asks = data.type === "getSelectedText" && viewer().shadowRoot.querySelector("viewer-password-dialog");
      if (asks || data.type === "passwordPrompted") end("locked");
      if (data.type !== "getSelectedTextReply") return;
      end(add(data.selectedText));
      unselect();
    });
    customElements.whenDefined("pdf-viewer").then(() => {
      for (const type of ["selectAll", "getSelectedText"]) postMessage({ type });
    });
    return reading;
  };
  const reading = (globalThis.troupeReading ??= begin());
  await Promise.race([reading.over, new Promise((resolve) => setTimeout(resolve, timeMs))]);
  return reading.text;
}`;
