// Writes what a page passed to its console, as a console shows it. Everything comes from Chrome's descriptions, so no
// script of the page runs.
import type { Protocol } from "puppeteer-core";
import { cut } from "../../../proto/text/quote.ts";

type RemoteObject = Protocol.Runtime.RemoteObject;
type Preview = Protocol.Runtime.ObjectPreview;

/** No message is longer, so longer arguments need not be read whole. */
const TEXT_LENGTH_MAX = 2_000;
/** A place for an argument in the first one (https://console.spec.whatwg.org/#formatter). */
const SPECIFIER = /%([sdifoOc%])/g;

/** Returns the message of a call of console.log and its likes. */
export function consoleText([first, ...others]: readonly RemoteObject[]): string {
  if (first?.type !== "string")
    return [first, ...others].flatMap((each) => (each ? objectText(each) : [])).join(" ");
  const rest = [...others];
  const text = cut(String(first.value ?? ""), TEXT_LENGTH_MAX).replace(SPECIFIER, (whole, kind: string) => {
    if (kind === "%") return "%";
    const argument = rest.shift();
    if (!argument) return whole;
    return kind === "c" ? "" : objectText(argument);
  });
  return [text, ...rest.map(objectText)].join(" ");
}

/** Returns an error with its message; of anything else that was thrown, its text. */
export function thrownText({ text, exception }: Protocol.Runtime.ExceptionDetails): string {
  if (!exception) return text;
  const said = isError(exception) ? messageOf(exception.description ?? "") : objectText(exception);
  return said === "" ? text : `${text} ${said}`;
}

function objectText(object: RemoteObject): string {
  const { value, unserializableValue, description, type, preview } = object;
  if (type === "string") return cut(String(value ?? ""), TEXT_LENGTH_MAX);
  if (unserializableValue !== undefined) return unserializableValue;
  if (isError(object)) return messageOf(description ?? "");
  if (preview && type !== "function") return previewText(preview);
  if (type === "function") return cut(description?.split("\n")[0] ?? "function", 100);
  if (value !== undefined) return JSON.stringify(value);
  return description ?? type;
}

function isError({ subtype }: RemoteObject): boolean {
  return subtype === "error";
}

/** Removes the stack from an error's description. The message may have several lines. */
function messageOf(description: string): string {
  return description.split(/\n\s+at /)[0] ?? "";
}

function previewText({ description, subtype, properties, entries, overflow }: Preview): string {
  if (subtype !== undefined && !["array", "map", "set", "typedarray"].includes(subtype))
    return description ?? subtype;
  const more = overflow ? ["…"] : [];
  if (entries) {
    const pairs = entries.map(
      ({ key, value }) => `${key ? `${previewText(key)} => ` : ""}${entryText(value)}`,
    );
    return `${description} {${[...pairs, ...more].join(", ")}}`;
  }
  if (subtype === "array" || subtype === "typedarray")
    return `[${[...properties.map(propertyText), ...more].join(", ")}]`;
  const named = properties.map((property) => `${property.name}: ${propertyText(property)}`);
  const kind = description === undefined || description === "Object" ? "" : `${description} `;
  return `${kind}{${[...named, ...more].join(", ")}}`;
}

/** An entry of a map or set that is plain has no properties. */
function entryText(entry: Preview): string {
  const { type, description = type } = entry;
  return type === "string"
    ? JSON.stringify(description)
    : type === "object"
      ? previewText(entry)
      : description;
}

function propertyText({ type, value = type, valuePreview }: Protocol.Runtime.PropertyPreview): string {
  if (valuePreview) return previewText(valuePreview);
  if (type === "accessor") return "(…)";
  return type === "string" ? JSON.stringify(value) : value;
}
