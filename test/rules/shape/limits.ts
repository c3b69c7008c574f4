/** The limits that `npm run check` holds. They may only be lowered. */
import type { Shape } from "./shape.ts";

interface Limit {
  most: number;
  why: string;
  /** Folders that may be beyond the limit. Each has its reason. */
  except?: Readonly<Record<string, string>>;
}

const limits: Partial<Record<keyof Shape, Limit>> = {
  folders: {
    most: 21,
    why: "files in a folder: give it rooms",
    except: { "test/apps/scripts": "each application has its script there" },
  },
  classes: { most: 50, why: "members in a class: it is two things" },
  functions: { most: 150, why: "lines in a function: name its parts" },
  parameters: { most: 7, why: "parameters: some of them belong together" },
  sentences: { most: 25, why: "words in a sentence: say one thing in each" },
  mutualImports: {
    most: 0,
    why: "imports in both directions: one folder is lower",
    except: { daemon: "main.ts starts startup/, which opens the daemon" },
  },
  bannedWords: { most: 0, why: "words that the style guide replaces" },
};

/** Returns a line for each item beyond its limit. */
export function complaintsAbout(shape: Shape, held = limits): string[] {
  return Object.entries(held).flatMap(([measure, { most, why, except = {} }]) =>
    shape[measure as keyof Shape]
      .filter(({ at, size }) => size > most && !(at in except))
      .map(
        ({ at, name, size }) => `${at} ${measure}: ${name && `"${name}": `}${size}, at most ${most} ${why}`,
      ),
  );
}
