// The form of an entry in the catalogue of errors, and the words of its plans.
import { quote } from "../text/quote.ts";
import { findTool, inProfile, type Profile } from "../tools/catalogue.ts";
import { isShown } from "../tools/tool-list.ts";
import type { Json, JsonObject } from "../wire/struct.ts";

export type ErrorCategory =
  | "VALIDATION"
  | "EXECUTION"
  | "TIMEOUT"
  | "POLICY"
  | "CONNECTION"
  | "DEBUGGER"
  | "CRASH"
  | "CAPACITY"
  | "UNKNOWN";

/** The gRPC status codes that errors use (google.rpc.Code). */
export const GRPC_CODE = {
  CANCELLED: 1,
  INVALID_ARGUMENT: 3,
  DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  ABORTED: 10,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
  UNAUTHENTICATED: 16,
} as const;
export type GrpcCode = keyof typeof GRPC_CODE;

/** The failed call, as far as it is known at the place of the error. */
export interface FailedCall {
  tool: string;
  arguments: JsonObject;
  profile: Profile;
  role: string;
  /** The call named its role for itself alone, so the calls of its plan must name it too. */
  ownRole?: boolean;
  session: string;
  tab: string;
}

/** One step of a plan. With a tool, its text is the exact call. */
export interface Step {
  text: string;
  tool?: string;
  arguments?: JsonObject;
}

/** An element in an error: ARIA role, accessible name, lower-case tag. */
export interface ElementData {
  ref: string;
  role: string;
  name: string;
  tag: string;
}

export interface Candidate {
  ref: string;
  role: string;
  name: string;
}

/** One type of the catalogue. `Data` is the data of a case. Functions are pure. */
export interface ErrorEntry<Data> {
  title: string;
  /** The missing part that would raise it. Documents leave the type out until that part is built. */
  notBuilt?: string;
  /** A case as the code raises it, for tests and documents. */
  example: Data;
  category: ErrorCategory;
  code: GrpcCode | ((data: Data) => GrpcCode);
  /** Following the steps to the letter does what the call was meant to do. */
  recoverable: boolean | ((data: Data) => boolean);
  /** True, or a sentence that says when, if the error is often normal. False: it should not have happened. */
  expected: boolean | string | ((data: Data) => boolean | string);
  /** The message for a program's log. */
  message(data: Data, call: FailedCall): string;
  /** The facts that head the text: label and value. */
  facts?(data: Data, call: FailedCall): [label: string, value: string][];
  /** The reason in the text. Default: the message. */
  why?(data: Data, call: FailedCall): string;
  causes(data: Data, call: FailedCall): string[];
  steps(data: Data, call: FailedCall): Step[];
  candidates?(data: Data): readonly Candidate[];
  retry?(data: Data): { afterMs: number; sameCall: boolean } | undefined;
  /** Further plans, each for the case that the plans before it were tried in vain. `data`: as it was delivered. */
  otherwise?(data: Data, call: FailedCall): Step[][];
  /** The person or setting that is needed when no plan is left. `data`: as it was delivered. */
  lastly?(data: Data, call: FailedCall): string;
}

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
  const whole = inItsRole(call, tool, args);
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
  const args = inItsRole(call, call.tool, { ...call.arguments, ...changed });
  const text = `Call ${spell(call.tool, args, new Set(Object.keys(changed)), shown)}${purpose ? ` ${purpose}` : ""}`;
  return { text, tool: call.tool, arguments: args };
}

/** The call's tab as an argument, if the call named one. */
export function tabOf(call: FailedCall): JsonObject {
  return typeof call.arguments.tab === "string" ? { tab: call.arguments.tab } : {};
}

function inItsRole(call: FailedCall, tool: string, all: JsonObject): JsonObject {
  const args = withoutOwnBudget(call, tool, all);
  const takesRole = call.ownRole && !("role" in args) && !findTool(tool)?.roleless;
  return takesRole ? { ...args, role: call.role } : args;
}

/** If a profile shows no budget, the call's budget is its shim's, and the shim sets it again. */
function withoutOwnBudget({ profile }: FailedCall, tool: string, args: JsonObject): JsonObject {
  if (!("maxTokens" in args) || isShown(tool, "maxTokens", profile)) return args;
  const { maxTokens: _maxTokens, ...others } = args;
  return others;
}

/** The name of an element in words: `button "Submit"`. */
export function named(element: { role: string; name: string; tag?: string }): string {
  const role = element.role || (element.tag ? `<${element.tag}>` : "element");
  return element.name ? `${role} ${quote(element.name)}` : role;
}

/** The facts of an element that head a text. */
export function elementFacts(data: ElementData): [string, string][] {
  return [
    ["Element", data.ref],
    ["Type", data.role || "generic"],
    ["Label", quote(data.name)],
    ["Tag", `<${data.tag}>`],
  ];
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
    const isSpoken = argument?.echo || name === "role" || (told.has(name) && !isTyped);
    return `${name}: ${isSpoken ? spellValue(name, value) : "<as before>"}`;
  });
  return `${tool}(${parts.join(", ")})`;
}

function spellValue(name: string, value: Json): string {
  if (value === CANDIDATE) return "<its ref>";
  // An address that was written without its scheme may begin with a password.
  return JSON.stringify(name === "url" && typeof value === "string" ? value.replace(USERINFO, "$1") : value);
}

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
