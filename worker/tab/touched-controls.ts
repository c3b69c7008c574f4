// Remembers the controls of a tab that hold this session's input. If the page is lost, an error names them.

import { keepNewest } from "../../proto/machine/newest.ts";
import { named } from "../../proto/text/named.ts";
import type { Held, TouchedControl } from "../bridge/api/bridge-api.ts";
import type { Frame } from "./frames/frame.ts";

/** A control, and the document that it is in. */
interface Touched {
  frame: Frame;
  world: string;
  isTyped: boolean;
  /** For example: `textbox "Amount"`. Undefined until the control is known to hold input. */
  words: string | undefined;
}

/** A form has fewer controls than this. The oldest go first. */
const CONTROLS_MAX = 50;
const WORDS_LENGTH_MAX = 100;

/** The controls, in the order of the session's actions on them. */
export class TouchedControls {
  readonly #controls = new Map<string, Touched>();
  /** The typed text that was lost with a page, until the session acts in the page's successor. */
  lost: readonly string[];

  /** `lost`: the fields that held typed text in the tab's former page, in words. */
  constructor(lost: readonly string[] = []) {
    this.lost = lost;
  }

  /** Notes that the page crashes, before its documents are dropped. */
  crashed(): void {
    this.lost = this.names;
  }

  /** Notes that the session has seen the new page, so the loss needs no more reports. */
  successorSeen(): void {
    this.lost = [];
  }

  /** Notes that the field holds text now. A field without a ref of its own cannot be followed. */
  typed(frame: Frame, ref: string, words: string): void {
    this.#add(frame, ref, { isTyped: true, words: words.slice(0, WORDS_LENGTH_MAX) });
  }

  /** Notes that the session acts on an element, which may be a control. */
  touched(frame: Frame, ref: string): void {
    const { isTyped = false, words } = this.#controls.get(ref) ?? {};
    this.#add(frame, ref, { isTyped, words });
  }

  /** The controls in words. The page itself has sent or dropped the controls of documents that are gone. */
  get names(): string[] {
    this.#forgetOthers();
    return [...new Set([...this.#controls.values()].flatMap(({ words }) => words ?? []))];
  }

  /** Says if there are any controls to ask about. */
  get areAny(): boolean {
    this.#forgetOthers();
    return this.#controls.size > 0;
  }

  /** Forgets controls that hold no input any more. `heldInput`: asks a frame about its controls. */
  async check(
    heldInput: (frame: Frame, touched: TouchedControl[]) => Promise<readonly (Held | null)[]>,
  ): Promise<void> {
    this.#forgetOthers();
    const byFrame = Map.groupBy(this.#controls, ([, { frame }]) => frame);
    const asked = [...byFrame].map(async ([frame, controls]) => {
      const held = await heldInput(
        frame,
        controls.map(([ref, { isTyped }]) => ({ ref, isTyped })),
      );
      for (const [at, [ref, control]] of controls.entries()) {
        const now = held[at];
        if (now) control.words ??= named(now).slice(0, WORDS_LENGTH_MAX);
        else this.#controls.delete(ref);
      }
    });
    await Promise.all(asked);
  }

  #add(frame: Frame, ref: string, holds: Pick<Touched, "isTyped" | "words">): void {
    const { world } = frame;
    if (!world || ref === "") return;
    keepNewest(this.#controls, ref, { frame, world: world.uniqueId, ...holds }, CONTROLS_MAX);
  }

  #forgetOthers(): void {
    for (const [ref, { frame, world }] of this.#controls)
      if (frame.world?.uniqueId !== world) this.#controls.delete(ref);
  }
}
