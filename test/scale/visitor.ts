// One live session: it reads, types and clicks in an endless loop, at a set rate.
import { Agent, type Outcome } from "../chaos/scenario/agent.ts";
import { refOf } from "../harness/troupe.ts";
import { lapse } from "./lapse.ts";

/** The wait before the next call after a failure, as an agent's own time to think. */
const AFTER_FAILURE_MS = 100;
/** The time that a client grants a call. It is shorter than a lease, so that no call spans the whole of one. */
const DEADLINE_MS = 4_000;
const NAVIGATION_MS = 25_000;

export interface VisitorOptions {
  address: string;
  origin: string;
  name: string;
  /** The mean time between the begins of two calls. */
  everyMs: number;
}

/** Its disposal closes its connection. */
export class Visitor implements Disposable {
  readonly name: string;
  /** The numbers of its actions whose calls succeeded. */
  readonly acknowledged: string[] = [];
  /** Texts of replies that show another visitor, or one without a cookie. */
  readonly strangers: string[] = [];
  /** Texts of replies without the application's page. */
  readonly absences: string[] = [];
  readonly #options: VisitorOptions;
  readonly #agent: Agent;
  #actions = 0;

  constructor(options: VisitorOptions) {
    this.#options = options;
    this.name = options.name;
    const { address, name } = options;
    this.#agent = new Agent({ address, role: ROLE, name, deadlineMs: DEADLINE_MS });
  }

  get outcomes(): readonly Outcome[] {
    return this.#agent.outcomes;
  }

  /** Opens the application. Throws if that fails. */
  async begin(): Promise<void> {
    const { address, origin, name } = this.#options;
    // The first page waits for the browser's start.
    using first = new Agent({ address, role: ROLE, name, deadlineMs: NAVIGATION_MS });
    const { answer, text } = await first.call("browser_navigate", { url: `${origin}/begin?who=${name}` });
    if (answer !== "ok") throw new Error(`${name} cannot begin: ${text}`);
  }

  /** Lives until the signal. */
  async live(signal: AbortSignal): Promise<void> {
    // Visitors do not act at the same moment.
    await this.#rest(Math.random(), signal);
    while (!signal.aborted) {
      const page = await this.#call("browser_snapshot", { full: true }, signal);
      if (!page) continue;
      const [, who] = /This is ([\w-]+)"/.exec(page) ?? [];
      if (who === undefined) this.absences.push(page);
      else if (who !== this.name) this.strangers.push(page);
      const number = `${this.name}-${++this.#actions}`;
      const [field, button] = [refIn(page, "textbox", "Number"), refIn(page, "button", "Record")];
      if (!field || !button) continue;
      if (!(await this.#call("browser_type", { ref: field, text: number }, signal))) continue;
      if (await this.#call("browser_click", { ref: button }, signal)) this.acknowledged.push(number);
    }
  }

  [Symbol.dispose](): void {
    this.#agent[Symbol.dispose]();
  }

  /** Returns the reply's text. Returns undefined if the call failed. */
  async #call(
    tool: string,
    args: Record<string, string | boolean>,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    if (signal.aborted) return undefined;
    const { answer, text } = await this.#agent.call(tool, args);
    if (answer !== "ok") {
      await lapse(AFTER_FAILURE_MS, signal);
      return undefined;
    }
    await this.#rest(0.5 + Math.random(), signal);
    return text;
  }

  #rest(share: number, signal: AbortSignal): Promise<void> {
    return lapse(share * this.#options.everyMs, signal);
  }
}

export const ROLE = "visitor";

function refIn(page: string, role: string, name: string): string | undefined {
  try {
    return refOf(page, role, name);
  } catch {
    // The page is not as expected, which the next reading shows.
    return undefined;
  }
}
