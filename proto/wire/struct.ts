// Converts google.protobuf.Struct to JSON and back.

/** A value that JSON can hold. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

interface Struct {
  fields: Record<string, Value>;
}
type Value =
  | { nullValue: "NULL_VALUE" }
  | { numberValue: number }
  | { stringValue: string }
  | { boolValue: boolean }
  | { structValue: Struct }
  | { listValue: { values: Value[] } };

/** Returns true if a value is an object and not a list. */
export function isObject(value: Json | undefined): value is JsonObject;
export function isObject(value: unknown): value is Record<string, unknown>;
export function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns a Struct, in protobufjs's form, of a plain object. Undefined values are left out. */
export function toStruct(object: object): Struct {
  const fields: Record<string, Value> = {};
  for (const [key, value] of Object.entries(object)) if (value !== undefined) fields[key] = toValue(value);
  return { fields };
}

export function fromStruct(struct: Struct | null | undefined): JsonObject {
  const object: JsonObject = {};
  for (const [key, value] of Object.entries(struct?.fields ?? {})) object[key] = fromValue(value);
  return object;
}

function toValue(value: unknown): Value {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "number") return { numberValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (Array.isArray(value)) return { listValue: { values: value.map(toValue) } };
  if (typeof value === "object" && value !== null) return { structValue: toStruct(value) };
  return { nullValue: "NULL_VALUE" };
}

function fromValue(value: Value): Json {
  if ("stringValue" in value) return value.stringValue;
  if ("numberValue" in value) return value.numberValue;
  if ("boolValue" in value) return value.boolValue;
  if ("listValue" in value) return (value.listValue.values ?? []).map(fromValue);
  if ("structValue" in value) return fromStruct(value.structValue);
  return null;
}
