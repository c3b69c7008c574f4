// Keeps the heaps of daemon and workers near their content, with `heap-upkeep.ts`. Without both, garbage grows to
// several times that.

/**
 * Node's arguments for both. Garbage of calls is collected in a young generation of two times 4 MB instead of 16. They
 * set no limit on memory that is in use. A role's `memory` bounds its worker together with its browser.
 */
export const SMALL_HEAP: readonly string[] = ["--max-semi-space-size=4"];
