// Counts the dialogs that a page opens one right after the other, so that an endless row is noticed.

/** A dialog that comes this soon after the last one closed belongs to the row. */
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
