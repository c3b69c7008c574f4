// The words of a plan's steps: calls of tools, spelled out without the caller's secrets.
import { findTool, inProfile } from "../../tools/read-tools.ts";
import { isShown } from "../../tools/tool-list.ts";
import type { Json, JsonObject } from "../../wire/struct.ts";
import type { FailedCall, Step } from "./step.ts";

/** Stands in a step's arguments for the ref of the intended element. */
export const CANDIDATE = "$candidate";

/** Makes a step in words alone. */
export function say(text: string): Step {
  return { text };
}

/** Makes a step that calls a tool. If this client's profile lacks the tool, the step says the same in words. */
export function callStep(
  call: FailedCall,
  tool: string,
  args: JsonObject,
  purpose: string,
  inWords?: string,
): Step {
  const known = findTool(tool);
  if (!known || !inProfile(known.profile, call.profile)) return say(inWords ?? purpose);
  const whole = inItsPlace(call, tool, args);
  // These are the plan's own words, so they contain no secret of the caller.
  return {
    text: `Call ${spell(tool, whole, new Set(Object.keys(whole)))}${purpose ? ` ${purpose}` : ""}`,
    tool,
    arguments: whole,
  };
}

/** Repeats the failed call with some arguments changed. */
export function again(
  call: FailedCall,
  changed: JsonObject = {},
  purpose = "",
  shown: Record<string, string> = {},
): Step {
  if (!findTool(call.tool)) return say(["Do the same again", purpose].filter(Boolean).join(" "));
  const own = (given: JsonObject) => withRefName(given, call);
  const args = inItsPlace(call, call.tool, { ...call.arguments, ...own(changed) });
  const text = `Call ${spell(call.tool, args, new Set(Object.keys(own(changed))), own(shown) as typeof shown)}${purpose ? ` ${purpose}` : ""}`;
  return { text, tool: call.tool, arguments: args };
}

/** Some tools have another name for the ref of the intended element. */
function withRefName({ ref, ...args }: JsonObject, { refName = "ref" }: FailedCall): JsonObject {
  return ref === undefined ? args : { ...args, [refName]: ref };
}

/** Adds the name of the argument that holds this ref, if the tool has none of the name `ref`. */
export function namingRef(call: FailedCall, { ref }: { ref?: unknown }): FailedCall {
  const names = findTool(call.tool)?.arguments.map(({ name }) => name) ?? [];
  if (names.length === 0 || names.includes("ref") || typeof ref !== "string") return call;
  const refName = names.find((name) => refIn(call.arguments[name]) === ref);
  return refName === undefined ? call : { ...call, refName };
}

function refIn(value: Json | undefined): string | undefined {
  return typeof value === "string" ? /(?:f\d+_)?e\d+/.exec(value)?.[0] : undefined;
}

/** The call's tab as an argument, if the call named one. */
export function tabOf(call: FailedCall): JsonObject {
  return typeof call.arguments.tab === "string" ? { tab: call.arguments.tab } : {};
}

/** Adds the role and the session that the call named for itself alone. */
function inItsPlace(call: FailedCall, tool: string, all: JsonObject): JsonObject {
  const args = withoutOwnBudget(call, tool, all);
  const { ownSession: session } = call;
  const takesRole = call.ownRole && !("role" in args) && !findTool(tool)?.roleless;
  return {
    ...args,
    ...(takesRole && { role: call.role }),
    ...(session !== undefined && !("session" in args) && { session }),
  };
}

/** Adds the session that the call named to the steps in words that name a tool. */
export function wordsInItsSession(steps: readonly Step[], { ownSession }: FailedCall): Step[] {
  if (ownSession === undefined) return [...steps];
  const words = `(session: ${JSON.stringify(ownSession)})`;
  return steps.map((step) => {
    const isComplete = step.tool !== undefined || step.text.endsWith(words) || !namesTool(step.text);
    return isComplete ? step : { ...step, text: `${step.text} ${words}` };
  });
}

function namesTool(text: string): boolean {
  return (text.match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? []).some((word) => findTool(word) !== undefined);
}

/** If a profile shows no budget, the call's budget is its shim's, and the shim sets it again. */
function withoutOwnBudget({ profile }: FailedCall, tool: string, args: JsonObject): JsonObject {
  if (!("maxTokens" in args) || isShown(tool, "maxTokens", profile)) return args;
  const { maxTokens: _maxTokens, ...others } = args;
  return others;
}

function spell(
  tool: string,
  args: JsonObject,
  told: ReadonlySet<string> = new Set(),
  shown: Record<string, string> = {},
): string {
  const parts = Object.entries(args).map(([name, value]) => {
    if (shown[name] !== undefined) return `${name}: ${shown[name]}`;
    // Values that are not marked may be the caller's secrets.
    const argument = findTool(tool)?.arguments.find((each) => each.name === name);
    const isTyped = argument?.typed && !isKeyName(name, value);
    const isSpoken = argument?.echo || ADDRESSES.has(name) || (told.has(name) && !isTyped);
    return `${name}: ${isSpoken ? spellValue(name, value) : "<as before>"}`;
  });
  return `${tool}(${parts.join(", ")})`;
}

function spellValue(name: string, value: Json): string {
  if (value === CANDIDATE) return "<its ref>";
  // An address that was written without its scheme may begin with a password.
  return JSON.stringify(name === "url" && typeof value === "string" ? value.replace(USERINFO, "$1") : value);
}

/** Arguments that say where a call goes. They are no secrets. */
const ADDRESSES: ReadonlySet<string> = new Set(["role", "session"]);

const USERINFO = /^(\s*(?:https?:)?[/\\]*)[^/?#\\]*@/i;

/** The name of a key is no secret. */
function isKeyName(name: string, value: Json): boolean {
  return name === "key" && typeof value === "string" && KEY.test(value);
}

const KEY = new RegExp(
  "^(?:(?:control|ctrl|shift|alt|meta|cmd|command)\\+)*" +
    "(?:enter|return|escape|esc|tab|backspace|delete|insert|home|end|page(?:up|down)|space|arrow(?:up|down|left|right)" +
    "|f\\d{1,2}|control|shift|alt|meta|(?<=\\+).)$",
  "i",
);
