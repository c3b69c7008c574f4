// Bounds the garbage in the old generation of daemon and workers, once they have started.
import { flushCompileCache } from "node:module";
import { setFlagsFromString } from "node:v8";

/** The old generation is collected when it has grown by half, not fourfold. */
const GROWTH = "--heap-growing-percent=50";
/** The code of the first calls is mostly compiled by then. */
const STARTED_MS = 60_000;

/**
 * Calls {@link growByHalf} when the process's start is long over. V8 takes no compiled code that was kept under other
 * flags, Node's own included. As an argument, the flag would make each start 25 ms longer.
 */
export function boundGrowth(): void {
  setTimeout(growByHalf, STARTED_MS).unref();
}

/** Lets the heap grow by half between two collections, from the next collection on. */
export function growByHalf(): void {
  // Code that is kept under the new flag would not be taken at the next start.
  flushCompileCache();
  setFlagsFromString(GROWTH);
}
