// Checks if Chrome itself still answers. A browser that hangs differs from a page that hangs, and from a busy machine.
import type { CDPSession } from "puppeteer-core";
import { processStat } from "../../proto/machine/proc-stat.ts";
import { isGone } from "../core/gone.ts";

/** The time of one turn. */
const ASK_MS = 1_000;
/** While no call is under way, the browser is asked in every tenth turn only: to answer costs it processor time. */
const UNUSED_TURNS = 10;
/** How many turns may pass without an answer, for a browser that stands still and for one that is working. */
const TURNS_MAX = { still: 8, working: 60 };

/** The turns of the clock since the browser's last answer. */
export interface Silence {
  turns: number;
  /** The turns in which the browser's process did not run at all. */
  still: number;
}

/**
 * Returns the silence after one more turn. `worked`: the browser's process ran meanwhile; undefined if the system
 * cannot report that.
 */
export function longer({ turns, still }: Silence, worked: boolean | undefined): Silence {
  return { turns: turns + 1, still: worked ? still : still + 1 };
}

/**
 * Returns true if the browser hangs. A browser may be only slow, for example when many start at once. Killing that one
 * would make more work.
 */
export function isHung({ turns, still }: Silence): boolean {
  return still >= TURNS_MAX.still || turns >= TURNS_MAX.working;
}

/** Describes the silence in words, for the report of a browser that hangs. */
export function silenceInWords({ turns }: Silence): string {
  return `the browser did not answer for ${(turns * ASK_MS) / 1000} s`;
}

/**
 * Asks the browser's own process for a sign of life again and again, over its target's session. `isUsed`: reports if a
 * call is under way. `hung` is called once. Turns are counted, not time: after a worker was stopped, the answer may still
 * wait in its pipe.
 */
export function watchPulse(
  browser: CDPSession,
  pid: number,
  isUsed: () => boolean,
  hung: (reason: string) => void,
): Disposable {
  const none: Silence = { turns: 0, still: 0 };
  let silence = none;
  let isAsked = false;
  let unused = 0;
  let ranBefore = cpuTime(pid);
  const stop = () => clearInterval(timer);
  const ask = () => {
    isAsked = true;
    browser.send("Browser.getVersion").then(
      () => {
        isAsked = false;
        silence = none;
      },
      // The end of the browser is reported elsewhere.
      (error: Error) => {
        stop();
        if (!isGone(error)) hung("the browser answers with an error when it is asked for its version");
      },
    );
  };
  const timer = setInterval(() => {
    const ran = cpuTime(pid);
    const worked = ran === undefined ? undefined : ran !== ranBefore;
    ranBefore = ran;
    unused = isUsed() ? 0 : unused + 1;
    if (!isAsked) {
      if (unused % UNUSED_TURNS === 0) ask();
      return;
    }
    silence = longer(silence, worked);
    if (!isHung(silence)) return;
    stop();
    hung(silenceInWords(silence));
  }, ASK_MS);
  timer.unref();
  return { [Symbol.dispose]: stop };
}

/** Returns the processor time of a process in clock ticks (proc(5)), or undefined if the system does not report it. */
function cpuTime(pid: number): number | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    const fields = processStat(pid);
    return Number(fields[11]) + Number(fields[12]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
