// Random inputs for both doors: bytes, messages with wrong values, broken messages, unexpected headers.
import protobuf from "protobufjs";
import { encode, schema } from "../../../proto/wire/schema.ts";
import { type Random, randomFrom } from "./random.ts";

/** An input. `framed` means that its gRPC frame is whole, so that the daemon itself has to answer. */
export type FuzzInput = { seed: number; about: string } & (
  | { door: "grpc"; path: string; headers: Record<string, string>; body: Buffer; framed: boolean }
  | { door: "rest"; method: string; path: string; headers: Record<string, string>; body: Buffer | undefined }
);

/** Methods that the fuzz never calls. Drain ends the daemon, and the streams give no final answer. */
const LEFT_OUT = new Set(["Drain", "Watch", "WatchEvents"]);
const SERVICES = ["Browser", "Control"] as const;
const methods = SERVICES.flatMap((service) =>
  schema()
    .lookupService(`troupe.v1.${service}`)
    .methodsArray.filter(({ name }) => !LEFT_OUT.has(name)),
);

/** Returns the input of a seed, which is always the same. */
export function inputOf(seed: number): FuzzInput {
  const random = randomFrom(seed);
  return random.chance(0.6) ? grpcInput(seed, random) : restInput(seed, random);
}

function grpcInput(seed: number, random: Random): FuzzInput {
  const method = random.one(methods);
  const type = (method.resolve() as protobuf.Method).resolvedRequestType as protobuf.Type;
  const [kind, bytes] = bodyOf(type, random);
  const framed = random.chance(0.95);
  const length = framed ? bytes.length : random.below(2 ** 31);
  const prefix = Buffer.alloc(5);
  prefix[0] = framed ? 0 : random.below(256);
  prefix.writeUInt32BE(length, 1);
  return {
    door: "grpc",
    seed,
    about: `${method.name} with ${kind}${framed ? "" : " in a broken frame"}`,
    path: `/troupe.v1.${method.parent?.name}/${method.name}`,
    headers: headersOf(random),
    body: Buffer.concat([prefix, bytes]),
    framed,
  };
}

function bodyOf(type: protobuf.Type, random: Random): [string, Buffer] {
  const valid = () => encode(type, messageOf(type, random, 0));
  switch (random.below(4)) {
    case 0:
      return ["random bytes", random.bytes(random.below(200))];
    case 1:
      return ["a message of random values", valid()];
    case 2:
      return ["a broken message", broken(valid(), random)];
    default:
      // Field numbers and wire types that fit no message, followed by a valid message.
      return ["foreign fields", Buffer.concat([random.bytes(1 + random.below(4)), valid()])];
  }
}

