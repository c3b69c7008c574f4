// Does as many actions a call as it can foresee, by browser_steps. It foresees an element that it has a ref of, and one
// that it can name by role and name.
import type { JsonObject } from "../../proto/wire/struct.ts";
import { shown, type Wanted } from "./outline.ts";
import { asWanted, type Expected, filesNamed, type Line, type Person, type Step } from "./person.ts";
import type { Screen } from "./screen.ts";

interface Action {
  /** The step's name in browser_steps. */
  kind: "click" | "type" | "selectOption" | "scroll" | "pressKey" | "hover" | "drag";
  /** The elements that it acts on, by argument. */
  wanted: Readonly<Record<string, Wanted>>;
  args: JsonObject;
  expected: Expected;
}

const STEPS_MAX = 20;

export class InSteps implements Person {
  readonly steps: Step[] = [];
  #waiting: Action[] = [];
  readonly #screen: Screen;

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  async open(path: string, { did = [] }: Expected): Promise<void> {
    await this.end();
    await this.#act("browser_navigate", { url: this.#screen.addressOf(path) }, did);
  }

  async click(what: Line, expected: Expected, args: JsonObject = {}): Promise<void> {
    await this.#plan({ kind: "click", wanted: { ref: asWanted(what) }, args, expected });
  }

  async type(what: Line, text: string, expected: Expected, how: JsonObject = {}): Promise<void> {
    await this.#plan({ kind: "type", wanted: { ref: asWanted(what) }, args: { text, ...how }, expected });
  }

  async choose(what: Line, values: string[], expected: Expected): Promise<void> {
    await this.#plan({ kind: "selectOption", wanted: { ref: asWanted(what) }, args: { values }, expected });
  }

  async hover(what: Line, expected: Expected): Promise<void> {
    await this.#plan({ kind: "hover", wanted: { ref: asWanted(what) }, args: {}, expected });
  }

  async drag(what: Line, onto: Line, expected: Expected): Promise<void> {
    const wanted = { from: asWanted(what), to: asWanted(onto) };
    await this.#plan({ kind: "drag", wanted, args: {}, expected });
  }

  async upload(what: Line, names: readonly string[], { did = [] }: Expected): Promise<void> {
    await this.end();
    const ref = this.#screen.reader.find(asWanted(what)) ?? (await this.#screen.lookFor(asWanted(what)));
    await this.#act("browser_file_upload", { ref: ref ?? "", files: filesNamed(names) }, did);
  }

  async scroll(what: Line, args: JsonObject, expected: Expected): Promise<void> {
    await this.#plan({ kind: "scroll", wanted: { ref: asWanted(what) }, args, expected });
  }

  async press(key: string, expected: Expected): Promise<void> {
    await this.#plan({ kind: "pressKey", wanted: {}, args: { key }, expected });
  }

  async find(text: string): Promise<void> {
    await this.end();
    await this.#screen.read("browser_find", { text });
  }

  async end(): Promise<void> {
    while (this.#waiting.length > 0) await this.#doSome();
  }

  async #act(tool: string, args: JsonObject, did: readonly string[]): Promise<void> {
    const { reply, tookMs } = await this.#screen.act(tool, args);
    const unsaid = reply.isError ? ["that it was done"] : [];
    this.steps.push({ call: `${tool} ${JSON.stringify(args)}`, tookMs, text: reply.text, unsaid, late: "" });
    await this.#screen.recorded(did);
  }

  async #plan(action: Action): Promise<void> {
    if (this.#waiting.length === STEPS_MAX || this.#stepOf(action) === undefined) await this.end();
    this.#waiting.push(action);
  }

  /** Returns the step, or undefined as long as it is unclear which element it means. */
  #stepOf({ kind, wanted, args }: Action): JsonObject | undefined {
    const refs: JsonObject = {};
    for (const [name, each] of Object.entries(wanted)) {
      const ref = this.#screen.reader.find(each) ?? nameOf(each);
      if (ref === undefined) return undefined;
      refs[name] = ref;
    }
    return { [kind]: { ...refs, ...args } };
  }

  /** Does the actions that can be foreseen now. Those that are left are planned anew by what the reply says. */
  async #doSome(): Promise<void> {
    const missing = Object.values(this.#waiting[0]?.wanted ?? {}).find(
      (each) => this.#screen.reader.find(each) === undefined,
    );
    if (missing) await this.#screen.lookFor(missing);
    const steps: JsonObject[] = [];
    for (const action of this.#waiting) {
      const step = this.#stepOf(action);
      if (!step) break;
      steps.push(step);
    }
    if (steps.length === 0) return this.#giveUp();
    const { reply, tookMs, unclear } = await this.#screen.act("browser_steps", { steps });
    const done = reply.isError
      ? doneBefore(reply.error?.details)
      : Number(/^Steps done: (\d+)/.exec(reply.text)?.[1]);
    const carriedOut = this.#waiting.splice(0, done);
    const step: Step = { call: callOf(steps), tookMs, text: reply.text, unsaid: [], late: "" };
    this.steps.push(step);
    if (reply.isError) this.#giveUp();
    if (reply.isError) await this.#screen.read("browser_snapshot", {});
    else if (unclear !== undefined) await this.#screen.readAll();
    else step.late = await this.#screen.lookAgain();
    step.unsaid.push(...this.#unsaid(carriedOut.at(-1)), ...(reply.isError ? ["that it was done"] : []));
    await this.#screen.recorded(carriedOut.flatMap(({ expected }) => expected.did ?? []));
  }

  /** Returns the effects of the last action that the agent does not know. Those of earlier ones may be undone again. */
  #unsaid(last: Action | undefined): string[] {
    const { shows = [], gone = [] } = last?.expected ?? {};
    const { reader } = this.#screen;
    const unsaid = shows.map(asWanted).filter((each) => !reader.knows(each));
    const stays = gone.map(asWanted).filter((each) => reader.knows(each));
    return [...unsaid.map(shown), ...stays.map((each) => `gone: ${shown(each)}`)];
  }

  #giveUp(): void {
    const [action] = this.#waiting.splice(0, 1);
    if (!action) return;
    const meant = Object.values(action.wanted).map(shown).join(", ");
    this.steps.push({ call: action.kind, text: "", unsaid: [`a way to ${meant}`], late: "" });
  }
}

function doneBefore(details: object | undefined): number {
  const { step } = (details ?? {}) as { step?: { done: number } };
  return step?.done ?? 0;
}

/** Only a role with a name can stand for a ref. */
function nameOf({ line, within }: Wanted): string | undefined {
  if (within !== undefined || typeof line !== "string") return undefined;
  return /^[a-z]+ "(?:[^"\\]|\\.)*"/.exec(line)?.[0];
}

function callOf(steps: readonly JsonObject[]): string {
  return `browser_steps ${steps.map((step) => JSON.stringify(step)).join(" ")}`;
}
