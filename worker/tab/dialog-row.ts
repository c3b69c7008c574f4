// How many dialogs a page has opened one right after the other: one that does so without end is not to be answered for ever.

/** A dialog that comes so soon after the last one closed belongs to a row. */
const IN_A_ROW_MS = 1_000;

export class DialogRow {
  length = 0;
  #closedAtMs = Number.NEGATIVE_INFINITY;

  opened(): void {
    this.length = performance.now() - this.#closedAtMs <= IN_A_ROW_MS ? this.length + 1 : 1;
  }

  closed(): void {
    this.#closedAtMs = performance.now();
  }
}
