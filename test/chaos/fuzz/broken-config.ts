// Makes random configurations and certificates: good ones, and files broken in every way.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { certificateFolder } from "../../harness/certificates.ts";
import { broken } from "./fuzz-inputs.ts";
import { type Random, randomFrom } from "./random.ts";

/** The files of a folder: a configuration, its certificates and a key. */
export type FileName = "troupe.yaml" | "server.crt" | "server.key" | "ca.crt" | "state.key";

/** The files for one start or reload. */
export interface BrokenConfig {
  seed: number;
  about: string;
  write(dir: string): void;
}

type Contents = Record<FileName, Buffer<ArrayBufferLike>>;

const DIGEST = "ab".repeat(32);

/** Makes a valid configuration that differs with each seed. No role is eager. */
function goodConfig(random: Random): object {
  const role = () => ({
    sessions: 1 + random.below(9),
    memory: random.one(["500MiB", "1GiB"]),
    ...(random.chance(0.3) && { startUrl: `http://${random.one(["a", "b"])}.test/` }),
    ...(random.chance(0.3) && { allow: ["https://*.shop.example"] }),
    ...(random.chance(0.2) && { auth: "auth.json" }),
  });
  const names = ["red", "green", "blue"].filter(() => random.chance(0.7));
  return {
    listen: ["unix:default", "127.0.0.1:0"],
    http: "127.0.0.1:0",
    tls: { cert: "server.crt", key: "server.key", clientCa: "ca.crt" },
    stateKeys: ["state.key"],
    limits: { queue: random.below(100), callTimeout: `${1 + random.below(60)}s` },
    restart: { max: random.below(10) },
    log: { level: random.one(["debug", "info", "warn", "error"]) },
    ...(random.chance(0.5) && {
      tokens: [{ name: "ci", sha256: DIGEST, rate: "20/s", control: random.one(["none", "read"]) }],
    }),
    roles: Object.fromEntries([...(names.length > 0 ? names : ["red"])].map((name) => [name, role()])),
  };
}

/** Values of another type than expected. */
const ODD = [
  null,
  "",
  "x",
  -1,
  Number.POSITIVE_INFINITY,
  Number.NaN,
  true,
  [],
  {},
  [[[]]],
  { __proto__: 1 },
  "\u0000",
  "1s",
  "99999999999999999999d",
  "127.0.0.1:99999",
  "unix:",
  "x".repeat(5000),
] as const;

const ODD_TEXTS = [
  "&a [*a]",
  "&a { b: *a }",
  "*nobody",
  "!!set { a }",
  "!!binary AAAA",
  "{",
  "]",
  "\t",
  "%YAML 1.1",
  "---",
  "? ",
  "- ",
  "<<: *a",
  "'",
  '"',
  "|",
  "[".repeat(300),
  "{a: ".repeat(300),
  "\u2028",
  "\ufeff",
  ": ",
] as const;

type Bytes = Buffer<ArrayBufferLike>;

const BREAKS: Record<string, (text: Bytes, random: Random) => Bytes> = {
  "cut short": (text, random) => text.subarray(0, random.below(text.length)),
  "with its end twice": (text, random) => Buffer.concat([text, text.subarray(random.below(text.length))]),
  "with its beginning after it": (text, random) =>
    Buffer.concat([text, text.subarray(0, random.below(text.length))]),
  "with bytes changed": (text, random) => broken(text, random),
  "of bytes alone": (_text, random) => random.bytes(random.below(500)),
  empty: () => Buffer.alloc(0),
  "with odd text in it": (text, random) => {
    const at = random.below(text.length + 1);
    return Buffer.concat([text.subarray(0, at), Buffer.from(random.one(ODD_TEXTS)), text.subarray(at)]);
  },
  "with a line less": (text, random) => {
    const lines = text.toString("latin1").split("\n");
    return Buffer.from(lines.toSpliced(random.below(lines.length), 1).join("\n"), "latin1");
  },
};

