// Runs tasks in threads that could block the event loop or never end. Each task is killed at its deadline.

import type { Piscina } from "piscina";
import { fail } from "../../proto/errors/catalogue.ts";
import { ownPath } from "../../proto/machine/program.ts";
import type { Place } from "../source-maps/source-map.ts";
import type { Match, SearchTask } from "./search.ts";
import type { SourceMapTask } from "./source-map.ts";

/** The time begins when a thread is free for the task. */
const SEARCH_MS_MAX = 2_000;
const TRANSLATE_MS_MAX = 5_000;
/** A task of hostile content may ask for more. It fails then. */
const HEAP_MB_MAX = 512;
const THREADS_MAX = 2;
/** How many searches may wait for a thread. */
const WAITING_MAX = 16;

/** The worker's threads; none runs until it is needed. */
export interface Threads {
  /**
   * Returns the texts that match. Throws INVALID_ARGUMENT for a malformed pattern or one that takes too long. Throws
   * BUSY if too many searches wait.
   */
  search(argument: string, task: SearchTask): Promise<Match[]>;
  /** Translates places by a source map. Returns undefined for a map that is malformed or too large. Throws BUSY. */
  translate(task: SourceMapTask): Promise<(Place | undefined)[]>;
  close(): Promise<void>;
}

export function openThreads(): Threads {
  let pool: Promise<Piscina> | undefined;
  const open = () => {
    pool ??= openPool().catch((error: unknown) => {
      // The next task tries again.
      pool = undefined;
      throw error;
    });
    return pool;
  };
  const places = openPlaces();
  return {
    search: async (argument, task) => {
      checkPattern(argument, task.pattern);
      await places.take();
      const searched = open().then((opened) => search(opened, argument, task));
      return await searched.finally(places.free);
    },
    translate: async (task) => {
      await places.take();
      const translated = open().then((opened) => translate(opened, task));
      return await translated.finally(places.free);
    },
    close: async () => {
      // A pool that could not be opened needs no end.
      const opened = await pool?.catch(() => undefined);
      await opened?.destroy();
    },
  };
}

/** The package of threads is loaded with the first task. Most workers never have one. */
async function openPool(): Promise<Piscina> {
  const threads = await import("piscina");
  return new threads.Piscina({
    filename: ownPath("worker/threads/search.ts"),
    minThreads: 0,
    maxThreads: THREADS_MAX,
    idleTimeout: 30_000,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX },
  });
}

/** Gives one place per thread, in order. The pool's own queue stalls after its threads were killed. */
function openPlaces() {
  let left = THREADS_MAX;
  const waiting: (() => void)[] = [];
  return {
    /** Resolves when there is a place. Throws BUSY if too many wait. */
    take: async () => {
      if (left > 0) {
        left--;
        return;
      }
      if (waiting.length >= WAITING_MAX)
        throw fail("BUSY", {
          limit: `at most ${WAITING_MAX} searches and source maps of a role wait for a thread`,
          holders: [],
          retryAfterMs: SEARCH_MS_MAX,
        });
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push(resolve);
      await promise;
    },
    free: () => {
      const next = waiting.shift();
      if (next) next();
      else left++;
    },
  };
}

function checkPattern(argument: string, pattern: string): void {
  try {
    new RegExp(pattern);
  } catch (error) {
    throw fail("INVALID_ARGUMENT", {
      argument,
      problem: `${argument} is no regular expression: ${(error as Error).message}`,
      example: "Order #\\d+",
      corrected: { [argument]: pattern.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&") },
    });
  }
}

async function search(pool: Piscina, argument: string, task: SearchTask): Promise<Match[]> {
  const signal = AbortSignal.timeout(SEARCH_MS_MAX);
  try {
    return (await pool.run(task, { signal })) as Match[];
  } catch (error) {
    if (!signal.aborted) throw error;
    throw fail(
      "INVALID_ARGUMENT",
      {
        argument,
        problem: `${argument} takes longer than ${SEARCH_MS_MAX} ms to match; a simpler one is needed`,
      },
      error,
    );
  }
}

async function translate(pool: Piscina, task: SourceMapTask): Promise<(Place | undefined)[]> {
  const signal = AbortSignal.timeout(TRANSLATE_MS_MAX);
  try {
    return (await pool.run(task, {
      signal,
      filename: ownPath("worker/threads/source-map.ts"),
    })) as (Place | undefined)[];
  } catch (error) {
    if (signal.aborted || (error as NodeJS.ErrnoException).code === "ERR_WORKER_OUT_OF_MEMORY") return [];
    throw error;
  }
}
