// Plays one application's script on a Troupe, and reports how each reply did.
import { glob } from "node:fs/promises";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Troupe } from "../harness/troupe.ts";
import { InSteps } from "./in-steps.ts";
import { OneByOne } from "./one-by-one.ts";
import type { Person, Step } from "./person.ts";
import { Screen } from "./screen.ts";
import { openSite } from "./site.ts";

export interface Outcome {
  name: string;
  steps: Step[];
  calls: number;
  characters: number;
  /** Records that were never intended. */
  wrong: string[];
  /** Records that appear more often than intended. */
  double: string[];
  /** Intended records that are missing. */
  undone: string[];
  /** The reason why the script stopped. */
  stopped: string | undefined;
}

interface Script {
  /** Does what a person does with the application. */
  default(person: Person): Promise<void>;
  /** Lines that change by themselves. */
  restless?: RegExp;
}

const folder = join(import.meta.dirname, "scripts");

export async function applications(): Promise<string[]> {
  const files = await Array.fromAsync(glob("*.ts", { cwd: folder }));
  return files.map((file) => basename(file, ".ts")).sort();
}

/** `late`: looks a second after each reply. `inSteps`: does several actions a call. */
export async function play(
  name: string,
  troupe: Troupe,
  { late = false, inSteps = false } = {},
): Promise<Outcome> {
  const script = (await import(pathToFileURL(join(folder, `${name}.ts`)).href)) as Script;
  await using site = await openSite(name);
  await using agent = await troupe.agent("--role", "visitor", "--profile", "full");
  const screen = new Screen(agent, site, { late, restless: script.restless });
  const person = inSteps ? new InSteps(screen) : new OneByOne(screen);
  let stopped: string | undefined;
  try {
    await script.default(person);
    await person.end();
  } catch (error) {
    stopped = (error as Error).message;
  }
  // Its own record comes after all that the earlier pages still had to send.
  await agent.call("browser_navigate", { url: `${site.url}/the-end` });
  await site.recorded("the end", 1);
  const { calls, characters, did } = screen;
  const record = site.record.filter((each) => each !== "the end");
  return { name, steps: person.steps, calls, characters, stopped, ...compared(did, record) };
}

/** Compares the records with the intended ones. */
function compared(
  meant: readonly string[],
  record: readonly string[],
): Pick<Outcome, "wrong" | "double" | "undone"> {
  const left = [...record];
  const undone = meant.filter((each) => {
    const index = left.indexOf(each);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
  return {
    undone,
    double: left.filter((each) => meant.includes(each)),
    wrong: left.filter((each) => !meant.includes(each)),
  };
}
