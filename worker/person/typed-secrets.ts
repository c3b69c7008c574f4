// Keeps what a person types into fields for secrets out of all that the worker says. The text is held only until its
// field is left.

/** Receives the secrets. */
export interface SecretsKeeper {
  watchFor(secret: string): void;
  /** Receives the text of a field that is not left yet, for a worker that restores the session. Empty when it is. */
  typing(text: string): void;
  /** Resolves when another worker would know all of this. */
  kept(): Promise<void>;
}

/** The focused field, as its page describes it. */
export interface FocusedField {
  isSecret: boolean;
  /** The secret that it holds. */
  value: string;
}

/** A longer text is no password. */
const LENGTH_MAX = 1_000;

/** Returns true if the value holds characters of the typed text alone, in their order. Some may have been erased. */
function isMadeOf(typed: string, value: string): boolean {
  if (value.length > LENGTH_MAX) return false;
  let at = 0;
  for (const character of value.replace(/[\s-]/g, "")) {
    at = typed.indexOf(character, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

/** The text that one field has got so far. */
export class TypedSecrets {
  readonly #keeper: SecretsKeeper;
  /** Returns the focused field. Undefined if there is none, or if its page does not answer. */
  readonly #look: () => Promise<FocusedField | undefined>;
  #typed = "";
  #isSecret = false;
  #hasBegun = false;

  constructor(keeper: SecretsKeeper, look: () => Promise<FocusedField | undefined>) {
    this.#keeper = keeper;
    this.#look = look;
  }

  /** Looks at the field before its first text, so that its value is masked from the beginning. */
  async begin(): Promise<void> {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    const field = await this.#look();
    // A field that nothing is known of may be one for a secret.
    this.#isSecret = field?.isSecret ?? true;
  }

  /** Notes a text. Resolves when its page may have it. */
  async typed(text: string): Promise<void> {
    this.#typed = (this.#typed + text).slice(0, LENGTH_MAX);
    if (!this.#isSecret) return;
    this.#keeper.typing(this.#typed);
    await this.#keeper.kept();
  }

  erased(): void {
    this.#typed = this.#typed.slice(0, -1);
  }

  /** Ends the text before its field is left. */
  async end(): Promise<void> {
    if (!this.#hasBegun) return;
    const field = await this.#look();
    // Pages lead on to the next field by themselves, for example from a card's number to its code.
    this.#isSecret ||= field?.isSecret === true;
    // Its page says what the field holds, and could say anything.
    if (field?.isSecret && isMadeOf(this.#typed, field.value)) this.#keeper.watchFor(field.value);
    this.gone();
  }

  /** Ends the text whose page has gone on by itself. */
  gone(): void {
    if (this.#isSecret) {
      this.#keeper.watchFor(this.#typed);
      this.#keeper.typing("");
    }
    this.#typed = "";
    this.#isSecret = false;
    this.#hasBegun = false;
  }
}
