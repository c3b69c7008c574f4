// Knows what an agent can know that has only the delivered texts. Each text updates one tree without guessing. Elements
// are looked up in it, and it says which text reported what.

import { entriesOf } from "../bridge/page/delivered-changes.ts";
import { type Line, parse } from "../bridge/page/lines.ts";
import { all, applied, Unclear } from "../bridge/page/reader.ts";
import { holdsWords, isLike, isWithin, outwards, sectionsOf, type Wanted } from "./outline.ts";

export class Reader {
  #page = parse([]);
  /** The earlier trees since the page was opened, newest first. */
  #earlier: Line[] = [];
  /** The lines that the newest text itself has. */
  #said: ReadonlySet<Line> = new Set();
  /** Search results along their paths. They may have refs that the page's text lacks. */
  #found: Line[] = [];

  /** Takes in a text. Returns the place where its meaning can only be guessed. */
  read(text: string): string | undefined {
    const { page, delta, found } = sectionsOf(text);
    this.#earlier.unshift(this.#page);
    this.#said = new Set();
    if (found !== undefined) this.#found.push(parse(found));
    if (page !== undefined) this.#open(parse(page));
    if (delta === undefined) return undefined;
    try {
      const { lines, told } = applied(this.#page, entriesOf(delta.join("\n")));
      this.#take(lines, told);
      return undefined;
    } catch (error) {
      if (error instanceof Unclear) return error.message;
      throw error;
    }
  }

  /** Returns the ref of the first match. An element that holds the words itself comes before those beside it. */
  find(wanted: Wanted): string | undefined {
    for (const top of [this.#page, ...this.#found.toReversed()]) {
      const alike = [...all(top)].filter((line) => line.ref !== undefined && isWanted(line, wanted));
      const { within } = wanted;
      const own = within === undefined ? undefined : alike.find((line) => holdsWords(line, within));
      const line = own ?? alike[0];
      if (line !== undefined) return line.ref;
    }
    return undefined;
  }

  /** Returns true if the newest text lacks a line that should have come, wherever its place is known to be. */
  unsaid(wanted: Wanted): boolean {
    return ![...this.#said].some((line) => isWanted(line, wanted));
  }

  /** Returns true if the page has such a line now, as far as the texts say. */
  knows(wanted: Wanted): boolean {
    return [...all(this.#page)].some((line) => isWanted(line, wanted));
  }

  /** Returns true if the newest text keeps a part that should be gone, or leaves its fate open. */
  unsaidGone(wanted: Wanted): boolean {
    const [before, ...earlier] = this.#earlier.map((top) =>
      [...all(top)].filter((line) => isWanted(line, wanted)),
    );
    if (this.knows(wanted)) return true;
    return before?.length === 0 && !earlier.flat().some((line) => this.#isPlaceSaid(line));
  }

  /** A part out of sight is gone once the part around it is printed without it. */
  #isPlaceSaid(line: Line): boolean {
    const [within] = outwards(line);
    return within !== undefined && [...this.#said].some((said) => pathOf(said) === pathOf(within));
  }

  #open(page: Line): void {
    this.#page = page;
    this.#found = [];
    this.#said = new Set(all(page));
  }

  #take(lines: readonly Line[], told: ReadonlySet<Line>): void {
    const said = new Set<Line>();
    const within = (parent: Line, children: readonly Line[]): Line => {
      parent.children = children.map((child) => {
        const line = within({ ...child, parent }, child.children);
        if (told.has(child)) said.add(line);
        return line;
      });
      return parent;
    };
    this.#page = within({ ...this.#page, children: [] }, lines);
    this.#said = said;
  }
}

const pathOf = (line: Line) => [line, ...outwards(line)].map(({ role }) => role).join();
const isWanted = (line: Line, { line: wanted, within }: Wanted) =>
  isLike(line, wanted) && (within === undefined || isWithin(line, within));
