// A session that works beside a fault and measures its effect on others.
import { setInterval } from "node:timers/promises";
import { Agent, type Outcome, typesOf } from "./agent.ts";
import type { Figure } from "./figures.ts";

const PACE_MS = 50;

/** Works until it is disposed of. */
export class Bystander implements AsyncDisposable {
  readonly agent: Agent;
  readonly #stop = new AbortController();
  readonly #working: Promise<void>;

  constructor({ address, role, url }: { address: string; role: string; url: string }) {
    this.agent = new Agent({ address, role, name: `bystander-${role}` });
    this.#working = this.#work(url);
    // The disposal reports the error.
    this.#working.catch(() => undefined);
  }

  /** Returns the results of its calls so far. */
  figures(): Figure[] {
    const { outcomes } = this.agent;
    const failed = outcomes.filter(({ answer }) => answer !== "ok");
    return [
      { name: "calls of others meanwhile", value: outcomes.length, bar: { least: 1 } },
      { name: "  that failed", value: failed.length, bar: { most: 0 }, note: typesOf(failed) },
      { name: "  the slowest took", value: slowestMs(outcomes), unit: "ms" },
    ];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#working;
    this.agent[Symbol.dispose]();
  }

  async #work(url: string): Promise<void> {
    for await (const _ of setInterval(PACE_MS)) {
      if (this.#stop.signal.aborted) break;
      await this.agent.call("browser_navigate", { url });
    }
  }
}

function slowestMs(outcomes: readonly Outcome[]): number {
  return Math.max(0, ...outcomes.map(({ beganMs, endedMs }) => endedMs - beganMs));
}
