// Plays the steps of a recording, one call each, and stops at the first failure.
import { variableName } from "../../../proto/text/environment.ts";
import { oneLine } from "../../../proto/text/quote.ts";
import type { Reply } from "../../../proto/wire/reply.ts";
import type { Json, JsonObject } from "../../../proto/wire/struct.ts";
import { usageError } from "../../connection/exit-code.ts";
import { locateAgain } from "./locate-again.ts";
import type { FileStep, RecordingFile } from "./recording-file.ts";

export interface ReplayParts {
  call(tool: string, args: JsonObject): Promise<Reply>;
  env: Readonly<Record<string, string | undefined>>;
  /** Replaces the origin of the recording's first address. */
  base: string | undefined;
  role: string;
  /** The variables that the recording may read beside those of its role. */
  allowed: readonly string[];
  /** Called before the first step, with the variables that the recording reads. */
  reads(variables: readonly string[]): void;
  began(step: FileStep, number: number): void;
  done(step: FileStep, number: number, reply: Reply): void;
}

/** The step at which a replay stopped. */
export class StepFailed extends Error {
  readonly number: number;

  constructor(number: number, cause: unknown) {
    super(`step ${number} failed`, { cause });
    this.number = number;
  }
}

/** Plays all steps. Throws {@link StepFailed}, or a usage error before the first step. */
export async function replay({ steps }: RecordingFile, parts: ReplayParts): Promise<void> {
  checkSecrets(secretNames(steps), parts);
  const from = steps.map(({ arguments: args }) => originOf(args?.url)).find((origin) => origin !== undefined);
  const tabs = new Map<string, string>();
  for (const [index, step] of steps.entries()) {
    if (step.skip !== undefined) continue;
    parts.began(step, index + 1);
    try {
      parts.done(step, index + 1, await playStep(step, { ...parts, tabs, from }));
    } catch (error) {
      throw new StepFailed(index + 1, error);
    }
  }
}

/** A recording types what it reads into pages that it names. So it reads what was recorded for its role, or is allowed. */
function checkSecrets(names: readonly string[], { env, role, allowed, reads }: ReplayParts): void {
  const own = variableName(role);
  const foreign = names.filter(
    (name) => !(role !== "" && (name === own || name.startsWith(`${own}_`))) && !allowed.includes(name),
  );
  if (foreign.length > 0)
    throw usageError(
      `the recording reads environment variables that are not of role ${role || "(none)"}: allow them with --secret ${foreign.join(",")}`,
    );
  const missing = names.filter((name) => !env[name]);
  if (missing.length > 0)
    throw usageError(`the recording needs secrets from the environment: set ${missing.join(", ")}`);
  if (names.length > 0) reads(names);
}

interface Playing extends ReplayParts {
  /** The tabs of this session, by their ids in the recording. */
  tabs: Map<string, string>;
  /** The origin that `base` replaces. */
  from: string | undefined;
}

async function playStep(step: FileStep, playing: Playing): Promise<Reply> {
  const { call, role, tabs } = playing;
  const tab = step.tab === undefined ? undefined : tabs.get(step.tab);
  const place = { role, ...(tab !== undefined && { tab }) };
  const args: JsonObject = { ...place };
  for (const [name, value] of Object.entries(step.arguments ?? {}))
    args[name] = valueOf(name, value, playing);
  for (const [name, element] of Object.entries(step.elements ?? {}))
    args[name] = await locateAgain(element, (tool, asked) => call(tool, { ...place, ...asked }));
  const reply = await call(step.tool, args);
  if (step.tab !== undefined && tab === undefined && reply.page) tabs.set(step.tab, reply.page.tab);
  if (step.opens !== undefined) {
    const { text } = await call("browser_tabs", { action: "list", role });
    const current = /^(t\d+) \(current\)/m.exec(text)?.[1];
    if (current) tabs.set(step.opens, current);
  }
  return reply;
}

function valueOf(name: string, value: unknown, { env, base, from }: Playing): Json {
  const secret = secretIn(value);
  const given = secret === undefined ? (value as Json) : (env[secret] ?? "");
  if (name !== "url" || base === undefined || typeof given !== "string") return given;
  return moved(given, base, from);
}

/** Returns the address at another origin, if it is at the recording's own one. */
function moved(address: string, base: string, from: string | undefined): string {
  if (from === undefined || originOf(address) !== from) return address;
  const { pathname, search, hash } = new URL(address);
  return new URL(`${pathname}${search}${hash}`, base).href;
}

function originOf(value: unknown): string | undefined {
  if (typeof value !== "string" || !URL.canParse(value)) return undefined;
  const { origin } = new URL(value);
  return origin === "null" ? undefined : origin;
}

function secretNames(steps: readonly FileStep[]): string[] {
  const played = steps.filter(({ skip }) => skip === undefined);
  const names = played.flatMap((step) => Object.values(step.arguments ?? {}).map(secretIn));
  return [...new Set(names.filter((name) => name !== undefined))];
}

function secretIn(value: unknown): string | undefined {
  const { secret } = (typeof value === "object" ? (value ?? {}) : {}) as { secret?: unknown };
  return typeof secret === "string" ? secret : undefined;
}

/** For example: `browser_click button "Save"`. */
export function stepInWords({ tool, elements = {} }: FileStep): string {
  const named = Object.values(elements).map(({ role, name }) => `${role} ${JSON.stringify(name)}`);
  return oneLine([tool, ...named].join(" "));
}