/** Objects in the place of a file. */
const PLACES: Record<string, (file: string) => void> = {
  "not there": () => undefined,
  "a folder": (file) => mkdirSync(file),
  "a pipe": (file) => execFileSync("mkfifo", [file]),
  "a link to itself": (file) => symlinkSync(file, file),
  "without end": (file) => symlinkSync("/dev/zero", file),
  "nobody's to read": (file) => {
    writeFileSync(file, "x");
    chmodSync(file, 0);
  },
};

/** Makes files from seeds. A seed always gives the same files, except for the certificates' keys. */
export function configMaker(): { of(seed: number): BrokenConfig } & Disposable {
  const certificates = certificateFolder();
  const of = certificates.contents;
  const withoutConfig = (files: Omit<Contents, "troupe.yaml">): Contents => ({
    "troupe.yaml": Buffer.alloc(0),
    ...files,
  });
  const materials: Contents[] = [
    withoutConfig({
      "server.crt": of("server.crt"),
      "server.key": of("server.key"),
      "ca.crt": of("ca.crt"),
      "state.key": Buffer.alloc(32, 7),
    }),
    withoutConfig({
      "server.crt": of("ada.crt"),
      "server.key": of("ada.key"),
      "ca.crt": of("other.crt"),
      "state.key": Buffer.from("ab".repeat(32)),
    }),
    // A chain of certificates, and a bundle of authorities.
    withoutConfig({
      "server.crt": Buffer.concat([of("server.crt"), of("ca.crt")]),
      "server.key": of("server.key"),
      "ca.crt": Buffer.concat([of("ca.crt"), of("other.crt")]),
      "state.key": Buffer.alloc(32, 9),
    }),
  ];
  return {
    of: (seed) => madeFrom(seed, materials),
    [Symbol.dispose]: () => certificates[Symbol.dispose](),
  };
}

const NAMES: readonly FileName[] = ["troupe.yaml", "server.crt", "server.key", "ca.crt", "state.key"];

function madeFrom(seed: number, materials: readonly Contents[]): BrokenConfig {
  const random = randomFrom(seed);
  const config = goodConfig(random);
  const odd = random.chance(0.3) ? withOddValue(config, random) : undefined;
  const files: Contents = { ...random.one(materials), "troupe.yaml": Buffer.from(yamlOf(config, random)) };
  const about: string[] = odd ? [odd] : [];
  const inPlace = new Map<FileName, string>();
  for (let breaks = random.below(3); breaks > 0; breaks--) {
    const name = random.chance(0.5) ? "troupe.yaml" : random.one(NAMES);
    if (random.chance(0.1)) {
      const place = random.one(Object.keys(PLACES));
      inPlace.set(name, place);
      about.push(`${name} ${place}`);
    } else {
      const way = random.one(Object.keys(BREAKS));
      files[name] = (BREAKS[way] ?? broken)(files[name], random);
      about.push(`${name} ${way}`);
    }
  }
  // A key of another certificate is the middle state of a renewal.
  if (random.chance(0.1)) {
    files["server.key"] = random.one(materials)["server.key"];
    about.push("a key of any certificate");
  }
  return {
    seed,
    about: about.join(", ") || "good",
    write(dir) {
      for (const name of NAMES) {
        const file = path.join(dir, name);
        rmSync(file, { recursive: true, force: true });
        const place = inPlace.get(name);
        if (place === undefined) writeFileSync(file, files[name]);
        else PLACES[place]?.(file);
      }
    },
  };
}

/** Sets one random key to another value. */
function withOddValue(config: object, random: Random): string {
  let at = config as Record<string, unknown>;
  const way: string[] = [];
  for (;;) {
    const key = random.one([...Object.keys(at), "unknown"]);
    way.push(key);
    const value = at[key];
    if (typeof value === "object" && value !== null && random.chance(0.6) && Object.keys(value).length > 0) {
      at = value as Record<string, unknown>;
      continue;
    }
    at[key] = random.one(ODD);
    return `an odd value at ${way.join(".")}`;
  }
}

/** JSON is YAML. Half of the files have one key a line, as people write them. */
function yamlOf(config: object, random: Random): string {
  if (random.chance(0.5)) return JSON.stringify(config, null, random.one([0, 2]));
  return Object.entries(config)
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
    .join("");
}
