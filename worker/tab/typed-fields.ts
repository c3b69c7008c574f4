// Remembers the fields of a tab that hold text which this session typed. If the page is lost, an error names them.

import { wholeRef } from "../refs/ref-text.ts";
import type { Frame } from "./frames.ts";

/** A field, and the document that it is in. */
interface TypedField {
  frame: Frame;
  world: string;
  local: string;
  /** For example: `textbox "Amount"`. */
  words: string;
}

/** A form has fewer fields than this. The oldest go first. */
const FIELDS_MAX = 50;
const WORDS_LENGTH_MAX = 100;

/** The fields, in the order in which they were typed into. */
export class TypedFields {
  readonly #fields = new Map<string, TypedField>();

  /** Notes that the field holds text now. A field without a ref of its own cannot be followed. */
  add(frame: Frame, local: string, words: string): void {
    const { world } = frame;
    if (!world || local === "") return;
    const ref = wholeRef(frame.number, local);
    this.#fields.delete(ref);
    this.#fields.set(ref, { frame, world: world.uniqueId, local, words: words.slice(0, WORDS_LENGTH_MAX) });
    const [oldest] = this.#fields.keys();
    if (this.#fields.size > FIELDS_MAX && oldest !== undefined) this.#fields.delete(oldest);
  }

  /** The fields in words. The page itself has sent or dropped the fields of documents that are gone. */
  get names(): string[] {
    this.#forgetOthers();
    return [...this.#fields.values()].map(({ words }) => words);
  }

  /** Forgets fields that hold no text any more. `holdText`: asks a frame about its refs. */
  async check(holdText: (frame: Frame, refs: string[]) => Promise<boolean[]>): Promise<void> {
    this.#forgetOthers();
    const byFrame = Map.groupBy(this.#fields, ([, { frame }]) => frame);
    const asked = [...byFrame].map(async ([frame, fields]) => {
      const held = await holdText(
        frame,
        fields.map(([, { local }]) => local),
      );
      for (const [at, [ref]] of fields.entries()) if (!held[at]) this.#fields.delete(ref);
    });
    await Promise.all(asked);
  }

  #forgetOthers(): void {
    for (const [ref, { frame, world }] of this.#fields)
      if (frame.world?.uniqueId !== world) this.#fields.delete(ref);
  }
}
