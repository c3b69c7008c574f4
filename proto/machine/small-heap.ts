// How daemon and workers keep their heaps near what they hold: left alone, garbage grows to several times that.

/**
 * Node's arguments for them. What calls leave behind is collected in a young generation of two times 4 MB, not 16, and
 * the old one when it has grown by half, not fourfold. They set no limit: who needs more for good has it; a role's
 * `memory` bounds its worker together with its browser.
 */
export const SMALL_HEAP: readonly string[] = ["--max-semi-space-size=4", "--heap-growing-percent=50"];
