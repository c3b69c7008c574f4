// All keys of troupe.yaml with defaults and bounds. Validation, editors and documents read them from here.
import * as z from "zod";
import { oidcDefinition, tokenDefinition } from "./client-definitions.ts";
import { browserDefinition, roleDefinition } from "./role-definition.ts";
import {
  duration,
  filePath,
  flag,
  oneOf,
  ROLE_NAME,
  size,
  storeAddress,
  text,
  webAddress,
  whole,
} from "./values.ts";

const limits = z.strictObject({
  callTimeout: duration("1s", "1h")
    .prefault("30s")
    .describe(
      "The longest a call may take, queue and cold start included; an earlier deadline of the caller wins",
    ),
  queueWait: duration("0s", "1h")
    .prefault("10s")
    .describe("The longest a call waits for a place, or for a role that waits before its next start"),
  queue: whole(0, 10_000).default(64).describe("Calls that may wait in a role"),
  sessions: whole(1, 1_000_000)
    .default(10_000)
    .describe(
      "Sessions of all roles, awake and at rest; where they are reached, each client has its share: one that has more gives way",
    ),
  sessionStore: size("1MiB", "1024GiB")
    .prefault("4GiB")
    .describe(
      "What sessions may have stored together; beyond it those at rest end that nobody has used for longest",
    ),
  sessionIdle: duration("1s", "30d").prefault("1h").describe("A session that is not used for so long ends"),
  sessionMax: duration("1s", "365d").prefault("24h").describe("A session ends at this age"),
  drain: duration("0s", "1h")
    .prefault("30s")
    .describe("How long calls under way may go on once the daemon is told to end"),
});

const restart = z.strictObject({
  max: whole(0, 1000).default(5).describe("Restarts of a worker before its role is given up"),
  within: duration("1s", "1d").prefault("60s").describe("The time that `max` counts in"),
  backoff: duration("1ms", "1h")
    .prefault("250ms")
    .describe(
      "The wait before the second of restarts in a row; each next one is twice as long, until a worker has worked for 10 minutes, or for `within` if that is longer",
    ),
  cap: duration("1ms", "1d").prefault("30s").describe("The longest wait between restarts"),
});

const takeover = z.strictObject({
  url: webAddress()
    .optional()
    .describe("Where people reach the HTTP door, such as https://troupe.example; default: its own address"),
  timeout: duration("1s", "1d").prefault("10m").describe("A session goes back to its agent after so long"),
  grace: duration("1s", "1h")
    .prefault("60s")
    .describe("A session goes back when its person's page has been gone for so long"),
  ask: flag()
    .default(false)
    .describe("Profile core offers browser_ask_person at /mcp; `troupe mcp` takes --ask-person"),
});

const tls = z.strictObject({
  cert: filePath().describe("Certificate chain, PEM"),
  key: filePath().describe("Private key, PEM"),
  clientCa: filePath().optional().describe("Clients must show a certificate of this authority"),
});

const HOST_PORT = /^(?:\[[0-9a-fA-F:]+\]:\d{1,5}|[^\s:/]+:\d{1,5})$/;

const peers = z.strictObject({
  listen: text("HOST:PORT", HOST_PORT).describe("Where the other daemons call this one"),
  address: text("HOST:PORT", HOST_PORT)
    .optional()
    .describe("How the other daemons reach it; default: the address of `listen`"),
  tls: z
    .strictObject({
      cert: filePath().describe("Certificate chain with the DNS name troupe-peer, PEM"),
      key: filePath().describe("Private key, PEM"),
      ca: filePath().describe("The authority of all daemons' certificates, PEM"),
    })
    .describe("Mutual TLS between the daemons"),
});

const listenAddress = text(
  "unix:default, unix:PATH or HOST:PORT",
  /^(?:unix:.+|\[[0-9a-fA-F:]+\]:\d{1,5}|[^\s:/]+:\d{1,5})$/,
);
const httpAddress = text("HOST:PORT, a list of them, or off", HOST_PORT);

/** The whole of troupe.yaml. Its output has durations in milliseconds and sizes in bytes. */
export const definition = z.strictObject({
  listen: z
    .array(listenAddress)
    .min(1)
    .prefault(["unix:default"])
    .meta({ allowed: "a list of addresses" })
    .describe("Where gRPC calls are taken"),
  http: z
    .union([z.literal("off"), httpAddress, z.array(httpAddress)])
    .optional()
    .meta({ allowed: "HOST:PORT, a list of them, or off" })
    .describe(
      "Where HTTP requests are taken: metrics, health. Default 127.0.0.1:7421, or any free port if that is taken",
    ),
  hosts: z
    .array(text("a host name", /^[^\s/:]+$/))
    .default([])
    .meta({ allowed: "a list of host names" })
    .describe("Further names that HTTP requests may give as Host"),
  limits: limits.prefault({}).describe("Bounds of calls and sessions"),
  restart: restart.prefault({}).describe("How workers that died are started again"),
  journal: z
    .strictObject({
      size: size("1MiB", "1GiB").prefault("64MiB").describe("The most that is kept"),
      age: duration("1m", "3650d").prefault("30d").describe("The longest that it is kept"),
    })
    .prefault({})
    .describe("The history of calls and failures"),
  evidence: z
    .strictObject({
      size: size("1MiB", "64GiB").prefault("256MiB").describe("The most that is kept"),
      age: duration("1m", "3650d").prefault("7d").describe("The longest that it is kept"),
    })
    .prefault({})
    .describe("The evidence of roles with `record`"),
  log: z
    .strictObject({
      level: oneOf("trace", "debug", "info", "warn", "error", "fatal")
        .default("info")
        .describe("The least serious that is logged"),
    })
    .prefault({})
    .describe("The daemon's log on stderr"),
  browser: browserDefinition.prefault({}).describe("The browser of all roles"),
  files: z.strictObject({}).prefault({}).describe("Files"),
  takeover: takeover.prefault({}).describe("How people take sessions over from agents"),
  tls: tls.optional().describe("TLS of both doors"),
  tokens: z
    .array(tokenDefinition)
    .optional()
    .meta({ allowed: "a list of tokens" })
    .describe("Who may call over TCP"),
  oidc: oidcDefinition.optional().describe("Who else may call over TCP: users of an OpenID Connect issuer"),
  stateKeys: z
    .array(filePath())
    .min(1)
    .optional()
    .meta({ allowed: "a list of key files" })
    .describe("Keys that encrypt what is kept of logins: the first writes, all read"),
  store: storeAddress()
    .default("sqlite")
    .describe(
      "Where sessions, their storage and the journal are kept: sqlite, files in the state folder, or a PostgreSQL that several daemons share",
    ),
  peers: peers
    .optional()
    .describe("The daemons of one PostgreSQL, which pass calls on to the one that has the session"),
  roles: z
    .record(text("letters, digits, - and _, at most 64, a letter or digit first", ROLE_NAME), roleDefinition)
    .refine((roles) => Object.keys(roles).length > 0)
    .prefault({ default: {} })
    .meta({ allowed: "at least one role" })
    .describe("The roles; the first is the current one to begin with"),
});

export type Configuration = z.output<typeof definition>;
