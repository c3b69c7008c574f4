// Keeps the steps of a session: the newest, in parts that also go to the daemon. Another worker goes on with them.
import type { StoragePart } from "../../proto/gen/troupe.ts";
import { Redactor } from "../secrets/redactor.ts";
import { unfitSecret } from "../secrets/secret-finder.ts";
import { partName } from "../storage/storage-parts.ts";
import type { TrackedSecrets } from "../storage/tracked-secrets.ts";
import type { ExpectedTexts } from "./expected-texts.ts";
import { type RecordedStep, withoutSecrets } from "./recorded-step.ts";
import { TypedCharacters } from "./typed-characters.ts";

const STEPS_MAX = 500;
/** So many steps are one part. The oldest part goes first. */
const PART_STEPS = 20;
/** Steps in quick succession are kept together. */
const TOGETHER_MS = 1_000;

/** The steps of an export. */
export interface Recorded {
  steps: RecordedStep[];
  /** How many earlier steps are no longer kept. */
  dropped: number;
}

/** Returns the record that another worker stored, by the numbers of its parts. */
export function storedRecord(stored: ReadonlyMap<number, object[]>): Recorded {
  const numbers = [...stored.keys()].sort((a, b) => a - b);
  const steps = numbers.flatMap((number) => (stored.get(number) ?? []) as RecordedStep[]);
  return { steps, dropped: (numbers[0] ?? 0) * PART_STEPS };
}

export interface RecordingOptions {
  report(part: StoragePart): void;
  /** Reports if a text shows one of the role's credentials. */
  isSecret(text: string): boolean;
  /** The parts that another worker kept, by their numbers. */
  stored?: ReadonlyMap<number, object[]> | undefined;
  /** Keeps the agent's typed secrets. It has those of another worker. */
  secrets: Pick<TrackedSecrets, "add" | "by" | "kept" | "typing">;
}

/** A session's record. Ended by {@link Recording.close}. */
export class Recording {
  readonly #options: RecordingOptions;
  readonly #steps: RecordedStep[];
  readonly #pending = new Set<Promise<void>>();
  /** The characters that are typed one by one into fields for secrets. */
  readonly typedCharacters = new TypedCharacters({
    grew: (text, before) => this.#grew(text, before),
    ended: (text) => {
      this.#options.secrets.add("agent", text);
      this.#options.secrets.typing("agent", "");
    },
  });
  /** The texts that were typed into fields for secrets. */
  #typed: Redactor | undefined;
  readonly #unreported = new Set<number>();
  #dropped: number;
  #expected: ExpectedTexts | undefined;
  readonly #isTyped = (text: string) => this.#typed?.finds(text) ?? false;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  /** Stored steps may show a text that is known as a secret only now. */
  #isNewlyTyped = false;

