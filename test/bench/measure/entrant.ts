/** A contender in the run, with its server and its browser on one of the benchmark's pages. */
import type { Contender, Running } from "../contenders/contender.ts";
import type { Look, ToolCall } from "../contenders/dialect.ts";
import type { Answer } from "../contenders/mcp-server.ts";
import type { Site, Stage } from "../pages/site.ts";

export class Entrant implements AsyncDisposable {
  readonly contender: Contender;
  readonly stage: Stage;
  #running: Running;
  readonly #signal: AbortSignal;

  /** Starts the contender and brings its browser to the waiting page, from which pages are visited. */
  static async enter(contender: Contender, site: Site, signal: AbortSignal): Promise<Entrant> {
    await using open = new AsyncDisposableStack();
    const running = open.use(await contender.start(signal));
    const entrant = new Entrant(contender, running, site.stage(contender.id), signal);
    await entrant.enterAgain();
    open.move();
    return entrant;
  }

  private constructor(contender: Contender, running: Running, stage: Stage, signal: AbortSignal) {
    this.contender = contender;
    this.#running = running;
    this.stage = stage;
    this.#signal = signal;
  }

  get running(): Running {
    return this.#running;
  }

  /** Ends all that it has, in any state, and starts it again. */
  async startAnew(): Promise<void> {
    await this.#running[Symbol.asyncDispose]();
    this.#running = await this.contender.start(this.#signal);
    await this.enterAgain();
  }

  /** Brings its browser back to the waiting page. */
  async enterAgain(): Promise<void> {
    await this.stage.enter((url) => this.do(this.contender.dialect.navigate(url)));
  }

  async do(calls: readonly ToolCall[]): Promise<Answer> {
    return await this.running.server.call(calls, this.#signal);
  }

  /** Undefined if it has no such snapshot. Throws if the answer lacks the given text. */
  async look(look: Look, holds: string): Promise<Answer | undefined> {
    const calls = this.contender.dialect.look(look);
    if (!calls) return undefined;
    const answer = await this.do(calls);
    if (!answer.text.includes(holds)) throw new Error(`its answer lacks ${JSON.stringify(holds)}`);
    return answer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.running[Symbol.asyncDispose]();
  }
}
