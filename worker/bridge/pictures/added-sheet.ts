// A style sheet that is added to some of a document's trees until it is removed.

import type { Root } from "../dom/dom.ts";

export class AddedSheet {
  readonly #sheet = new CSSStyleSheet();
  readonly #roots: readonly Root[];

  constructor(css: string, roots: readonly Root[]) {
    this.#sheet.replaceSync(css);
    this.#roots = roots;
    for (const root of roots) root.adoptedStyleSheets = [...root.adoptedStyleSheets, this.#sheet];
  }

  /** Returns true if the page has left it in its place. */
  holds(): boolean {
    return this.#roots.every((root) => root.adoptedStyleSheets.includes(this.#sheet));
  }

  remove(): void {
    for (const root of this.#roots)
      root.adoptedStyleSheets = root.adoptedStyleSheets.filter((each) => each !== this.#sheet);
  }
}
