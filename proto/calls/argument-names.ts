// Maps a name that a model wrote to a tool's argument. Models use names from other servers that they know.
import { nearest } from "../text/nearest.ts";
import type { Argument, Called } from "../tools/read-tools.ts";
import type { Json, JsonObject } from "../wire/struct.ts";

/**
 * `taken`: the name is certain, so the value is used. `meant`: another name is right, and the answer gives the call
 * with it.
 */
export type Meaning =
  | { kind: "taken" | "meant"; argument: Argument }
  | { kind: "ignored" }
  | { kind: "unknown" };

/** Other servers' names of `ref`. They are taken, because they can mean nothing else. */
const REF_ALIASES = new Set(["target", "uid", "selector", "elementref", "targetref"]);
/** A human description of the element. It is accepted beside `ref` and not used. */
const BESIDE_REF = "element";

/** Invented names and the arguments that they mean. A tool's arguments are tried in this order. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  ref: ["id", "elementid", "node", "nodeid", "locator", "css", "xpath", "index", "elementindex", "element"],
  text: ["value", "content", "input", "inputtext", "query", "q", "search", "string", "newtext"],
  promptText: ["text", "value", "prompt", "input", "response"],
  url: ["link", "href", "uri", "address", "website", "location", "page", "targeturl"],
  value: ["text", "values", "checked", "option", "content", "newvalue"],
  fields: ["elements", "controls", "inputs", "form", "values"],
  values: ["value", "option", "options", "label", "labels", "text"],
  key: ["keys", "keyname", "keypress", "combination", "shortcut", "text"],
  time: ["timeout", "seconds", "duration", "wait", "timems", "timeoutms", "milliseconds", "timeoutseconds"],
  textGone: ["textnotvisible", "texthidden", "hiddentext", "gone"],
  state: ["condition", "until"],
  steps: ["actions", "calls", "commands", "sequence", "batch"],
  until: ["waitfor", "wait", "condition", "finally"],
  accept: ["action", "confirm", "ok", "response"],
  role: ["name", "rolename", "user", "account"],
  from: ["fromuid", "fromref", "source", "sourceref", "start", "startref", "starttarget", "ref"],
  to: ["touid", "toref", "target", "targetref", "end", "endref", "endtarget", "destination"],
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
  why: ["reason", "message", "question", "purpose", "text"],
  ancestorLevel: ["level", "levels", "depth"],
  level: ["types", "severity", "onlyerrors", "errorsonly"],
  pattern: ["filter", "regex", "search"],
};

/**
 * Returns the meaning of a name. `args`: the whole call, to see which arguments it already gives under their right
 * names.
 */
export function meaningOf(tool: Called, given: string, args: JsonObject): Meaning {
  const plain = plainName(given);
  const taken = tool.arguments.find(({ name }) => name === given) ?? named(tool, plain);
  if (taken) return { kind: "taken", argument: taken };
  if (tool.ignored?.has(plain)) return { kind: "ignored" };
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

/** Keeps only letters and digits: max_tokens, max-tokens and MaxTokens are maxTokens. */
export function plainName(name: string): string {
  return name
    .slice(0, 64)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "");
}

/** Accepts e5, f1_e3, @e5, [ref=e5] and similar forms. */
export function looksLikeRef(value: Json | undefined): boolean {
  return (
    typeof value === "string" && /^\W*(?:ref\W{0,3})?(?:f\d{1,9}_?)?e\d{1,9}\W*$/i.test(value.slice(0, 40))
  );
}

function named({ arguments: all }: Pick<Called, "arguments">, plain: string): Argument | undefined {
  return plain === "" ? undefined : all.find(({ name }) => name.toLowerCase() === plain);
}

function hasRef(args: JsonObject): boolean {
  return Object.keys(args).some((name) => name === "ref" || REF_ALIASES.has(plainName(name)));
}
