/** The limits that `npm run check` holds. They may be lowered, and have no exceptions. */
import type { Item, Shape } from "./shape.ts";

interface Limit {
  most: number;
  why: string;
}

export const limits: Partial<Record<keyof Shape, Limit>> = {
  folders: { most: 21, why: "files in a folder; give it rooms" },
  classes: { most: 50, why: "members of a class; it is two things" },
  functions: { most: 120, why: "lines of a function; name its parts" },
  parameters: { most: 8, why: "parameters; some of them belong together" },
  sentences: { most: 25, why: "words in a sentence; say one thing in each" },
  mutualImports: { most: 0, why: "folders that import each other; one of them is lower" },
  bannedWords: { most: 0, why: "words that the style guide replaces" },
};

/** Returns a line for each item beyond its limit. */
export function complaintsAbout(shape: Shape, held = limits): string[] {
  return Object.entries(held).flatMap(([measure, { most, why }]) =>
    shape[measure as keyof Shape]
      .filter(({ size }) => size > most)
      .map((item) => `${item.at} ${measure}: ${nameOf(item)}has ${item.size}, at most ${most} ${why}`),
  );
}

function nameOf({ name }: Item): string {
  return name && `"${name}" `;
}
