// Reads the steps that log in instead of a person. The whole script and its texts are checked before the first step
// runs.
import { open } from "node:fs/promises";
import path from "node:path";
import { parse } from "yaml";
import * as z from "zod";
import { LoginError } from "./login-error.ts";

const STEPS_MAX = 100;
const FILE_BYTES_MAX = 2 ** 20;

/** An element by its ARIA role and accessible name. */
interface Target {
  role: string;
  name: string;
}

/** A step that can run. `text` is typed and never shown. `secret`: the text does not stand in the script. */
export type LoginStep =
  | { verb: "navigate"; url: string }
  | ({ verb: "type"; text: string; secret: boolean } & Target)
  | ({ verb: "select"; value: string } & Target)
  | ({ verb: "click" } & Target)
  | ({ verb: "wait_for" } & Target);

const target = {
  role: z.string().regex(/^[a-z]{1,40}$/),
  name: z.string().regex(/^[^"\\\p{Cc}]{1,500}$/u),
};
const step = z.union(
  [
    z.strictObject({ navigate: z.url({ protocol: /^https?$/ }) }),
    z.strictObject({ type: z.strictObject({ ...target, text: z.string() }) }),
    z.strictObject({ type: z.strictObject({ ...target, env: z.string().min(1) }) }),
    z.strictObject({ type: z.strictObject({ ...target, file: z.string().min(1) }) }),
    z.strictObject({ click: z.strictObject(target) }),
    z.strictObject({ select: z.strictObject({ ...target, value: z.string() }) }),
    z.strictObject({ wait_for: z.strictObject(target) }),
  ],
  {
    error:
      "it must be one of navigate: URL, type: {role, name, and text, env or file}, click: {role, name}, select: {role, name, value}, wait_for: {role, name}; a role is such as button, a name has neither quotes nor backslashes",
  },
);
const schema = z.array(step).min(1).max(STEPS_MAX);
type WrittenStep = z.infer<typeof step>;

/** The outside sources of a script: variables, and files beside the script. */
export interface Secrets {
  env: Readonly<Record<string, string | undefined>>;
  readFile(name: string): Promise<string>;
}

/** Reads a script. Rejects with a LoginError that names the problem, and never the text to be typed. */
export async function readScript(file: string, env: Secrets["env"]): Promise<LoginStep[]> {
  const text = await readSmall(file, `the script ${file}`);
  const beside = (name: string) =>
    readSmall(path.resolve(path.dirname(file), name), `${name}, which a step types`);
  return await parseScript(text, file, { env, readFile: beside });
}

/** Checks a script's text. Rejects as {@link readScript} does. */
export async function parseScript(text: string, shown: string, secrets: Secrets): Promise<LoginStep[]> {
  const written = checked(text, shown);
  const steps: LoginStep[] = [];
  for (const each of written) steps.push(await ready(each, secrets));
  return steps;
}

function checked(text: string, shown: string): WrittenStep[] {
  let given: unknown;
  try {
    given = parse(text);
  } catch {
    // The parser's message would quote the file.
    throw new LoginError("usage", `${shown} is neither YAML nor JSON`);
  }
  const { data, error } = schema.safeParse(given);
  const [issue] = error?.issues ?? [];
  if (!data) {
    const index = issue?.path[0];
    const problem =
      typeof index === "number"
        ? `step ${index + 1} cannot be read: ${issue?.message}`
        : `a script is a list of 1 to ${STEPS_MAX} steps`;
    throw new LoginError("usage", `${shown}: ${problem}`);
  }
  if (!("navigate" in (data[0] ?? {})))
    throw new LoginError("usage", `${shown}: the first step must be navigate: where the login begins`);
  if (!("wait_for" in (data.at(-1) ?? {})))
    throw new LoginError(
      "usage",
      `${shown}: the last step must be wait_for: what only who is logged in sees`,
    );
  return data;
}

async function ready(written: WrittenStep, secrets: Secrets): Promise<LoginStep> {
  if ("navigate" in written) return { verb: "navigate", url: written.navigate };
  if ("click" in written) return { verb: "click", ...written.click };
  if ("select" in written) return { verb: "select", ...written.select };
  if ("wait_for" in written) return { verb: "wait_for", ...written.wait_for };
  const { role, name, ...source } = written.type;
  const secret = !("text" in source);
  return { verb: "type", role, name, text: await typed(source, secrets), secret };
}

async function typed(
  source: { text: string } | { env: string } | { file: string },
  { env, readFile }: Secrets,
): Promise<string> {
  if ("text" in source) return source.text;
  // Editors end a file with a line break, which is no part of a password.
  if ("file" in source) return (await readFile(source.file)).replace(/\r?\n$/, "");
  const value = env[source.env];
  if (value === undefined)
    throw new LoginError("usage", `the environment has no ${source.env}, which a step types`);
  return value;
}

async function readSmall(file: string, what: string): Promise<string> {
  try {
    await using handle = await open(file);
    if ((await handle.stat()).size > FILE_BYTES_MAX)
      throw new LoginError("usage", `${what} is larger than 1 MiB`);
    return await handle.readFile("utf8");
  } catch (error) {
    if (error instanceof LoginError) throw error;
    throw new LoginError("usage", `cannot read ${what}: ${(error as NodeJS.ErrnoException).code}`, error);
  }
}
