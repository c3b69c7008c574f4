// Whether Chrome itself still answers: a browser that hangs is told from a page that does, and from a busy machine.
import { readFileSync } from "node:fs";
import type { CDPSession } from "puppeteer-core";
import { isGone } from "../core/gone.ts";

const ASK_MS = 1_000;
/** How many turns may pass without an answer: of a browser that stands still, and of one that is at work. */
const TURNS_MAX = { still: 8, working: 60 };

/** What has been seen since the browser's last answer, in turns of the clock. */
export interface Silence {
  turns: number;
  /** Those of them in which it did not run at all. */
  still: number;
}

/** The silence after one more turn. `worked`: the browser's process ran meanwhile; undefined where nobody can tell. */
export function longer({ turns, still }: Silence, worked: boolean | undefined): Silence {
  return { turns: turns + 1, still: worked ? still : still + 1 };
}

/** A browser that is only slow, as all are starting at once, is no browser that hangs: killing it makes more work. */
export function isHung({ turns, still }: Silence): boolean {
  return still >= TURNS_MAX.still || turns >= TURNS_MAX.working;
}

/** What the silence was, for whoever is told of a browser that hangs. */
export function silenceInWords({ turns }: Silence): string {
  return `the browser did not answer for ${(turns * ASK_MS) / 1000} s`;
}

/**
 * Asks the browser's own process, over its target's session, for a sign of life again and again. `hung` is called
 * once. Turns are counted, not time: a worker that was stopped has not missed an answer that waits in its pipe.
 */
export function watchPulse(browser: CDPSession, pid: number, hung: (reason: string) => void): Disposable {
  const none: Silence = { turns: 0, still: 0 };
  let silence = none;
  let isAsked = false;
  let ranBefore = cpuTime(pid);
  const stop = () => clearInterval(timer);
  const ask = () => {
    isAsked = true;
    browser.send("Browser.getVersion").then(
      () => {
        isAsked = false;
        silence = none;
      },
      // Its end is told of otherwise.
      (error: Error) => {
        stop();
        if (!isGone(error)) throw error;
      },
    );
  };
  const timer = setInterval(() => {
    const ran = cpuTime(pid);
    const worked = ran === undefined ? undefined : ran !== ranBefore;
    ranBefore = ran;
    if (!isAsked) return ask();
    silence = longer(silence, worked);
    if (!isHung(silence)) return;
    stop();
    hung(silenceInWords(silence));
  }, ASK_MS);
  timer.unref();
  return { [Symbol.dispose]: stop };
}

/** The processor time that a process has had, in clock ticks (proc(5)); undefined where the system does not tell. */
function cpuTime(pid: number): number | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // Its name, in brackets, may hold anything.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return Number(fields[11]) + Number(fields[12]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
