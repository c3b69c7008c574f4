// Writes a value of the page as Chrome describes it. None of the page's code runs for that.
import type { Protocol } from "puppeteer-core";

type RemoteObject = Protocol.Runtime.RemoteObject;
type Preview = Protocol.Runtime.ObjectPreview;

/** Returns the value on one line. Chrome's preview holds its first properties. */
export function valueText({
  type,
  subtype,
  value,
  unserializableValue,
  description,
  preview,
}: RemoteObject): string {
  if (unserializableValue !== undefined) return unserializableValue;
  if (type === "string") return JSON.stringify(value);
  if (type === "undefined") return "undefined";
  if (subtype === "error") return firstLine(description);
  if (type === "function") return firstLine(description).replace(/\s*\{.*$/s, "") || "function";
  if (type === "object" && preview && subtype !== "node") return previewText(preview);
  return value === undefined ? firstLine(description ?? type) : JSON.stringify(value);
}

function previewText({ subtype, description = "", properties, entries, overflow }: Preview): string {
  const isList = subtype === "array" || subtype === "typedarray";
  const inside = [
    ...(entries ?? []).map(({ key, value }) => `${key ? `${nested(key)} => ` : ""}${nested(value)}`),
    ...(entries
      ? []
      : properties.map(
          (each) => (isList && /^\d+$/.test(each.name) ? "" : `${each.name}: `) + propertyText(each),
        )),
    ...(overflow ? ["…"] : []),
  ].join(", ");
  const name = description === "Object" || subtype === "array" ? "" : `${description} `;
  return isList ? `${name}[${inside}]` : `${name}{${inside}}`;
}

function propertyText({ type, subtype, value = "" }: Protocol.Runtime.PropertyPreview): string {
  if (type === "accessor") return "(getter)";
  if (type === "string") return JSON.stringify(value);
  return value || subtype || type;
}

function nested(preview: Preview): string {
  return preview.type === "string"
    ? JSON.stringify(preview.description)
    : (preview.description ?? preview.type);
}

function firstLine(text = ""): string {
  return text.split("\n", 1)[0] ?? "";
}
