// Why other daemons cannot be called: logged once for each of them, and shown to operators.
import type { Log } from "../core/log.ts";
import type { Pod } from "./membership.ts";

export const NO_PEERS =
  "another daemon uses the database, and without `peers` neither reaches the sessions of the other";

interface Problem {
  /** The name of the other daemon. */
  daemon: string;
  text: string;
  reason: string | undefined;
}

/** The last problem with each living daemon, by its incarnation. */
export class PeerProblems {
  readonly #log: Log;
  readonly #problems = new Map<string, Problem>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** The warnings for operators. */
  get warnings(): string[] {
    return [...this.#problems.values()].map(({ daemon, text, reason }) =>
      [`daemon ${daemon}`, text, reason].filter(Boolean).join(": "),
    );
  }

  /** Notes a problem. Logs it, unless it is the daemon's last one. `reason`: as the library says it. */
  found({ incarnation, name }: Pod, text: string, reason?: string): void {
    if (this.has(incarnation, text)) return;
    this.#problems.set(incarnation, { daemon: name, text, reason });
    this.#log.warn({ daemon: name, reason }, text);
  }

  /** Returns true if this is the daemon's last problem. */
  has(incarnation: string, text: string): boolean {
    return this.#problems.get(incarnation)?.text === text;
  }

  /** Forgets the daemon's last problem if it is this one. */
  mended(incarnation: string, text: string): void {
    if (this.has(incarnation, text)) this.#problems.delete(incarnation);
  }

  /** Forgets the problems of all daemons but these. */
  keepOnly(incarnations: readonly string[]): void {
    for (const each of this.#problems.keys()) if (!incarnations.includes(each)) this.#problems.delete(each);
  }
}
