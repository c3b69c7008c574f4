// Inserts a member into a JSON text and leaves every other character as it is.

/** The places of an object's braces. */
interface Span {
  open: number;
  close: number;
}

/** A string, a brace or bracket, or a comma. Other tokens are passed over. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],]/gs;
/** The change of depth at a token. */
const STEP: Readonly<Record<string, number>> = { "{": 1, "[": 1, "}": -1, "]": -1 };

/** Adds `name: value` to the object under `key`, which is made if it is missing. `text` is a valid JSON object. */
export function insertedJson(text: string, key: string, name: string, value: unknown): string {
  const [, indent = "  "] = /^\s*\{\s*?\n([ \t]+)/.exec(text) ?? [];
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const { root, child } = spansOf(text, key);
  const member = child ? { [name]: value } : { [key]: { [name]: value } };
  const depth = child ? 2 : 1;
  const lines = JSON.stringify(member, undefined, indent).split("\n").slice(1, -1);
  const inner = lines.map((line) => indent.repeat(depth - 1) + line).join(newline);
  const { open, close } = child ?? root;
  const before = text.slice(0, close).trimEnd();
  const isEmpty = before.length === open + 1;
  return `${before}${isEmpty ? "" : ","}${newline}${inner}${newline}${indent.repeat(depth - 1)}${text.slice(close)}`;
}

/** Finds the outermost object, and the object that is the value of its last member `key`. */
function spansOf(text: string, key: string): { root: Span; child: Span | undefined } {
  let [depth, opened] = [0, 0];
  let member: unknown;
  let child: Span | undefined;
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    depth += STEP[token] ?? 0;
    if (depth === 2 && token === "{") opened = index;
    if (depth !== 1) continue;
    if (token === ",") member = undefined;
    else if (token.startsWith('"')) member ??= JSON.parse(token);
    else if (token === "}" && member === key) child = { open: opened, close: index };
  }
  return { root: { open: text.indexOf("{"), close: text.lastIndexOf("}") }, child };
}
