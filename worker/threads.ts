// Threads for what could hold the event loop or never end: each task is killed at its deadline.
import { fileURLToPath } from "node:url";
import { Piscina } from "piscina";
import { fail } from "../proto/errors.ts";
import type { SearchTask } from "./threads/search.ts";

const SEARCH_MS_MAX = 2_000;

/** The worker's threads; none runs until it is needed. */
export interface Threads {
  /** The indices of the texts that match. Throws INVALID_ARGUMENT for a pattern that is none, or never ends. */
  search(argument: string, task: SearchTask): Promise<number[]>;
  close(): Promise<void>;
}

export function openThreads(): Threads {
  const pool = new Piscina({
    filename: fileURLToPath(new URL("threads/search.ts", import.meta.url)),
    minThreads: 0,
    maxThreads: 2,
    maxQueue: 64,
    idleTimeout: 30_000,
  });
  return {
    search: (argument, task) => search(pool, argument, task),
    close: () => pool.destroy(),
  };
}

async function search(pool: Piscina, argument: string, task: SearchTask): Promise<number[]> {
  try {
    new RegExp(task.pattern);
  } catch (error) {
    throw fail("INVALID_ARGUMENT", {
      argument,
      problem: `${argument} is no regular expression: ${(error as Error).message}`,
      example: "Order #\\d+",
    });
  }
  const signal = AbortSignal.timeout(SEARCH_MS_MAX);
  try {
    return (await pool.run(task, { signal })) as number[];
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
