/** A contender in the run: its server, its browser on one of the benchmark's pages. */
import type { Contender, Running } from "../contenders/contender.ts";
import type { Look, ToolCall } from "../contenders/dialect.ts";
import type { Answer } from "../contenders/mcp-server.ts";
import type { Site, Stage } from "../pages/site.ts";

export class Entrant implements AsyncDisposable {
  readonly contender: Contender;
  readonly stage: Stage;
  #running: Running;
  readonly #signal: AbortSignal;

  /** Starts it and brings its browser to where it can be sent on from. */
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

  /** Ends all that it has, whatever state that is in, and starts it again. */
  async startAnew(): Promise<void> {
    await this.#running[Symbol.asyncDispose]();
    this.#running = await this.contender.start(this.#signal);
    await this.enterAgain();
  }

  /** Brings its browser back to where it can be sent on from. */
  async enterAgain(): Promise<void> {
    await this.stage.enter((url) => this.do(this.contender.dialect.navigate(url)));
  }

  async do(calls: readonly ToolCall[]): Promise<Answer> {
    return await this.running.server.call(calls, this.#signal);
  }

  /** Undefined where it has no such look. Throws where the answer lacks what it must hold. */
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
