// Why other daemons cannot be called: logged once for each of them, and shown to operators.
import type { Log } from "../core/log.ts";
import type { Pod } from "./membership.ts";

interface Problem {
  /** The name of the other daemon. */
  daemon: string;
  text: string;
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
    return [...this.#problems.values()].map(({ daemon, text }) => `daemon ${daemon}: ${text}`);
  }

  /** Notes a problem. Logs it, unless it is the daemon's last one. */
  found({ incarnation, name }: Pod, text: string): void {
    if (this.#problems.get(incarnation)?.text === text) return;
    this.#problems.set(incarnation, { daemon: name, text });
    this.#log.warn({ daemon: name }, text);
  }

  /** Forgets the problems of all daemons but these. */
  keepOnly(incarnations: readonly string[]): void {
    for (const each of this.#problems.keys()) if (!incarnations.includes(each)) this.#problems.delete(each);
  }
}