  constructor(options: RecordingOptions) {
    this.#options = options;
    ({ steps: this.#steps, dropped: this.#dropped } = storedRecord(options.stored ?? new Map()));
    for (const secret of options.secrets.by("agent")) this.#watchFor(secret);
  }

  /** The last step, for what is known of it only later. */
  get last(): RecordedStep | undefined {
    return this.#steps.at(-1);
  }

  /** Returns the steps after that one; all of them if it is not kept any more. */
  since(last: RecordedStep | undefined): RecordedStep[] {
    const from = last === undefined ? 0 : this.#steps.lastIndexOf(last) + 1;
    return this.#steps.slice(from).map((step) => this.#shown(step));
  }

  /** The secrets that were typed, for what shows the session's pages; undefined before the first. */
  get typed(): Redactor | undefined {
    return this.#typed;
  }

  /** Returns the text with those secrets masked. */
  withoutTyped(text: string): string {
    return this.#typed?.text(text) ?? text;
  }

  /** The texts that the last step brought, until the next one brings others. */
  get expected(): ExpectedTexts | undefined {
    return this.#expected;
  }

  /** Adds a step. `completed` resolves when it is whole. */
  add(step: RecordedStep, completed?: Promise<void>): void {
    if (this.#isClosed) return;
    this.#steps.push(step);
    if (this.#steps.length > STEPS_MAX) this.#drop();
    this.#expected = undefined;
    this.#changed(step);
    if (completed) this.whileCompleting(step, completed);
  }

  /** Notes the texts that the last step brought. They become part of it once they are known to stay. */
  expects(expected: ExpectedTexts): void {
    this.#expected = expected;
  }

  /** Notes which of these texts of a step stay. */
  stays(step: RecordedStep, shown: RecordedStep["outcome"]["shown"]): void {
    step.outcome.shown = shown;
    this.#changed(step);
  }

  /** Notes that a step gets more facts, until this resolves. */
  whileCompleting(step: RecordedStep, completed: Promise<void>): void {
    const pending = completed.then(() => {
      this.#pending.delete(pending);
      this.#changed(step);
    });
    this.#pending.add(pending);
  }

  /** Remembers a typed text that no export may show. */
  hide(secret: string): void {
    if (unfitSecret(secret) !== undefined) return;
    this.#options.secrets.add("agent", secret);
    this.#watchFor(secret);
    this.#isNewlyTyped = true;
    this.#keepLater();
  }

  /** Remembers what goes into a field for a secret. `argument`: `text` or `key`. */
  hideTyped(argument: string, value: string): void {
    if (argument === "key") this.typedCharacters.pressed(value);
    else if ([...value].length === 1) this.typedCharacters.filled(value);
    else {
      this.typedCharacters.end();
      this.hide(value);
    }
  }

  /** Resolves when another worker would know the secrets. */
  async secretsKept(): Promise<void> {
    await this.#options.secrets.kept();
  }

  /** Returns all steps, once they are whole. */
  async read(): Promise<Recorded> {
    await this.#expected?.check();
    await Promise.all(this.#pending);
    return { steps: this.#steps.map((step) => this.#shown(step)), dropped: this.#dropped };
  }

  /** Keeps what is not kept yet. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#noteShowing();
    for (const number of this.#unreported) {
      const from = number * PART_STEPS - this.#dropped;
      const steps = this.#steps.slice(Math.max(0, from), Math.max(0, from + PART_STEPS));
      const kept = steps.map((step) => this.#shown(step));
      const data = steps.length > 0 ? Buffer.from(JSON.stringify(kept)) : Buffer.alloc(0);
      this.#options.report({ name: partName({ area: "steps", number }), data });
    }
    this.#unreported.clear();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#unreported.clear();
  }

  #grew(text: string, before: string): void {
    const { secrets } = this.#options;
    secrets.typing("agent", text);
    if (unfitSecret(text) !== undefined) return;
    this.#watchFor(text);
    if (!secrets.by("agent").includes(before)) this.#typed?.forget(before);
    this.#isNewlyTyped = true;
    this.#keepLater();
  }

  #watchFor(secret: string): void {
    this.#typed ??= new Redactor();
    this.#typed.watchFor(secret);
  }

  #shown(step: RecordedStep): RecordedStep {
    return withoutSecrets(step, (text) => this.#options.isSecret(text) || this.#isTyped(text));
  }

  #drop(): void {
    this.#unreported.add(this.#dropped / PART_STEPS);
    this.#steps.splice(0, PART_STEPS);
    this.#dropped += PART_STEPS;
  }

  #changed(step: RecordedStep): void {
    const index = this.#steps.lastIndexOf(step);
    if (this.#isClosed || index < 0) return;
    this.#unreported.add(this.#partOf(index));
    this.#keepLater();
  }

  /** Notes the parts that show a secret which was not known when they were stored. */
  #noteShowing(): void {
    if (!this.#isNewlyTyped) return;
    this.#isNewlyTyped = false;
    for (const [index, step] of this.#steps.entries())
      if (withoutSecrets(step, this.#isTyped) !== step) this.#unreported.add(this.#partOf(index));
  }

  #partOf(index: number): number {
    return Math.floor((index + this.#dropped) / PART_STEPS);
  }

  #keepLater(): void {
    if (!this.#isClosed) this.#timer ??= setTimeout(() => void this.#keepSoon(), TOGETHER_MS).unref();
  }

  /** A pause between steps is the time to look which texts stay. */
  async #keepSoon(): Promise<void> {
    this.#timer = undefined;
    await this.#expected?.check();
    if (!this.#isClosed) this.flush();
  }
}
