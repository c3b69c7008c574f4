// Whether Chrome itself still answers: a browser that hangs is told from a page that does.
import type { CDPSession } from "puppeteer-core";
import { isGone } from "../tab/gone.ts";

/** How often it is asked, and how many turns of the clock may pass without an answer. */
const ASK_MS = 1_000;
const SILENT_TURNS_MAX = 8;

/** In words, for whoever is told of a browser that hangs. */
export const SILENT_FOR = `${(ASK_MS * SILENT_TURNS_MAX) / 1000} s`;

/**
 * Asks the browser's own process, over its target's session, for a sign of life again and again. `hung` is called
 * once. Turns are counted, not time: a worker that was stopped has not missed an answer that waits in its pipe.
 */
export function watchPulse(browser: CDPSession, hung: () => void): Disposable {
  let silentTurns = 0;
  let isAsked = false;
  const stop = () => clearInterval(timer);
  const ask = () => {
    isAsked = true;
    browser.send("Browser.getVersion").then(
      () => {
        isAsked = false;
        silentTurns = 0;
      },
      // Its end is told of otherwise.
      (error: Error) => {
        stop();
        if (!isGone(error)) throw error;
      },
    );
  };
  const timer = setInterval(() => {
    if (!isAsked) return ask();
    if (++silentTurns < SILENT_TURNS_MAX) return;
    stop();
    hung();
  }, ASK_MS);
  timer.unref();
  return { [Symbol.dispose]: stop };
}
