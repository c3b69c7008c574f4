// Passes a person's input on to a tab as trusted events. Nothing of it is kept, logged or recorded.
import type { CDPSession, Protocol } from "puppeteer-core";
import type {
  PersonKey,
  PersonPointer,
  PersonTouch,
  PersonWheel,
  WorkerTakeOverRequest,
} from "../../proto/gen/troupe.ts";
import { within } from "../../proto/machine/within.ts";
import { unlessGone } from "../core/gone.ts";
import { Touches } from "./touches.ts";
import type { TypedSecrets } from "./typed-secrets.ts";

/** Chrome answers no input while a dialog is open or the page hangs. Further movements are dropped then. */
const UNANSWERED_MAX = 100;
/** Beyond so many, keys, clicks and texts are dropped as well. No person means so much for a page that does not react. */
const WAITING_MAX = 1_000;
const ANSWERED_MS_MAX = 1_000;
const BUTTONS: ReadonlySet<string> = new Set(["none", "left", "middle", "right"]);
const MOUSE_TYPES: Readonly<Record<string, Protocol.Input.DispatchMouseEventRequest["type"]>> = {
  move: "mouseMoved",
  down: "mousePressed",
  up: "mouseReleased",
};
/** Modifiers with which a key is a command: Alt, Control, Meta. */
const COMMANDING = 1 | 2 | 4;
/** The keys that lead from one field to another, or send a form. */
const LEAVING: ReadonlySet<string> = new Set(["Tab", "Enter", "Escape"]);
/** The editing commands that a browser window derives from keys with Control or Meta. Headless Chrome derives none. */
const EDITING: Readonly<Record<string, string>> = {
  a: "selectAll",
  c: "copy",
  x: "cut",
  z: "undo",
  y: "redo",
};

/** A person's hands in one tab. */
export class PersonInput {
  readonly touches: Touches;
  readonly #client: CDPSession;
  readonly #secrets: TypedSecrets;
  readonly #unanswered = new Set<Promise<unknown>>();

  constructor(client: CDPSession, secrets: TypedSecrets) {
    this.#client = client;
    this.#secrets = secrets;
    this.touches = new Touches(client, (command) => this.#sent(command));
  }

  /** Passes an input on. Resolves when the next one may be sent: Chrome keeps their order. */
  async pass({ pointer, wheel, touch, key, text }: WorkerTakeOverRequest): Promise<void> {
    if (this.#unanswered.size >= WAITING_MAX) return;
    if (pointer) await this.#point(pointer);
    if (wheel) this.#turn(wheel);
    if (touch) await this.#touch(touch);
    if (key) await this.#press(key);
    if (text && text.text !== "") {
      await this.#secrets.begin();
      await this.#secrets.typed(text.text);
      this.#sent(this.#client.send("Input.insertText", { text: text.text }));
    }
  }

  /** Resolves when the page has had all input, or after a while if a dialog holds it up. */
  async answered(): Promise<void> {
    await within({ timeMs: ANSWERED_MS_MAX }, Promise.all(this.#unanswered));
  }

  async #point({ type, x, y, button, buttons, clicks, modifiers }: PersonPointer): Promise<void> {
    const kind = MOUSE_TYPES[type];
    if (!kind || !BUTTONS.has(button)) return;
    if (kind === "mouseMoved" && this.#unanswered.size >= UNANSWERED_MAX) return;
    if (kind === "mousePressed") await this.#secrets.end();
    this.#sent(
      this.#client.send("Input.dispatchMouseEvent", {
        type: kind,
        x,
        y,
        button: button as Protocol.Input.MouseButton,
        buttons,
        clickCount: clicks,
        modifiers,
      }),
    );
  }

  #turn({ x, y, deltaX, deltaY, modifiers }: PersonWheel): void {
    if (this.#unanswered.size >= UNANSWERED_MAX) return;
    this.#sent(
      this.#client.send("Input.dispatchMouseEvent", { type: "mouseWheel", x, y, deltaX, deltaY, modifiers }),
    );
  }

  async #touch(touch: PersonTouch): Promise<void> {
    if (touch.type === "move" && this.#unanswered.size >= UNANSWERED_MAX) return;
    if (touch.type === "start") await this.#secrets.end();
    this.touches.take(touch);
  }

  async #press({ isUp, key, code, keyCode, location, modifiers, repeats }: PersonKey): Promise<void> {
    const isCommand = (modifiers & COMMANDING) !== 0;
    const character = key === "Enter" ? "\r" : [...key].length === 1 && !isCommand ? key : "";
    if (!isUp) await this.#noteKey(key, character);
    const command = isCommand && !isUp ? EDITING[key.toLowerCase()] : undefined;
    this.#sent(
      this.#client.send("Input.dispatchKeyEvent", {
        type: isUp ? "keyUp" : character === "" ? "rawKeyDown" : "keyDown",
        key,
        code,
        windowsVirtualKeyCode: keyCode,
        location,
        modifiers,
        autoRepeat: repeats,
        ...(character !== "" && !isUp && { text: character, unmodifiedText: character }),
        ...(command && { commands: [command] }),
      }),
    );
  }

  async #noteKey(key: string, character: string): Promise<void> {
    if (LEAVING.has(key)) await this.#secrets.end();
    else if (key === "Backspace") this.#secrets.erased();
    else if (character !== "") {
      await this.#secrets.begin();
      await this.#secrets.typed(character);
    }
  }

  /** Input is not awaited: a dialog that it opens would hold it up. */
  #sent(input: Promise<unknown>): void {
    const answered = unlessGone(input)
      // Chrome refuses numbers beyond its own. That harms their sender alone.
      .catch(() => undefined)
      .finally(() => this.#unanswered.delete(answered));
    this.#unanswered.add(answered);
  }
}
