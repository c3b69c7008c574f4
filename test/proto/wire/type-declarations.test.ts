import assert from "node:assert/strict";
import { test } from "node:test";
import protobuf from "protobufjs";
import { decode, encode, schema } from "../../../proto/wire/schema.ts";
import { typeDeclarations } from "../../../proto/wire/type-declarations.ts";

const example = `
syntax = "proto3";
package troupe.v1;
// How it is done.
enum Manner { MANNER_UNSPECIFIED = 0; MANNER_SLOWLY = 1; }
// Asks for it.
message DoRequest {
  // What to do.
  string what = 1;
  optional bool really_now = 2;
  int64 size_bytes = 3;
  bytes chunk = 4;
  Manner manner = 5;
  repeated Manner manners = 6;
  map<string, Part> by_name = 7;
  Part part = 8;
  optional Part spare = 9;
  oneof kind { string text = 10; Part whole = 11; }
  message Part { bool ok = 1; }
}
message DoResponse {}
// Does things.
service Doer {
  // Does one.
  rpc Do(DoRequest) returns (stream DoResponse);
}
`;

test("declares each message in the shape in which it is decoded", () => {
  const [, fields] = /interface DoRequest \{\n(.*?)\n\}/s.exec(typeDeclarations(parsed(example))) ?? [];
  assert.deepEqual(fields?.split("\n"), [
    "  /** What to do. */",
    "  what: string;",
    "  reallyNow?: boolean;",
    "  sizeBytes: number;",
    "  chunk: Buffer;",
    "  manner: Manner;",
    "  manners: Manner[];",
    "  byName: { [key: string]: DoRequestPart };",
    "  part: DoRequestPart | null;",
    "  spare?: DoRequestPart;",
    "  text?: string;",
    "  whole?: DoRequestPart;",
  ]);
});

test("decoded messages have the declared shape, empty and full", () => {
  const type = parsed(example).lookupType("troupe.v1.DoRequest");
  const empty = { what: "", sizeBytes: 0, chunk: Buffer.alloc(0), manner: "MANNER_UNSPECIFIED", part: null };
  assert.deepEqual(decode(type, Buffer.alloc(0)), { ...empty, manners: [], byName: {} });
  const full = {
    what: "a",
    reallyNow: false,
    sizeBytes: 2 ** 40,
    chunk: Buffer.from("b"),
    manner: "MANNER_SLOWLY",
    manners: ["MANNER_SLOWLY"],
    byName: { c: { ok: true } },
    part: { ok: false },
    spare: { ok: true },
    text: "d",
  };
  assert.deepEqual(decode(type, encode(type, full)), full);
});

test("declares the methods of a service with their messages and streams", () => {
  const text = typeDeclarations(parsed(example));
  assert.match(
    text,
    /\/\*\* Does things\. \*\/\nexport interface DoerMethods \{\n {2}\/\*\* Does one\. \*\/\n/,
  );
  assert.match(
    text,
    /Do: \{ request: DoRequest; response: DoResponse; requestStream: false; responseStream: true \};/,
  );
  assert.match(
    text,
    /\/\*\* How it is done\. \*\/\nexport type Manner =\n {2}\| "MANNER_UNSPECIFIED"\n {2}\| "MANNER_SLOWLY";/,
  );
});

test("refuses two messages that would share a name", () => {
  const twice = `syntax = "proto3"; package troupe.v1; message A { message B {} } message AB {}`;
  assert.throws(() => typeDeclarations(parsed(twice)), /would both be called AB/);
});

test("a message decoded from nothing has every field that is declared as always present", () => {
  const declared = [...typeDeclarations(schema()).matchAll(/^export interface (\w+) \{\n(.*?)^\}/gms)];
  const own = schema().lookup("troupe.v1") as protobuf.Namespace;
  const types = own.nestedArray.filter((each) => each instanceof protobuf.Type);
  assert.ok(types.length > 0);
  for (const type of types) {
    const [, , fields = ""] = declared.find(([, name]) => name === type.name) ?? [];
    const always = [...fields.matchAll(/^ {2}(\w+): /gm)].map(([, name]) => name);
    assert.deepEqual(Object.keys(decode<object>(type, Buffer.alloc(0))).sort(), always.sort(), type.name);
  }
});

function parsed(text: string): protobuf.Root {
  const root = new protobuf.Root();
  protobuf.parse(text, root, { alternateCommentMode: true });
  root.resolveAll();
  return root;
}
