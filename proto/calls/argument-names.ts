// Which argument of a tool a name means: the names that models give by mistake, from other servers that they know.
import { nearest } from "../text/nearest.ts";
import type { Argument, Tool } from "../tools/catalogue.ts";
import type { Json, JsonObject } from "../wire/struct.ts";

/** `taken`: the name says it beyond doubt. `meant`: another name is the right one, and the call is answered with it. */
export type Meaning =
  | { kind: "taken" | "meant"; argument: Argument }
  | { kind: "ignored" }
  | { kind: "unknown" };

/** Other servers' names of `ref`: taken, as nothing else can be meant. */
const REF_ALIASES = new Set(["target", "uid", "selector", "elementref", "targetref"]);
/** A human description of the element: accepted beside `ref`, and not used. */
const BESIDE_REF = "element";

/** What is meant by names of one's own making, in the order in which a tool's arguments are asked. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  ref: ["id", "elementid", "node", "nodeid", "locator", "css", "xpath", "index", "elementindex", "element"],
  text: ["value", "content", "input", "inputtext", "query", "q", "search", "string", "newtext"],
  promptText: ["text", "value", "prompt", "input", "response"],
  url: ["link", "href", "uri", "address", "website", "location", "page", "targeturl"],
  values: ["value", "option", "options", "label", "labels", "text"],
  key: ["keys", "keyname", "keypress", "combination", "shortcut", "text"],
  time: ["timeout", "seconds", "duration", "wait", "timems", "timeoutms", "milliseconds", "timeoutseconds"],
  textGone: ["textnotvisible", "texthidden", "hiddentext", "gone"],
  state: ["condition", "until"],
  accept: ["action", "confirm", "ok", "response"],
  role: ["name", "rolename", "user", "account"],
  ariaRole: ["elementrole", "type"],
  name: ["accessiblename", "label", "arialabel"],
  doubleClick: ["dblclick", "double", "isdoubleclick"],
  submit: ["pressenter", "enter", "submitkey"],
  slowly: ["presssequentially", "sequentially"],
  type: ["format", "imagetype"],
  action: ["operation", "command", "type"],
  tab: ["tabid", "pageid", "tabindex", "pageindex", "index"],
  full: ["verbose", "all", "complete"],
  maxTokens: ["maxlength", "tokens", "budget"],
  limit: ["max", "count", "maxresults"],
  depth: ["maxdepth"],
  offset: ["start", "skip"],
  ancestorLevel: ["level", "levels", "depth"],
  level: ["types", "severity", "onlyerrors", "errorsonly"],
  pattern: ["filter", "regex", "search"],
};

/** What the name means. `args`: the whole call, for what is given already under its right name. */
export function meaningOf(tool: Tool, given: string, args: JsonObject): Meaning {
  const plain = plainName(given);
  const taken = tool.arguments.find(({ name }) => name === given) ?? named(tool, plain);
  if (taken) return { kind: "taken", argument: taken };
  const ref = tool.arguments.find(({ name }) => name === "ref");
  if (ref && REF_ALIASES.has(plain)) return { kind: "taken", argument: ref };
  if (ref && plain === BESIDE_REF) {
    const isRef = !hasRef(args) && looksLikeRef(args[given]);
    return isRef ? { kind: "taken", argument: ref } : { kind: "ignored" };
  }
  const free = tool.arguments.filter(({ name }) => !(name in args));
  const meant =
    free.find(({ name }) => SYNONYMS[name]?.includes(plain)) ??
    named(
      { arguments: free },
      plainName(
        nearest(
          given,
          free.map(({ name }) => name),
        ) ?? "",
      ),
    );
  return meant ? { kind: "meant", argument: meant } : { kind: "unknown" };
}

/** Letters and digits alone: max_tokens, max-tokens and MaxTokens are maxTokens. */
export function plainName(name: string): string {
  return name
    .slice(0, 64)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "");
}

/** e5, f1_e3, @e5, [ref=e5] and the like. */
export function looksLikeRef(value: Json | undefined): boolean {
  return (
    typeof value === "string" && /^\W*(?:ref\W{0,3})?(?:f\d{1,9}_?)?e\d{1,9}\W*$/i.test(value.slice(0, 40))
  );
}

function named({ arguments: all }: Pick<Tool, "arguments">, plain: string): Argument | undefined {
  return plain === "" ? undefined : all.find(({ name }) => name.toLowerCase() === plain);
}

function hasRef(args: JsonObject): boolean {
  return Object.keys(args).some((name) => name === "ref" || REF_ALIASES.has(plainName(name)));
}
