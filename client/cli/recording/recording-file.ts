// Defines the file of `troupe record`: a session's steps with their elements' locators. `troupe replay` reads it.
import { parse, stringify } from "yaml";
import { publicUrl, variableName } from "../../../proto/text/environment.ts";
import { spelledOutJson } from "../../../proto/text/quote.ts";
import { type Argument, findTool } from "../../../proto/tools/read-tools.ts";
import { isObject, type Json, type JsonObject } from "../../../proto/wire/struct.ts";
import { usageError } from "../../connection/exit-code.ts";

const VERSION = 1;
const STEPS_MAX = 10_000;
const HEAD = "# Recorded by troupe record. It is played again by: troupe replay FILE\n";

/** How to find an element. Each must match exactly one. */
export type FileLocator = { role: string; name: string } | { css: string } | { text: string };

export interface FileElement {
  role: string;
  name: string;
  /** Selectors of the iframes around it, the outermost first. */
  frames?: string[];
  /** It is not visible itself: the session pressed its label. */
  labelled?: boolean;
  /** The best first. */
  locators: FileLocator[];
}

/** `{secret: NAME}` stands for the value of an environment variable. */
export type FileValue = Json | { secret: string };

export interface FileStep {
  tool: string;
  tab?: string;
  arguments?: Record<string, FileValue>;
  /** The elements, by the argument that names them. */
  elements?: Record<string, FileElement>;
  /** The tab that it opened. */
  opens?: string;
  /** It is not played, for this reason. */
  skip?: string;
}

export interface RecordingFile {
  version: number;
  role: string;
  steps: FileStep[];
}

/** Writes the steps of an export as a file. */
export function recordingText(exported: JsonObject): { text: string; dropped: number } {
  const role = String(exported.role ?? "");
  const recorded = objectsIn(exported.steps);
  const steps = [...beginning(recorded, role), ...recorded.map((step) => fileStep(step, role))];
  const file = { version: VERSION, role, steps };
  // In quotes, hidden characters can be written as escapes.
  const text = stringify(file, { lineWidth: 0, defaultStringType: "QUOTE_DOUBLE", defaultKeyType: "PLAIN" });
  return { text: HEAD + spelledOutJson(text), dropped: Number(exported.dropped ?? 0) };
}

/** A role may begin on a page that no step opened. */
function beginning([first]: readonly JsonObject[], role: string): FileStep[] {
  const url = first?.urlBefore;
  if (first?.tool === "browser_navigate" || typeof url !== "string" || !/^https?:/.test(url)) return [];
  return [{ tool: "browser_navigate", tab: String(first?.tab), arguments: { url: address(url, role) } }];
}

function fileStep(step: JsonObject, role: string): FileStep {
  const { tool, tab, args, targets, hidden, outcome, failed } = step;
  const elements = Object.entries(objectOf(targets)).map(
    ([name, target]) => [name, fileElement(objectOf(target))] as const,
  );
  const label = String(objectOf(objectOf(targets).ref).name ?? "");
  const lost = Object.entries(objectOf(hidden));
  const given = Object.entries(objectOf(args)).map(([name, value]) => [
    name,
    name === "url" && typeof value === "string" ? address(value, role) : value,
  ]);
  const secrets = lost
    .filter(([name, why]) => why === "secret" && isArgument(name, tool))
    .map(([name]) => [name, { secret: variableName(role, label || name) }]);
  const { opened } = objectOf(outcome);
  const all = Object.fromEntries([...given, ...secrets]);
  const reason = failed ? `it failed with ${failed}` : lackOf(step, elements, all);
  return {
    tool: String(tool),
    ...(typeof tab === "string" && tab && { tab }),
    ...(Object.keys(all).length > 0 && { arguments: all }),
    ...(elements.length > 0 && { elements: Object.fromEntries(elements) }),
    ...(typeof opened === "string" && { opens: opened }),
    ...(reason && { skip: reason }),
  };
}

/** Returns why the step cannot be played; undefined if it can. */
function lackOf(
  { tool, hidden }: JsonObject,
  elements: readonly (readonly [string, FileElement])[],
  args: object,
): string | undefined {
  const lost = objectOf(hidden);
  const kept: ReadonlySet<string> = new Set([...Object.keys(args), ...elements.map(([name]) => name)]);
  // One variable for a key is the whole secret, typed once a key.
  if (tool === "browser_press_key" && lost.key === "secret")
    return "it types a secret key by key: browser_type takes it as a whole";
  const [long] = Object.keys(lost).filter((name) => lost[name] === "too long");
  if (long !== undefined) return `its ${long} was too long to be recorded`;
  const needed = findTool(String(tool))?.arguments.filter(isNeeded) ?? [];
  const [lacking] = [
    ...Object.keys(lost).filter((name) => lost[name] === "not kept"),
    ...needed.map(({ name }) => name).filter((name) => !kept.has(name)),
  ];
  if (lacking !== undefined) return `its ${lacking} is not recorded`;
  return elements.some(([, { locators }]) => locators.length === 0)
    ? "no locator found its element"
    : undefined;
}

