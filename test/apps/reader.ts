// What a reader can know who has only the texts that it was given: where an element is, and what a reply says happened.
import { isLike, isWithin, type Line, type Outline, outline, outwards, type Wanted } from "./outline.ts";

export class Reader {
  /** The newest comes first. */
  #texts: Outline[] = [];

  read(text: string): Outline {
    const now = outline(text);
    if (now.isPage) this.#texts = [];
    this.#texts.unshift(now);
    return now;
  }

  /** The ref of the first element that is like this, as said last. */
  find(wanted: Wanted): string | undefined {
    return this.#known(wanted, this.#texts)?.ref;
  }

  /** What the newest text leaves unsaid of what should have come: itself alone, but for places that the reader knows. */
  unsaid(wanted: Wanted): boolean {
    const [now] = this.#texts;
    return !now?.lines.some((line) => isLike(line, wanted.line) && this.#stands(line, wanted.within));
  }

  /** What the newest text leaves standing of what should have gone. */
  unsaidGone(wanted: Wanted): boolean {
    const [now, ...before] = this.#texts;
    if (now === undefined) return true;
    const still = now.lines.some((line) => isLike(line, wanted.line) && this.#stands(line, wanted.within));
    if (still) return true;
    if (now.isPage) return false;
    const was = this.#known(wanted, before, () => true);
    if (was === undefined) return true;
    return ![was, ...outwards(was)].some(
      (line) => isRemoved(line, now) || (line !== was && isPrintedAnew(line, now)),
    );
  }

  #known(
    wanted: Wanted,
    texts: readonly Outline[],
    fits = ({ ref }: Line) => ref !== undefined,
  ): Line | undefined {
    for (const [index, { lines }] of texts.entries()) {
      const newer = texts.slice(0, index);
      const found = lines.find(
        (line) =>
          fits(line) &&
          isLike(line, wanted.line) &&
          this.#stands(line, wanted.within) &&
          !newer.some((text) => isSuperseded(line, wanted, text)),
      );
      if (found) return found;
    }
    return undefined;
  }

  /** A line that is told without its place stands where its ref, or what it stands in, was said to stand. */
  #stands(line: Line, words: string | undefined): boolean {
    if (words === undefined || isWithin(line, words)) return true;
    const refs = [line, ...outwards(line)].flatMap(({ ref }) => ref ?? []);
    return this.#texts.some(({ lines }) =>
      lines.some((each) => each.ref !== undefined && refs.includes(each.ref) && isWithin(each, words)),
    );
  }
}

function isSuperseded(line: Line, { line: wanted }: Wanted, newer: Outline): boolean {
  if (isRemoved(line, newer) || outwards(line).some((each) => isRemoved(each, newer))) return true;
  return newer.lines.some((each) => line.ref !== undefined && each.ref === line.ref && !isLike(each, wanted));
}

/** By its ref, or by its role and words. */
function isRemoved(line: Line, { removed }: Outline): boolean {
  return removed.some((each) => isMeant(line, each));
}

function isPrintedAnew(line: Line, { lines }: Outline): boolean {
  return lines.some(({ ref, text, inside, parent, isPlace }) => {
    if (isPlace || inside.length === 0) return false;
    if (line.ref !== undefined && line.ref === ref) return true;
    if (parent?.replaces) return isMeant(line, parent.replaces);
    return line.ref === undefined && line.text === text && (text.includes('"') || parent?.replaces === "");
  });
}

/** Whether a list of what is gone, or was, has it: its ref, or its role with words that are its own or stand in it. */
function isMeant(line: Line, said: string): boolean {
  if (line.ref !== undefined) return new RegExp(`\\b${line.ref}\\b`).test(said);
  if (said.includes(`${line.role} (`) && refsIn(line).some((ref) => new RegExp(`\\b${ref}\\b`).test(said)))
    return true;
  const own = wordsIn(line);
  return [...said.matchAll(/(\S+) "((?:[^"\\]|\\.)*)"/g)].some(
    ([, role, words = ""]) =>
      role?.replace("(", "") === line.role && words.split(/[ …]+/).every((word) => own.includes(word)),
  );
}

function refsIn({ ref, inside }: Line): string[] {
  return [...(ref === undefined ? [] : [ref]), ...inside.flatMap(refsIn)];
}

function wordsIn({ text, inside }: Line): string {
  return [text, ...inside.map(wordsIn)].join(" ");
}
