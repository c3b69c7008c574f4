// Collects a session's changes until they are written. A later change replaces an earlier one of the same thing.
import type { Sealed } from "../core/key-ring.ts";

/** The changing columns of a session's row. */
export interface SessionRow {
  currentRole: string;
  usedAtMs: number;
  roles: string;
}

/** A part of a session's storage in a role; without `sealed`, its deletion. */
export interface PartChange {
  role: string;
  name: string;
  sealed: Sealed | undefined;
}

/** The changes of one session. */
export class PendingChanges {
  row: SessionRow | undefined;
  /** The roles whose earlier parts are deleted. */
  readonly forgotten = new Set<string>();
  readonly #parts = new Map<string, PartChange>();

  get parts(): PartChange[] {
    return [...this.#parts.values()];
  }

  get isEmpty(): boolean {
    return !this.row && this.forgotten.size === 0 && this.#parts.size === 0;
  }

  change(part: PartChange): void {
    this.#parts.set(JSON.stringify([part.role, part.name]), part);
  }

  forget(role: string): void {
    this.forgotten.add(role);
    for (const [key, part] of this.#parts) if (part.role === role) this.#parts.delete(key);
  }

  /** Adds the changes that came before these and could not be written. */
  putBefore(earlier: PendingChanges): void {
    this.row ??= earlier.row;
    for (const [key, part] of earlier.#parts) {
      if (!this.forgotten.has(part.role) && !this.#parts.has(key)) this.#parts.set(key, part);
    }
    for (const role of earlier.forgotten) this.forgotten.add(role);
  }
}
