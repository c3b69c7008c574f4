// What a reader can know who has only the texts that it was given: one tree, brought up to date by each of them, without
// guessing, where elements are looked for, and what a text says happened.
import { type Line, parse } from "../bridge/page/lines.ts";
import { all, applied, Unclear } from "../bridge/page/reader.ts";
import { entriesOf } from "../bridge/page/told-changes.ts";
import { holdsWords, isLike, isWithin, outwards, sectionsOf, type Wanted } from "./outline.ts";

export class Reader {
  #page = parse([]);
  /** The trees before it, newest first, since the page was opened. */
  #earlier: Line[] = [];
  /** The lines that the newest text has itself. */
  #said: ReadonlySet<Line> = new Set();
  /** What was looked for, along its path: it may have refs that the page's text has not. */
  #found: Line[] = [];

  /** Takes a text in; returns where it can only be guessed what is meant. */
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

  /** The ref of the first element that is like this: one that holds the words itself goes before those beside it. */
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

  /** Whether the newest text leaves unsaid what should have come: its line itself, wherever it is known to stand. */
  unsaid(wanted: Wanted): boolean {
    return ![...this.#said].some((line) => isWanted(line, wanted));
  }

  /** Whether the newest text leaves standing what should have gone, or leaves open whether it did. */
  unsaidGone(wanted: Wanted): boolean {
    const [before, ...earlier] = this.#earlier.map((top) =>
      [...all(top)].filter((line) => isWanted(line, wanted)),
    );
    if ([...all(this.#page)].some((line) => isWanted(line, wanted))) return true;
    return before?.length === 0 && !earlier.flat().some((line) => this.#isPlaceSaid(line));
  }

  /** What was out of sight is known to be gone once that which it stood in is told again without it. */
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
