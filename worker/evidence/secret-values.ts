// Takes the values of fields for secrets out of a reply, as evidence keeps it. It is pure.
import type { SecretField } from "../bridge/api/bridge-api.ts";
import type { RecordedStep } from "../recording/recorded-step.ts";

const MASK = "•••";
/** A line of a field: its head with the ref, which no quoted text counts as, and the value after the colon. */
const LINE =
  /^((?:"(?:[^"\\\n]|\\.)*"|[^"\n])*?\[ref=([\w-]+)\](?: \[(?:[^"\]]|"(?:[^"\\]|\\.)*")*\])*): (.+)$/gm;
const KEYS_MAX = 1_000;

/** Returns true if the text shows an element with a value. */
export function showsValue(text: string): boolean {
  return text.search(LINE) >= 0;
}

/** Returns the text without the values of these fields. `fields`: undefined masks the value of each field. */
export function withoutValues(text: string, fields: readonly SecretField[] | undefined): string {
  if (fields?.length === 0) return text;
  const refs = fields && new Set(fields.map(({ ref }) => ref));
  const masked = text.replace(LINE, (line: string, head: string, ref: string) =>
    (refs ? refs.has(ref) : FIELD.test(head)) ? `${head}: ${MASK}` : line,
  );
  return (fields ?? []).reduce(withoutNamed, masked);
}

/** Returns the text without the keys that went to fields for secrets. `given`: the arguments of the call. */
export function withoutKeys(text: string, given: unknown, steps: readonly RecordedStep[]): string {
  if (!steps.some(({ hidden }) => hidden.key === "secret")) return text;
  return keysIn(given)
    .reduce((rest, key) => rest.replaceAll(`Pressed ${key}\n`, `Pressed ${MASK}\n`), `${text}\n`)
    .slice(0, -1);
}

/** Fields whose page does not answer. */
const FIELD = /^\s*(?:[~+] )?- (?:textbox|searchbox|spinbutton|combobox)\b/;

/** A disabled field has no ref, and a text to read has none at all. */
function withoutNamed(text: string, { name, value }: SecretField): string {
  const inText = name === "" ? text : text.replaceAll(`${name}: ${value}`, `${name}: ${MASK}`);
  const head = `textbox ${JSON.stringify(name)}`;
  const lines = inText.split("\n");
  const isOwn = (line: string) =>
    line.includes(name === "" ? "- textbox" : head) && line.endsWith(`: ${value}`);
  return lines.map((line) => (isOwn(line) ? line.slice(0, -value.length) + MASK : line)).join("\n");
}

function keysIn(given: unknown): string[] {
  const keys: string[] = [];
  const open: unknown[] = [given];
  for (let value = open.pop(); value !== undefined && keys.length < KEYS_MAX; value = open.pop()) {
    if (typeof value !== "object" || value === null) continue;
    for (const [name, each] of Object.entries(value))
      if (name === "key" && typeof each === "string") keys.push(each);
      else if (typeof each === "object") open.push(each);
  }
  return keys;
}
