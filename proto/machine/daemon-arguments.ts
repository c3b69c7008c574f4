// Node's arguments for the daemon.
import { SMALL_HEAP } from "./small-heap.ts";

/** Node 22 and 24 warn that SQLite is experimental. Troupe is tried with both, so its users need not know. */
export const WITHOUT_WARNINGS = "--disable-warning=ExperimentalWarning";

export const DAEMON_ARGUMENTS: readonly string[] = [...SMALL_HEAP, WITHOUT_WARNINGS];
