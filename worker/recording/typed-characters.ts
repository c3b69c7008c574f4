// Joins the characters that are typed one by one into fields for secrets: together they are a secret.

/** A longer text is no code. */
const LENGTH_MAX = 100;
const LEAVING: ReadonlySet<string> = new Set(["Tab", "Shift+Tab", "Enter", "Escape"]);

/** Receives the text. */
export interface CharactersKeeper {
  /** The text has grown. `before`: as it was until now; empty at its beginning. */
  grew(text: string, before: string): void;
  /** Nothing more comes to the text. */
  ended(text: string): void;
}

/** The text that has been typed so far. A field for one character leads on to the next one. */
export class TypedCharacters {
  readonly #keeper: CharactersKeeper;
  #text = "";
  /** The number of characters since the field was changed last. */
  #inField = 0;

  constructor(keeper: CharactersKeeper) {
    this.#keeper = keeper;
  }

  /** Keys are pressed, one or several in a row: `4`, `Shift+A`, `1 2 3`. */
  pressed(keys: string): void {
    if (keys === " ") this.#typed(keys);
    else for (const key of keys.split(" ")) this.#press(key);
  }

  /** A field is filled with one character. */
  filled(character: string): void {
    this.moved();
    this.#typed(character);
  }

  /** The focus has moved, or may have. */
  moved(): void {
    if (this.#inField > 1) this.end();
    this.#inField = 0;
  }

  end(): void {
    if (this.#text !== "") this.#keeper.ended(this.#text);
    this.#text = "";
    this.#inField = 0;
  }

  #press(key: string): void {
    const last = key.startsWith("Shift+") ? key.slice("Shift+".length) : key;
    if (LEAVING.has(key)) this.moved();
    else if (key === "Backspace") this.#erase();
    else if ([...last].length === 1) this.#typed(last);
    else if (key === "Space") this.#typed(" ");
  }

  #typed(character: string): void {
    if (this.#text.length >= LENGTH_MAX) this.end();
    const before = this.#text;
    this.#text += character;
    this.#inField++;
    this.#keeper.grew(this.#text, before);
  }

  #erase(): void {
    this.#text = this.#text.slice(0, -1);
    this.#inField = Math.max(0, this.#inField - 1);
  }
}