export function broken(message: Buffer, random: Random): Buffer {
  const bytes = Buffer.from(message);
  if (random.chance(0.5)) return bytes.subarray(0, random.below(bytes.length + 1));
  for (let flips = 0; flips < 1 + random.below(4) && bytes.length > 0; flips++) {
    const at = random.below(bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
  }
  return bytes;
}

const DEEP = 3;

function messageOf(type: protobuf.Type, random: Random, depth: number): object {
  const fields = type.fieldsArray.filter(() => random.chance(0.6));
  return Object.fromEntries(
    fields.map((field) => {
      const one = () => valueOf(field.resolve(), random, depth);
      return [field.name, field.repeated ? Array.from({ length: random.below(4) }, one) : one()];
    }),
  );
}

function valueOf(field: protobuf.Field, random: Random, depth: number): unknown {
  if (field.resolvedType instanceof protobuf.Type)
    return depth < DEEP ? messageOf(field.resolvedType, random, depth + 1) : {};
  if (field.resolvedType) return random.below(9);
  switch (field.type) {
    case "string":
      return textOf(random);
    case "bytes":
      return random.bytes(random.below(50));
    case "bool":
      return random.chance(0.5);
    case "double":
    case "float":
      return random.one([0, -1, 0.5, 1e300, Number.NaN, Number.POSITIVE_INFINITY, 1]);
    default:
      return random.one([0, 1, -1, 2, 100, 2 ** 31 - 1, -(2 ** 31)]);
  }
}

const TEXTS = [
  "",
  "e1",
  "t1",
  "red",
  "http://127.0.0.1:1/",
  "file:///etc/passwd",
  "javascript:alert(1)",
  "../../etc/passwd",
  "(a+)+$",
  "\u0000",
  "\u202e",
  "\ud83d\ude00",
  "%00%0d%0a",
  "__proto__",
  "{{red.password}}",
  "x".repeat(5000),
  "list",
  "new",
  "close",
  "-1",
] as const;

function textOf(random: Random): string {
  if (random.chance(0.7)) return random.one(TEXTS);
  return random.bytes(random.below(40)).toString("latin1");
}

/** Makes values of an HTTP header. Half of them are the expected ones. */
function headersOf(random: Random): Record<string, string> {
  const odd = () =>
    random
      .bytes(random.below(30))
      .toString("latin1")
      .replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, "?")
      .trim();
  const given = (name: string, usual: string, share: number): [string, string][] =>
    random.chance(share) ? [[name, random.chance(0.7) ? usual : odd()]] : [];
  return Object.fromEntries([
    ...given("x-troupe-session", `fuzz-${random.below(3)}`, 0.9),
    ...given("x-troupe-role", "red", 0.3),
    ...given("x-troupe-profile", random.one(["small", "core", "full", "debug"]), 0.3),
    ...given("x-troupe-resume", "1", 0.2),
    ...given("x-request-id", `r${random.below(1000)}`, 0.3),
    ...given("x-troupe-version", "0.1.0", 0.2),
    // gRPC itself refuses a wrong value, below the daemon.
    ...(random.chance(0.1) ? [["grpc-timeout", "5S"]] : []),
    ...given("authorization", "Bearer nobody", 0.1),
  ]);
}

const PATHS = [
  "/v1/tools/",
  "/v1/tools",
  "/openapi.json",
  "/metrics",
  "/livez",
  "/readyz",
  "/console",
  "/",
] as const;
const TOOLS = [
  "browser_navigate",
  "browser_click",
  "browser_snapshot",
  "browser_tabs",
  "browser_find",
  "browser_type",
] as const;

function restInput(seed: number, random: Random): FuzzInput {
  const tool = random.chance(0.8) ? random.one(TOOLS) : encodeURIComponent(textOf(random).slice(0, 100));
  const path = random.chance(0.8) ? `/v1/tools/${tool}` : random.one(PATHS);
  const method = random.chance(0.8) ? "POST" : random.one(["GET", "PUT", "DELETE", "OPTIONS", "PATCH"]);
  const hasBody = method !== "GET" && random.chance(0.9);
  const type = random.chance(0.9)
    ? "application/json"
    : random.one(["text/plain", "application/x-www-form-urlencoded", ""]);
  return {
    door: "rest",
    seed,
    about: `${method} ${path}`,
    method,
    path,
    headers: { ...headersOf(random), ...(type && { "content-type": type }) },
    body: hasBody ? jsonOf(random) : undefined,
  };
}

function jsonOf(random: Random): Buffer {
  const names = [
    "url",
    "ref",
    "text",
    "role",
    "tab",
    "action",
    "time",
    "maxTokens",
    "full",
    "constructor",
    "element",
  ];
  const value = (depth: number): unknown =>
    random.one([
      () => textOf(random),
      () => random.below(100) - 50,
      () => random.chance(0.5),
      () => null,
      () => (depth < DEEP ? [value(depth + 1)] : []),
      () => (depth < DEEP ? { [random.one(names)]: value(depth + 1) } : {}),
    ])();
  const object = Object.fromEntries(
    Array.from({ length: random.below(5) }, () => [random.one(names), value(0)]),
  );
  const text = Buffer.from(JSON.stringify(random.chance(0.9) ? object : value(0)));
  return random.chance(0.2) ? broken(text, random) : text;
}
