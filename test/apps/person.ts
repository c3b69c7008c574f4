// Acts like a person, by an agent that knows only its replies. Each reply must contain what a reader has to find in it.
import { once } from "node:events";
import type { JsonObject } from "../../proto/wire/struct.ts";
import type { Agent } from "../harness/troupe.ts";
import { changesIn, sectionsOf, shown, type Wanted } from "./outline.ts";
import { Reader } from "./reader.ts";
import type { Site } from "./site.ts";

/** The effects of an action that its reply must report. */
export interface Expected {
  shows?: Line[];
  gone?: Line[];
  /** The application's records. */
  did?: string[];
}

type Line = string | RegExp | Wanted;

/** One call that acts, and the faults of its reply. */
export interface Step {
  call: string;
  /** Undefined if there was nothing to act on. */
  tookMs?: number;
  text: string;
  /** The things that the reply should have said. */
  unsaid: string[];
  /** The things that a further snapshot added. */
  late: string;
}

export interface Manner {
  /** Takes snapshots a second after each reply, not directly after it. */
  late: boolean;
  /** Lines that change by themselves. */
  restless: RegExp | undefined;
}

/** Matches a line of this kind in the same row, item or part as these words. */
export const at = (within: string, line: string | RegExp): Wanted => ({ within, line });

const LATE_MS = 1_000;

export class Person {
  readonly steps: Step[] = [];
  /** The records that the application should have. */
  readonly did: string[] = [];
  /** The calls so far, and the characters of their replies. Snapshots that only check are not counted. */
  calls = 0;
  characters = 0;
  readonly #agent: Agent;
  readonly #site: Site;
  readonly #manner: Manner;
  readonly #reader = new Reader();

  constructor(agent: Agent, site: Site, manner: Manner) {
    this.#agent = agent;
    this.#site = site;
    this.#manner = manner;
  }

  /** Opens a page of the application. */
  async open(path: string, expected: Expected): Promise<void> {
    await this.#act("browser_navigate", { url: this.#site.url + path }, path, expected);
  }

  async click(what: Line, expected: Expected, how: JsonObject = {}): Promise<void> {
    await this.#onElement("browser_click", what, how, expected);
  }

  async type(what: Line, text: string, expected: Expected, how: JsonObject = {}): Promise<void> {
    await this.#onElement("browser_type", what, { text, ...how }, expected);
  }

  /** Chooses in a select, a combobox or a listbox. */
  async choose(what: Line, values: string[], expected: Expected): Promise<void> {
    await this.#onElement("browser_select_option", what, { values }, expected);
  }

  /** Scrolls a region that scrolls on its own. */
  async scroll(what: Line, how: JsonObject, expected: Expected): Promise<void> {
    await this.#onElement("browser_scroll", what, how, expected);
  }

  /** Searches for an element for which the page's texts give no ref. */
  async find(text: string): Promise<void> {
    await this.#read("browser_find", { text });
  }

  async press(key: string, expected: Expected): Promise<void> {
    await this.#act("browser_press_key", { key }, key, expected);
  }

  async #onElement(tool: string, what: Line, args: JsonObject, expected: Expected): Promise<void> {
    const wanted = asWanted(what);
    const words = [shown(wanted), ...Object.values(args).map(String)].join(", ");
    const ref = this.#reader.find(wanted) ?? (await this.#lookFor(wanted));
    if (ref !== undefined) await this.#act(tool, { ref, ...args }, words, expected);
    else
      this.steps.push({
        call: `${tool} ${words}`,
        unsaid: [`a ref of ${shown(wanted)}`],
        text: "",
        late: "",
      });
  }

  /** The texts should have named it. The agent can only take a new snapshot. */
  async #lookFor(wanted: Wanted): Promise<string | undefined> {
    this.steps.at(-1)?.unsaid.push(`a ref of ${shown(wanted)}`);
    await this.#read("browser_snapshot", { full: true, maxTokens: 0 });
    return this.#reader.find(wanted);
  }

  async #act(tool: string, args: JsonObject, words: string, { shows = [], gone = [], did = [] }: Expected) {
    const before = performance.now();
    const reply = await this.#agent.call(tool, args);
    const tookMs = performance.now() - before;
    this.calls++;
    this.characters += reply.text.length;
    const unclear = this.#reader.read(reply.text);
    const unsaid = [
      ...(unclear === undefined ? [] : [`what it means without guessing: ${unclear}`]),
      ...(reply.isError ? ["that it was done"] : []),
      ...shows
        .map(asWanted)
        .filter((each) => this.#reader.unsaid(each))
        .map(shown),
      ...gone
        .map(asWanted)
        .filter((each) => this.#reader.unsaidGone(each))
        .map((each) => `gone: ${shown(each)}`),
    ];
    const call = `${tool} ${words}`;
    const step: Step = { call, tookMs, text: reply.text, unsaid, late: "" };
    this.steps.push(step);
    this.did.push(...did);
    // After a failed call, a snapshot is a whole one.
    if (reply.isError) await this.#read("browser_snapshot", {});
    else step.late = await this.#lookAgain();
    if (unsaid.length > 0 && !reply.isError && (unclear !== undefined || step.late === ""))
      await this.#read("browser_snapshot", { full: true, maxTokens: 0 });
    for (const each of did)
      await this.#site.recorded(each, this.did.filter((other) => other === each).length);
  }

  /** Returns what a snapshot adds to the replies. Empty if only restless lines changed. */
  async #lookAgain(): Promise<string> {
    if (this.#manner.late) await once(AbortSignal.timeout(LATE_MS), "abort");
    const { text } = await this.#agent.call("browser_snapshot");
    if (text.startsWith("unchanged since snapshot")) return "";
    if (this.#reader.read(text) !== undefined)
      await this.#read("browser_snapshot", { full: true, maxTokens: 0 });
    const { restless } = this.#manner;
    const added = changesIn(sectionsOf(text));
    return restless !== undefined && added.every((each) => restless.test(each)) ? "" : text;
  }

  async #read(tool: string, args: JsonObject): Promise<string> {
    const text = await this.#agent.text(tool, args);
    this.calls++;
    this.characters += text.length;
    this.#reader.read(text);
    return text;
  }
}

function asWanted(line: Line): Wanted {
  return typeof line === "object" && "line" in line ? line : { line };
}
