// The protocol as it stands in the .proto files, read once by reflection with its comments and options.
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import protobuf from "protobufjs";

/** Messages as plain objects: camelCase names, enums by name, 64-bit integers as numbers, every field present. */
const TO_OBJECT = { enums: String, longs: Number, defaults: true, arrays: true, objects: true } as const;
const FILES = ["browser", "control", "worker", "errors"].map((name) => `troupe/v1/${name}.proto`);
const RPC_FILES = ["google/rpc/status.proto", "google/rpc/error_details.proto"];

/** Where the .proto files are. */
export const protoDir: string = fileURLToPath(new URL(".", import.meta.url));
/** The files that a peer needs, relative to `protoDir`. */
export const protoFiles: readonly string[] = [...FILES, ...RPC_FILES];

/** The parsed protocol. */
export const schema: protobuf.Root = load();

/** A message type by its full name, such as `troupe.v1.ClickRequest`. */
export function messageType(name: string): protobuf.Type {
  return schema.lookupType(name);
}

/** Bytes of a message given as a plain object; enums may be given by name. */
export function encode(type: protobuf.Type, value: object): Buffer {
  return Buffer.from(type.encode(type.fromObject(value)).finish());
}

/** A message's bytes as a plain object. Throws what protobufjs throws where they are no such message. */
export function decode<T>(type: protobuf.Type, bytes: Uint8Array): T {
  return type.toObject(type.decode(bytes), TO_OBJECT) as T;
}

function load(): protobuf.Root {
  // The definitions of descriptors come with protobufjs, but are not among those it knows by itself.
  const descriptor = createRequire(import.meta.url)("protobufjs/google/protobuf/descriptor.json");
  protobuf.common("descriptor", descriptor.nested.google.nested.protobuf.nested);
  const root = new protobuf.Root();
  root.resolvePath = (_origin, target) =>
    target.startsWith("google/protobuf/") ? target : protoDir + target;
  root.loadSync([...protoFiles], { alternateCommentMode: true });
  root.resolveAll();
  return root;
}
