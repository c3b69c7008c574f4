// All live sessions together.
import type { Outcome } from "../chaos/scenario/agent.ts";
import { Visitor, type VisitorOptions } from "./visitor.ts";

/** The calls of all sessions together. Two cores carry this many beside the daemons' browsers. */
const CALLS_PER_SECOND = 10;
/** The sessions that begin at once. */
const AT_ONCE = 4;

export type CrowdOptions = Pick<VisitorOptions, "address" | "origin"> & { sessions: number };

/** Its disposal ends the load. */
export class Crowd implements AsyncDisposable {
  readonly visitors: readonly Visitor[];
  readonly #over = new AbortController();
  #lives: Promise<void>[] = [];

  constructor({ sessions, ...options }: CrowdOptions) {
    const everyMs = (sessions / CALLS_PER_SECOND) * 1000;
    this.visitors = Array.from(
      { length: sessions },
      (_, index) => new Visitor({ ...options, name: `visitor-${index}`, everyMs }),
    );
  }

  /** Opens every session's page, and begins the load. */
  async begin(): Promise<void> {
    const waiting = [...this.visitors];
    const beginNext = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) await next.begin();
    };
    await Promise.all(Array.from({ length: AT_ONCE }, beginNext));
    this.#lives = this.visitors.map((visitor) => visitor.live(this.#over.signal));
  }

  /** Ends the load. Resolves when no call is under way. */
  async end(): Promise<void> {
    this.#over.abort();
    await Promise.all(this.#lives);
  }

  get outcomes(): Outcome[] {
    return this.visitors.flatMap(({ outcomes }) => outcomes);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
    for (const visitor of this.visitors) visitor[Symbol.dispose]();
  }
}
