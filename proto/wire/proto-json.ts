// Writes messages in the protocol's JSON (proto3): times as RFC 3339, bytes as base64. Other values already have that
// form.
import protobuf from "protobufjs";
import { schema } from "./schema.ts";

const TIMESTAMP = ".google.protobuf.Timestamp";

/** Returns the JSON form of a message that was decoded to a plain object. */
export function protoJson(type: protobuf.Type, message: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(message).map(([name, value]) => [name, fieldJson(type.fields[name], value)]),
  );
}

/** Returns a reply of the control plane in that form. */
export function controlReplyJson(rpc: string, response: object): Record<string, unknown> {
  const method = schema().lookupService("troupe.v1.Control").methods[rpc];
  method?.resolve();
  const type = method?.resolvedResponseType;
  return type instanceof protobuf.Type ? protoJson(type, response) : {};
}

/** Returns a timestamp message as text; null if it is unset. */
export function timeText(time: { seconds: number; nanos: number } | null | undefined): string | null {
  return time ? new Date(time.seconds * 1000 + Math.floor(time.nanos / 1e6)).toISOString() : null;
}

function fieldJson(field: protobuf.Field | undefined, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => fieldJson(field, each));
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  const type = field?.resolvedType;
  if (!(type instanceof protobuf.Type) || value === null || field instanceof protobuf.MapField) return value;
  if (type.fullName === TIMESTAMP) return timeText(value as { seconds: number; nanos: number });
  return protoJson(type, value as object);
}
