// The protocol of the .proto files, read once by reflection with its comments and options.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import protobuf from "protobufjs";
import { once } from "../machine/once.ts";
import { isBuilt, ownPath } from "../machine/program.ts";

/** Messages as plain objects: camelCase names, enums by name, 64-bit integers as numbers, every field present. */
const TO_OBJECT = { enums: String, longs: Number, defaults: true, arrays: true, objects: true } as const;
const FILES = ["browser", "control", "worker", "peer", "errors"].map((name) => `troupe/v1/${name}.proto`);
const RPC_FILES = ["google/rpc/status.proto", "google/rpc/error_details.proto"];

/** The folder of the .proto files. */
export const protoDir: string = ownPath("proto");
/** The files that a peer needs, relative to `protoDir`. */
const PROTO_FILES = [...FILES, ...RPC_FILES];

/** The parsed protocol as the package has it, because parsing takes a third of a program's start. */
interface BuiltSchema {
  root: protobuf.INamespace;
  /** The options of fields with their structure, which protobufjs leaves out of its JSON. */
  fieldOptions: Record<string, protobuf.Field["parsedOptions"]>;
}

/** Returns the parsed protocol. */
export const schema: () => protobuf.Root = once(() => (isBuilt ? loadBuilt() : load()));

/** Returns a message type by its full name, such as `troupe.v1.ClickRequest`. */
export function messageType(name: string): protobuf.Type {
  return schema().lookupType(name);
}

/** Encodes a message given as a plain object. Enums may be given by name. */
export function encode(type: protobuf.Type, value: object): Buffer {
  return Buffer.from(type.encode(type.fromObject(value)).finish());
}

/**
 * Decodes a message to a plain object, without fields that are absent when empty. Throws protobufjs's error if the
 * bytes are not such a message.
 */
export function decode<T>(type: protobuf.Type, bytes: Uint8Array): T {
  return withoutEmpty(type, type.toObject(type.decode(bytes), TO_OBJECT)) as T;
}

/**
 * Returns true if an empty value of the field means none: by its option, or because a tool's argument is not required.
 */
export function isAbsentWhenEmpty(field: protobuf.Field): boolean {
  if (field.repeated || field.partOf || field.resolve().resolvedType instanceof protobuf.Type) return false;
  if (field.getOption("(absent_when_empty)") === true) return true;
  const isArgument = toolRequests().has(field.parent as protobuf.Type);
  return isArgument && field.getOption("(argument).required") !== true;
}

const toolRequests = once(() => {
  const { methodsArray } = schema().lookupService("troupe.v1.Browser");
  return new Set(methodsArray.map((method) => (method.resolve() as protobuf.Method).resolvedRequestType));
});

/** The parts of a message's object to prune: fields that are absent when empty, and fields that hold such messages. */
interface Pruning {
  absent: string[];
  inside: [field: string, type: protobuf.Type][];
}
const prunings = new Map<protobuf.Type, Pruning>();

function pruningOf(type: protobuf.Type): Pruning {
  const known = prunings.get(type);
  if (known) return known;
  const pruning: Pruning = { absent: [], inside: [] };
  // The entry exists before its fields are read, because messages may contain themselves.
  prunings.set(type, pruning);
  for (const field of type.fieldsArray) {
    const { resolvedType } = field.resolve();
    if (isAbsentWhenEmpty(field)) pruning.absent.push(field.name);
    else if (resolvedType instanceof protobuf.Type && !field.map) {
      const { absent, inside } = pruningOf(resolvedType);
      if (resolvedType === type || absent.length + inside.length > 0)
        pruning.inside.push([field.name, resolvedType]);
    }
  }
  return pruning;
}

function withoutEmpty(type: protobuf.Type, object: Record<string, unknown>): object {
  const { absent, inside } = pruningOf(type);
  for (const name of absent) if (isEmpty(object[name])) delete object[name];
  for (const [name, inner] of inside) {
    for (const value of [object[name]].flat())
      if (value) withoutEmpty(inner, value as Record<string, unknown>);
  }
  return object;
}

/** Proto3's default: an enum's zero ends in UNSPECIFIED. */
function isEmpty(value: unknown): boolean {
  return (
    value === "" ||
    value === 0 ||
    value === false ||
    (typeof value === "string" && value.endsWith("_UNSPECIFIED"))
  );
}

/** Returns the content of the package's proto/schema.json. */
export function builtSchema(): BuiltSchema {
  const fields = typesIn(schema()).flatMap((type) => type.fieldsArray);
  const withOptions = fields.filter(({ parsedOptions }) => parsedOptions);
  return {
    root: schema().toJSON({ keepComments: true }),
    fieldOptions: Object.fromEntries(
      withOptions.map(({ fullName, parsedOptions }) => [fullName, parsedOptions]),
    ),
  };
}

/** Makes the protocol of the content of the package's proto/schema.json. */
export function schemaOf({ root: json, fieldOptions }: BuiltSchema): protobuf.Root {
  const root = protobuf.Root.fromJSON(json);
  for (const field of typesIn(root).flatMap((type) => type.fieldsArray)) {
    const options = fieldOptions[field.fullName];
    if (options) field.parsedOptions = options;
  }
  root.resolveAll();
  return root;
}

function typesIn(namespace: protobuf.NamespaceBase): protobuf.Type[] {
  return namespace.nestedArray.flatMap((each) => [
    ...(each instanceof protobuf.Type ? [each] : []),
    ...(each instanceof protobuf.Namespace ? typesIn(each) : []),
  ]);
}

function loadBuilt(): protobuf.Root {
  return schemaOf(JSON.parse(readFileSync(ownPath("proto/schema.json"), "utf8")) as BuiltSchema);
}

function load(): protobuf.Root {
  // protobufjs ships the definitions of descriptors, but does not load them by itself.
  const descriptor = createRequire(import.meta.url)("protobufjs/google/protobuf/descriptor.json");
  protobuf.common("descriptor", descriptor.nested.google.nested.protobuf.nested);
  const root = new protobuf.Root();
  root.resolvePath = (_origin, target) =>
    target.startsWith("google/protobuf/") ? target : path.join(protoDir, target);
  root.loadSync(PROTO_FILES, { alternateCommentMode: true });
  root.resolveAll();
  return root;
}
