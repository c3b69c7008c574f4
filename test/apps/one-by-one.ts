// Does one action a call. Each reply must contain what a reader has to find in it.
import type { JsonObject } from "../../proto/wire/struct.ts";
import { shown, type Wanted } from "./outline.ts";
import { asWanted, type Expected, filesNamed, type Line, type Person, type Step } from "./person.ts";
import type { Screen } from "./screen.ts";

export class OneByOne implements Person {
  readonly steps: Step[] = [];
  readonly #screen: Screen;

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  async open(path: string, expected: Expected): Promise<void> {
    await this.#act("browser_navigate", { url: this.#screen.addressOf(path) }, path, expected);
  }

  async click(what: Line, expected: Expected, how: JsonObject = {}): Promise<void> {
    await this.#onElement("browser_click", what, how, expected);
  }

  async type(what: Line, text: string, expected: Expected, how: JsonObject = {}): Promise<void> {
    await this.#onElement("browser_type", what, { text, ...how }, expected);
  }

  async choose(what: Line, values: string[], expected: Expected): Promise<void> {
    await this.#onElement("browser_select_option", what, { values }, expected);
  }

  async hover(what: Line, expected: Expected): Promise<void> {
    await this.#onElement("browser_hover", what, {}, expected);
  }

  async drag(what: Line, onto: Line, expected: Expected): Promise<void> {
    const [one, other] = [asWanted(what), asWanted(onto)];
    const [from, to] = [await this.#refOf(one), await this.#refOf(other)];
    const words = `${shown(one)}, ${shown(other)}`;
    if (from !== undefined && to !== undefined)
      await this.#act("browser_drag", { from, to }, words, expected);
    else this.#missed(`browser_drag ${words}`, "a ref of each");
  }

  async upload(what: Line, names: readonly string[], expected: Expected): Promise<void> {
    await this.#onElement("browser_file_upload", what, { files: filesNamed(names) }, expected);
  }

  async scroll(what: Line, how: JsonObject, expected: Expected): Promise<void> {
    await this.#onElement("browser_scroll", what, how, expected);
  }

  async find(text: string): Promise<void> {
    await this.#screen.read("browser_find", { text });
  }

  async press(key: string, expected: Expected): Promise<void> {
    await this.#act("browser_press_key", { key }, key, expected);
  }

  async end(): Promise<void> {}

  async #onElement(tool: string, what: Line, args: JsonObject, expected: Expected): Promise<void> {
    const wanted = asWanted(what);
    const words = [shown(wanted), ...Object.values(args).map(String)].join(", ");
    const ref = await this.#refOf(wanted);
    if (ref !== undefined) await this.#act(tool, { ref, ...args }, words, expected);
    else this.#missed(`${tool} ${words}`, `a ref of ${shown(wanted)}`);
  }

  #missed(call: string, unsaid: string): void {
    this.steps.push({ call, unsaid: [unsaid], text: "", late: "" });
  }

  /** The texts should have named it. */
  async #refOf(wanted: Wanted): Promise<string | undefined> {
    const ref = this.#screen.reader.find(wanted);
    if (ref !== undefined) return ref;
    this.steps.at(-1)?.unsaid.push(`a ref of ${shown(wanted)}`);
    return await this.#screen.lookFor(wanted);
  }

  async #act(tool: string, args: JsonObject, words: string, { shows = [], gone = [], did = [] }: Expected) {
    const { reader } = this.#screen;
    const { reply, tookMs, unclear } = await this.#screen.act(tool, args);
    const unsaid = [
      ...(unclear === undefined ? [] : [`what it means without guessing: ${unclear}`]),
      ...(reply.isError ? ["that it was done"] : []),
      ...shows
        .map(asWanted)
        .filter((each) => reader.unsaid(each))
        .map(shown),
      ...gone
        .map(asWanted)
        .filter((each) => reader.unsaidGone(each))
        .map((each) => `gone: ${shown(each)}`),
    ];
    const call = `${tool} ${words}`;
    const step: Step = { call, tookMs, text: reply.text, unsaid, late: "" };
    this.steps.push(step);
    // After a failed call, a snapshot is a whole one.
    if (reply.isError) await this.#screen.read("browser_snapshot", {});
    else step.late = await this.#screen.lookAgain();
    if (unsaid.length > 0 && !reply.isError && (unclear !== undefined || step.late === ""))
      await this.#screen.readAll();
    await this.#screen.recorded(did);
  }
}
