// Decides which arguments of a step are kept. It is pure.

import { publicUrl } from "../../proto/text/environment.ts";
import { findTool, type Tool } from "../../proto/tools/read-tools.ts";
import type { JsonObject } from "../../proto/wire/struct.ts";
import type { RecordedStep } from "./recorded-step.ts";

const TEXT_LENGTH_MAX = 10_000;
/** These texts are kept although no error repeats them. Those of secrets are taken out later. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  browser_type: ["text"],
  browser_press_key: ["key"],
  browser_select_option: ["values"],
  browser_wait_for: ["text", "textGone"],
  browser_handle_dialog: ["promptText"],
};
/** A pasted text may be a secret. */
const LOST: Readonly<Record<string, "secret">> = { clipboard: "secret" };
/** An element is kept by its locators, and a tab by its id. */
const REFS: ReadonlySet<string> = new Set(["ref", "from", "to", "tab"]);

/** `name`: the tool that does the same. `requestedUrl`: the address as the browser understood it. */
export function keptArguments(
  { tool, name }: { tool: Tool; name: string },
  given: JsonObject,
  requestedUrl?: string,
): Pick<RecordedStep, "args" | "hidden"> {
  const args: JsonObject = {};
  const hidden: RecordedStep["hidden"] = {};
  const texts = TEXTS[name] ?? [];
  const own = findTool(name)?.arguments ?? [];
  for (const [key, value] of Object.entries({ ...given, ...(requestedUrl && { url: requestedUrl }) })) {
    if (REFS.has(key) || value === undefined) continue;
    if (!texts.includes(key) && !isPlain(tool, key)) {
      if (own.some((argument) => argument.name === key)) hidden[key] = LOST[key] ?? "not kept";
    } else if (JSON.stringify(value).length > TEXT_LENGTH_MAX) hidden[key] = "too long";
    else if (key === "url" && typeof value === "string") Object.assign(args, urlIn(value, hidden));
    else args[key] = value;
  }
  return { args, hidden };
}

function urlIn(value: string, hidden: RecordedStep["hidden"]): JsonObject {
  const { url } = publicUrl(value);
  if (url !== "") return { url };
  hidden.url = "too long";
  return {};
}

/** Numbers and choices are no secrets, nor are texts that errors repeat. */
function isPlain({ arguments: all }: Tool, key: string): boolean {
  const argument = all.find(({ name }) => name === key);
  if (!argument || argument.local) return false;
  return argument.echo || !["string", "object"].includes(argument.type);
}

/** Returns true if a key, or one of several in a row, types a character. */
export function isCharacter(key: string): boolean {
  return key === " " || key.split(" ").some((each) => [...each].length === 1);
}
