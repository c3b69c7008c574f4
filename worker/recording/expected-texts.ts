// Follows the texts that a step brought, until the next step: an export expects those that stay.
import { isTroupeError } from "../../proto/errors/catalogue.ts";
import type { ExpectedText } from "../bridge/api/bridge-api.ts";
import type { Call } from "../core/call.ts";
import { FrameTimeout } from "../core/frame-time.ts";
import { Page } from "../tab/page.ts";
import type { Tab } from "../tab/tab.ts";
import { inBackground } from "./locate.ts";

/** The texts of the last step in the document that shows them. */
export class ExpectedTexts {
  readonly #stays: Brought["stays"];
  readonly #tab: Tab;
  readonly #call: Call;
  /** The document's world. */
  readonly world: object | undefined;
  #texts: ExpectedText[];
  #isChecked = false;

  constructor({ stays, tab, call, texts }: Brought) {
    this.#stays = stays;
    this.#tab = tab;
    this.#call = call;
    this.#texts = texts;
    this.world = tab.frames.main?.world;
  }

  get texts(): ExpectedText[] {
    return this.#texts;
  }

  /** Takes the page's answer to these texts. */
  answered(texts: readonly ExpectedText[], repeatable: readonly boolean[]): void {
    this.#isChecked = true;
    this.#texts = texts.filter((_each, index) => repeatable[index]);
    this.#stays(this.#texts);
  }

  /** Asks the page, unless it has been asked. */
  async check(): Promise<void> {
    if (!this.#isChecked) await this.checkAgain();
  }

  /** Asks the page which texts are still there. */
  async checkAgain(): Promise<void> {
    const { main } = this.#tab.frames;
    if (this.#texts.length === 0 || !this.#tab.isOpen || this.#tab.halt || !main?.world) return;
    if (main.world !== this.world) return;
    const texts = this.#texts;
    try {
      const page = new Page(this.#tab, inBackground(this.#call));
      this.answered(texts, await page.askInPassing(main, "isRepeatable", texts));
    } catch (error) {
      // A page that has gone, halts or hangs shows nothing that could be expected again.
      const isUsual = isTroupeError(error) || error instanceof FrameTimeout;
      if (!isUsual) this.#tab.failures.cleanup("expected-texts", error as Error);
    }
  }
}

interface Brought {
  /** Receives the texts that stay. */
  stays: (shown: ExpectedText[]) => void;
  tab: Tab;
  call: Call;
  texts: ExpectedText[];
}
