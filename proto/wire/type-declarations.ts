/**
 * Writes the types of every message, enum and rpc as TypeScript.
 *
 * A message has the shape that `decode` of schema.ts gives it. Scalars, lists and maps are always there, and an unset
 * message is null. A oneof's field is absent while unset, and so is a field that is absent when empty.
 */
import protobuf from "protobufjs";
import { isAbsentWhenEmpty } from "./schema.ts";

const ownPackage = "troupe.v1";
const writtenPackages = [ownPackage, "google.rpc"];

const head = `// Generated from proto/**/*.proto by proto/generate-types.ts. Do not edit.

/** A message as it may be sent: what is left out is unset. */
export type Input<T> = T extends Uint8Array
  ? Uint8Array
  : T extends readonly (infer Item)[]
    ? readonly Input<Item>[]
    : T extends object
      ? { [Key in keyof T]?: Input<T[Key]> | null }
      : T;
`;

const numbers = new Set(
  "double float int32 uint32 sint32 fixed32 sfixed32 int64 uint64 sint64 fixed64 sfixed64".split(" "),
);

/**
 * Returns the text of a module that declares them. Names within `troupe.v1` stand alone; others carry their package.
 */
export function typeDeclarations(root: protobuf.Root): string {
  const parts = [head];
  const names = new Map<string, string>();
  // A message of another package is written if a written message has a field of it.
  const queue = writtenPackages.flatMap((name) => membersOf(root.lookup(name)));
  const seen = new Set(queue);
  const need = (type: protobuf.ReflectionObject): string => {
    if (!seen.has(type)) queue.push(type);
    seen.add(type);
    return typeName(type);
  };
  for (const item of queue) {
    const name = typeName(item);
    const other = names.get(name);
    if (other) throw new Error(`${item.fullName} and ${other} would both be called ${name}`);
    names.set(name, item.fullName);
    if (item instanceof protobuf.Enum) parts.push(enumType(item));
    else if (item instanceof protobuf.Type) parts.push(messageType(item, need));
    else if (item instanceof protobuf.Service) parts.push(methodsType(item, need));
  }
  return parts.join("\n");
}

/** Returns messages, enums and services below a namespace, in the order of their declaration. */
function membersOf(parent: protobuf.ReflectionObject | null): protobuf.ReflectionObject[] {
  if (!(parent instanceof protobuf.Namespace)) return [];
  return parent.nestedArray.flatMap((item) => {
    const declared =
      item instanceof protobuf.Type || item instanceof protobuf.Enum || item instanceof protobuf.Service;
    return [...(declared ? [item] : []), ...membersOf(item)];
  });
}

/** `troupe.v1.Outer.Inner` is OuterInner, `google.rpc.Status` is GoogleRpcStatus. */
function typeName(item: protobuf.ReflectionObject): string {
  const path = item.fullName.replace(/^\./, "");
  const own = path.startsWith(`${ownPackage}.`) ? path.slice(ownPackage.length + 1) : path;
  return own
    .split(".")
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join("");
}

function enumType(item: protobuf.Enum): string {
  const values = Object.keys(item.values).map((value) => `\n  | ${JSON.stringify(value)}`);
  return `${doc(item.comment)}export type ${typeName(item)} =${values.join("")};\n`;
}

function messageType(item: protobuf.Type, need: (type: protobuf.ReflectionObject) => string): string {
  const name = typeName(item);
  const fields = item.fieldsArray.map((field) => {
    const optional = field.partOf || isAbsentWhenEmpty(field) ? "?" : "";
    return `${doc(field.comment, "  ")}  ${field.name}${optional}: ${fieldType(field, need)};\n`;
  });
  return [
    `${doc(item.comment)}export interface ${name} {\n${fields.join("")}}\n`,
    `export type ${name}Input = Input<${name}>;\n`,
  ].join("");
}

function fieldType(field: protobuf.Field, need: (type: protobuf.ReflectionObject) => string): string {
  const value = field.resolvedType ? need(field.resolvedType) : scalarType(field.type);
  if (field instanceof protobuf.MapField) return `{ [key: string]: ${value} }`;
  if (field.repeated) return `${value}[]`;
  return field.resolvedType instanceof protobuf.Type && !field.partOf ? `${value} | null` : value;
}

function scalarType(type: string): string {
  if (numbers.has(type)) return "number";
  return { bool: "boolean", bytes: "Buffer" }[type] ?? "string";
}

function methodsType(service: protobuf.Service, need: (type: protobuf.ReflectionObject) => string): string {
  const methods = service.methodsArray.map((method) => {
    const { resolvedRequestType: request, resolvedResponseType: response } = method;
    if (!request || !response) throw new Error(`${method.fullName} has an unknown message`);
    const members = [
      `request: ${need(request)}`,
      `response: ${need(response)}`,
      `requestStream: ${method.requestStream ?? false}`,
      `responseStream: ${method.responseStream ?? false}`,
    ];
    return `${doc(method.comment, "  ")}  ${method.name}: { ${members.join("; ")} };\n`;
  });
  return `${doc(service.comment)}export interface ${typeName(service)}Methods {\n${methods.join("")}}\n`;
}

function doc(comment: string | null, indent = ""): string {
  if (!comment) return "";
  const lines = comment.replaceAll("*/", "*\\/").split("\n");
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return [`/**`, ...lines.map((line) => ` * ${line}`.trimEnd()), ` */`]
    .map((line) => `${indent}${line}\n`)
    .join("");
}