/** Other clients may leave out what is empty. */
function isNeeded({ required, mayBeEmpty, type }: Argument): boolean {
  return required && !mayBeEmpty && type !== "boolean";
}

function isArgument(name: string, tool: Json | undefined): boolean {
  return findTool(String(tool))?.arguments.some((argument) => argument.name === name) ?? false;
}

function address(url: string, role: string): FileValue {
  const { url: shown, hidden } = publicUrl(url);
  return hidden.length > 0 ? { secret: variableName(role, "address", ...hidden) } : shown || url;
}

function fileElement({ role, name, frames, labelled, locators }: JsonObject): FileElement {
  return {
    role: String(role ?? ""),
    name: String(name ?? ""),
    ...(listOf(frames).length > 0 && { frames: listOf(frames).map(String) }),
    ...(labelled === true && { labelled }),
    locators: objectsIn(locators).flatMap(fileLocators),
  };
}

function fileLocators({ parts, css }: JsonObject): FileLocator[] {
  const [only, ...more] = objectsIn(parts);
  const byCss = typeof css === "string" ? [{ css }] : [];
  if (!only || more.length > 0) return byCss;
  const { by, role, name, hasText, value } = only;
  if (by === "role" && typeof role === "string" && typeof name === "string" && hasText === undefined)
    return [{ role, name }, ...byCss];
  return by === "text" && typeof value === "string" ? [{ text: value }, ...byCss] : byCss;
}

/** Reads a file. Throws a usage error that names the step. `shown`: the file's name. */
export function readRecording(text: string, shown: string): RecordingFile {
  let file: unknown;
  try {
    // Nothing in a recording is repeated by an alias.
    file = parse(text, { maxAliasCount: 0 });
  } catch (error) {
    throw usageError(`${shown} is no YAML: ${(error as Error).message.split("\n")[0]}`);
  }
  const { version, role, steps } = objectOf(file as Json);
  if (version !== VERSION)
    throw usageError(`${shown} is no recording of version ${VERSION}: troupe record writes one`);
  if (!Array.isArray(steps) || steps.length === 0) throw usageError(`${shown} has no steps`);
  if (steps.length > STEPS_MAX) throw usageError(`${shown} has more than ${STEPS_MAX} steps`);
  return {
    version: VERSION,
    role: typeof role === "string" ? role : "",
    steps: steps.map((step, index) => checkedStep(step, `${shown}: step ${index + 1}`)),
  };
}

function checkedStep(step: Json, at: string): FileStep {
  if (!isObject(step)) throw usageError(`${at} is no object`);
  const { tool, tab, opens, skip } = step;
  if (typeof tool !== "string" || !findTool(tool)?.offered)
    throw usageError(`${at}: there is no tool ${JSON.stringify(tool ?? "")}`);
  for (const [name, value] of Object.entries({ tab, opens, skip }))
    if (value !== undefined && typeof value !== "string") throw usageError(`${at}: ${name} is no text`);
  for (const name of ["arguments", "elements"])
    if (step[name] !== undefined && !isObject(step[name] ?? null))
      throw usageError(`${at}: ${name} is no object`);
  for (const [name, element] of Object.entries(objectOf(step.elements)))
    checkElement(element, `${at}: ${name}`);
  return step as unknown as FileStep;
}

function checkElement(element: Json | undefined, at: string): void {
  const { role, name, frames = [], locators } = objectOf(element);
  if (typeof role !== "string" || typeof name !== "string" || !Array.isArray(locators))
    throw usageError(`${at} takes role, name and a list of locators`);
  if (!Array.isArray(frames) || frames.some((css) => typeof css !== "string"))
    throw usageError(`${at}: frames is a list of selectors`);
  for (const locator of locators) {
    const values = Object.entries(objectOf(locator));
    const names = values.map(([key]) => key).join(" ");
    if (
      !/^(role name|name role|css|text)$/.test(names) ||
      values.some(([, value]) => typeof value !== "string")
    )
      throw usageError(`${at}: a locator is {role, name}, {css} or {text}`);
  }
}

function objectOf(value: Json | undefined): JsonObject {
  return isObject(value ?? null) ? (value as JsonObject) : {};
}

function objectsIn(value: Json | undefined): JsonObject[] {
  return listOf(value).map(objectOf);
}

function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}
