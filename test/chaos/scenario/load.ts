// The load of the suite: sessions that go on with mixed work during all faults.
import { once } from "node:events";
import { refOf } from "../../harness/troupe.ts";
import { Agent, type Outcome, wentWell } from "./agent.ts";
import { keptOn, type TokenSite, tokensIn } from "./token-site.ts";

/** A session's state after it learned that a process died. */
export interface LookBack {
  atMs: number;
  /** True if its last page is open again. */
  page: boolean;
  /** True if cookie and storage have the last acknowledged value. */
  storage: boolean;
  note: string;
}

/** The time after which a session with an error asks again. */
const AGAIN_MS = 100;

/** One session at work. */
export class Hand {
  readonly agent: Agent;
  readonly lookBacks: LookBack[] = [];
  /** The number of texts with another session's token. */
  crossTalk = 0;
  /** Successful replies without the expected content. */
  readonly odd: string[] = [];
  /** The number of complete rounds. */
  rounds = 0;
  readonly #site: TokenSite;
  #round = 0;
  /** The last stored values: the acknowledged one, and one that a call under way may have stored. */
  #kept: string[] = [];
  #told = false;

  constructor(agent: Agent, site: TokenSite) {
    this.agent = agent;
    this.#site = site;
  }

  /** True if the session got a fault's error, and has not checked its state yet. */
  get wasTold(): boolean {
    return this.#told;
  }

  /**
   * Does one round: opens, reads, types, clicks, searches, opens and closes another tab. Ends early if a call fails.
   */
  async round(): Promise<void> {
    if (this.#told) return this.#lookBack();
    const number = ++this.#round;
    const { token } = this.agent;
    const value = `${token}.${number}`;
    const page = await this.#step("browser_navigate", { url: this.#site.work(token, number) });
    if (!page) return;
    const [field, button] = [
      this.#ref(page.text, "textbox", "Value"),
      this.#ref(page.text, "button", "Keep"),
    ];
    if (!field || !button) return;
    if (!(await this.#step("browser_type", { ref: field, text: value }))) return;
    this.#kept.push(value);
    if (!(await this.#step("browser_click", { ref: button }))) return;
    this.#kept = [value];
    if (!(await this.#step("browser_find", { text: "kept" }))) return;
    if (!(await this.#step("browser_snapshot", { full: true }))) return;
    if (number % 3 === 0 && !(await this.#secondTab())) return;
    this.rounds++;
  }

  #ref(text: string, role: string, name: string): string | undefined {
    try {
      return refOf(text, role, name);
    } catch (error) {
      this.odd.push((error as Error).message);
      return undefined;
    }
  }

  async #secondTab(): Promise<boolean> {
    const opened = await this.#step("browser_tabs", { action: "new", url: this.#site.read() });
    return opened !== undefined && (await this.#step("browser_tabs", { action: "close" })) !== undefined;
  }

  /** Returns a successful call's outcome. A crashed page or process requires a check of the session's state. */
  async #step(tool: string, args: Parameters<Agent["call"]>[1]): Promise<Outcome | undefined> {
    const outcome = await this.agent.call(tool, args);
    const foreign = [...tokensIn(outcome.text)].filter((each) => each !== this.agent.token);
    if (foreign.length > 0) this.crossTalk++;
    if (wentWell(outcome)) return outcome;
    this.#told = true;
    return undefined;
  }

  /** Asks again until the role answers: first for the current page, then for the stored values. */
  async #lookBack(): Promise<void> {
    const page = await this.agent.call("browser_snapshot", { full: true });
    if (page.answer !== "ok") return;
    const read = await this.agent.call("browser_navigate", { url: this.#site.read() });
    if (read.answer !== "ok") return;
    this.#told = false;
    const found = keptOn(read.text);
    const isAny = (value: string | undefined) => this.#kept.length === 0 || this.#kept.includes(value ?? "");
    this.lookBacks.push({
      atMs: performance.now(),
      page:
        page.text.includes(this.agent.token) ||
        page.text.includes('heading "Read"') ||
        this.#kept.length === 0,
      storage: isAny(found?.cookie) && isAny(found?.storage),
      note: `kept ${this.#kept.join(" or ") || "nothing"}, found ${JSON.stringify(found)}`,
    });
    // From here on the present values count.
    this.#kept = [];
  }
}

/** Sessions at work, `each` of them in each role, until they are stopped. */
export class Load implements AsyncDisposable {
  readonly hands: readonly Hand[];
  readonly #stop = new AbortController();
  #working: Promise<unknown> = Promise.resolve();

  constructor(options: { address: string; roles: readonly string[]; each: number; site: TokenSite }) {
    const { address, roles, each, site } = options;
    this.hands = roles.flatMap((role) =>
      Array.from(
        { length: each },
        (_, index) => new Hand(new Agent({ address, role, name: `${role}-${index + 1}` }), site),
      ),
    );
  }

  /** `paceMs` is the time between the starts of two rounds of a session; with 0 there is no pause. */
  start(paceMs: number): void {
    this.#working = Promise.all(this.hands.map((hand) => this.#work(hand, paceMs)));
    // The stop reports the error.
    this.#working.catch(() => undefined);
  }

  /** Lets each session finish its round. Rejects if one of them failed. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#working;
  }

  get outcomes(): Outcome[] {
    return this.hands.flatMap(({ agent }) => agent.outcomes);
  }

  in(role: string): Hand[] {
    return this.hands.filter(({ agent }) => agent.role === role);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    for (const { agent } of this.hands) agent[Symbol.dispose]();
  }

  async #work(hand: Hand, paceMs: number): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const beganMs = performance.now();
      await hand.round();
      const waitMs = (hand.wasTold ? Math.min(paceMs, AGAIN_MS) : paceMs) - (performance.now() - beganMs);
      if (waitMs > 0 && !signal.aborted)
        await once(AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(waitMs))]), "abort");
    }
  }
}
