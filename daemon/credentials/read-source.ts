// Reads the value of a credential from its source: a file, a variable, a command, or a seed for codes.

import { readSmallFile } from "../core/small-file.ts";
import { runCommand } from "./run-command.ts";
import { codeAt, seedOf } from "./totp.ts";

/** The place of a value. Exactly one of the keys is there. */
export interface Source {
  /** The absolute path, and the path as it was written. */
  file?: { path: string; shown: string } | undefined;
  env?: string | undefined;
  command?: { words: readonly string[]; cwd: string } | undefined;
}

/** A role's credential. With `totp`, its value is the code of the moment. */
export interface CredentialSettings extends Source {
  totp?: Source | undefined;
  /** The origins of the documents that it is typed into. */
  origins: readonly string[];
}

/** A value, or why there is none. The reason's words follow the source's: `is not there`. */
export type CredentialValue = { value: string } | { problem: string };

const VALUE_KIB_MAX = 16;
const VALUE_LENGTH_MAX = 4_096;

/** The environment and the time that a value is read in. */
export interface Ground {
  env: NodeJS.ProcessEnv;
  nowMs: number;
}

/** Returns the value of that moment. */
export async function readValue(settings: CredentialSettings, ground: Ground): Promise<CredentialValue> {
  const { command } = settings.totp ?? settings;
  if (!command) return readAtOnce(settings, ground) ?? { problem: "has no source" };
  const ran = await runCommand({ ...command, env: ground.env, bytesMax: VALUE_KIB_MAX * 1024 });
  return "problem" in ran ? ran : finished(settings, valueOf(ran.text), ground);
}

/** Returns the value of that moment; undefined if only a command has it. */
export function readAtOnce(settings: CredentialSettings, ground: Ground): CredentialValue | undefined {
  const { file, env } = settings.totp ?? settings;
  if (file) return finished(settings, readFile(file.path), ground);
  if (env === undefined) return undefined;
  const value = ground.env[env];
  return value === undefined ? { problem: "is not set" } : finished(settings, valueOf(value), ground);
}

/** A seed becomes its code. */
function finished({ totp }: CredentialSettings, found: CredentialValue, { nowMs }: Ground): CredentialValue {
  if ("problem" in found || !totp) return found;
  const seed = seedOf(found.value);
  return "problem" in seed ? seed : { value: codeAt(seed, nowMs) };
}

/** Returns the source in words, as the configuration writes it. It leaves out a command's arguments. */
export function sourceOf({
  totp,
  file,
  env,
  command,
}: CredentialSettings | (Source & { totp?: undefined })): string {
  if (totp) return `the seed in ${sourceOf(totp)}`;
  if (file) return `the file ${file.shown}`;
  if (env) return `the variable ${env}`;
  return `the command ${command?.words[0] ?? ""}`;
}

function readFile(path: string): CredentialValue {
  const found = readSmallFile(path, VALUE_KIB_MAX);
  return "why" in found ? { problem: found.why } : valueOf(found.bytes.toString());
}

/** The line's end is not part of the value. */
function valueOf(text: string): CredentialValue {
  const value = text.replace(/\r?\n$/, "");
  if (value === "") return { problem: "is empty" };
  if (value.includes("\0") || value.includes("\ufffd")) return { problem: "holds no text" };
  if (value.length > VALUE_LENGTH_MAX) return { problem: `is longer than ${VALUE_LENGTH_MAX} characters` };
  return { value };
}
