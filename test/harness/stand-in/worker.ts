// A worker without a browser. It serves the same gRPC on a real socket and obeys the commands in a call's URL.
import { existsSync } from "node:fs";
import { setInterval as everyMs } from "node:timers/promises";
import { parseArgs } from "node:util";
import {
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServerWritableStream,
  type sendUnaryData,
} from "@grpc/grpc-js";
import {
  detailOf,
  type ErrorData,
  type ErrorType,
  type FailedCall,
  fail,
} from "../../../proto/errors/catalogue.ts";
import { toStatus } from "../../../proto/errors/status.ts";
import type { RestoreStorageRequest, RoleConfig, SessionRecord } from "../../../proto/gen/troupe.ts";
import { SESSION, SESSION_KEY } from "../../../proto/wire/metadata.ts";
import { serviceDefinition } from "../../../proto/wire/service.ts";

type Call = ServerUnaryCall<Record<string, unknown>, object>;
type Reply = sendUnaryData<object>;
type Stream = ServerWritableStream<Record<string, unknown>, object>;

const { values } = parseArgs({ options: { role: { type: "string" }, socket: { type: "string" } } });
let role: RoleConfig | undefined;
let restored: SessionRecord[] = [];
const ended: string[] = [];
/** Hibernations that wait for a command. */
const held = new Map<string, () => void>();
/** Calls that wait for `/go-on`. */
const waiting: (() => void)[] = [];
/** By session, its typed text. */
const holding = new Map<string, SessionRecord["typed"]>();
/** The storage that the daemon gave back. */
const given: object[] = [];
let cancelled = 0;
/** The reasons for which tabs had to close. */
const shed: string[] = [];
let sparing = false;
let ballast: Buffer | undefined;
/** True if the ballast counts as garbage. */
let garbage = false;
let loginsRead = 0;
let watcher: Stream | undefined;

async function start(call: Call, reply: Reply): Promise<void> {
  role = call.request.role as RoleConfig;
  restored = call.request.sessions as SessionRecord[];
  const args = role.browser?.args ?? [];
  if (args.includes("--exit-at-start")) process.exit(3);
  if (args.includes("--no-login")) {
    const authLoadError = { error: "told to", authPath: role.authFileShown, timestamp: { seconds: 1 } };
    watcher?.write({ failure: { kind: "auth_load", entry: { authLoadError } } });
  }
  const file = argument("start-when");
  if (file) await exists(file);
  const type = argument("fail-start") as ErrorType | undefined;
  if (type && !existsSync(argument("mended-by") ?? "")) {
    reply(
      statusOf(type, {
        role: role.name,
        authPath: role.authFileShown,
        reason: "told to",
        mend: argument("mend"),
      }),
    );
    return;
  }
  reply(null, {
    browserPid: 0,
    browserVersion: "Stand-in 1.0",
    browserSource: "configured",
    sandbox: "on",
    login: "no login",
    profileDir: "",
  });
}

/** Returns the value of the browser argument `--NAME=…`, which the stand-in reads for itself. */
function argument(name: string): string | undefined {
  return role?.browser?.args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
}

/** Resolves once the file exists. It polls, like each condition of a test. */
async function exists(file: string): Promise<void> {
  for await (const _ of everyMs(10)) if (existsSync(file)) return;
}

function watchWorker(stream: Stream): void {
  watcher = stream;
  const beat = () => stream.write({ heartbeat: {} });
  beat();
  const heart = setInterval(beat, 50);
  stream.on("cancelled", () => clearInterval(heart));
}

/** Obeys `http://do/WHAT?…`. Any other address is a page. */
function navigate(call: Call, reply: Reply): void {
  const url = new URL(String(call.request.url));
  const text = (said: string) => {
    const session = String(call.metadata.get(SESSION)[0]);
    reply(null, { text: said, page: { role: role?.name, session, tab: "t1", url: url.href } });
  };
  const what = url.host === "do" ? deeds[url.pathname] : open;
  if (!what) throw new Error(`the stand-in cannot do ${url.href}`);
  what({ call, reply, url, text });
}

interface Deed {
  call: Call;
  reply: Reply;
  url: URL;
  text: (said: string) => void;
}

function open({ call, url, text }: Deed): void {
  tellSession(call, url.href);
  text(`opened ${url.href}`);
}

function tellSession(call: Call, url: string, typed: SessionRecord["typed"] = []): void {
  const key = String(call.metadata.get(SESSION_KEY)[0]);
  holding.set(key, typed);
  watcher?.write({
    session: { key, nextTab: 2, tabs: [{ id: "t1", url, title: "", current: true }], typed },
  });
}

const deeds: Record<string, (deed: Deed) => void> = {
  "/die": () => process.exit(9),
  "/block": () => {
    for (;;);
  },
  "/hang": ({ call }) => {
    call.on("cancelled", () => {
      cancelled++;
    });
  },
  "/wait": ({ text }) => void waiting.push(() => text("waited")),
  "/go-on": ({ text }) => {
    for (const goOn of waiting.splice(0)) goOn();
    text("they go on");
  },
  "/fail": ({ call, reply, url: { searchParams } }) => {
    const data = JSON.parse(searchParams.get("data") ?? "{}");
    reply(statusOf(searchParams.get("type") as ErrorType, data, String(call.request.url)));
  },
  "/grow": ({ url, text }) => {
    ballast = Buffer.alloc(Number(url.searchParams.get("bytes")), 1);
    garbage = url.searchParams.has("garbage");
    text(`holds ${ballast.length}`);
  },
  "/type": ({ call, url, text }) => {
    const field = url.searchParams.get("field");
    tellSession(call, url.href, field === null ? [] : [{ tab: "t1", field }]);
    text("typed");
  },
  "/store": ({ call, url, text }) => {
    const key = String(call.metadata.get(SESSION_KEY)[0]);
    const ballast = Buffer.alloc(Number(url.searchParams.get("bytes") ?? 0), "x");
    const parts = [
      { name: "cookies", data: Buffer.from("stored") },
      { name: "ballast", data: ballast },
    ];
    watcher?.write({ storage: { key, parts } });
    tellSession(call, url.href);
    text("stored");
  },
  "/large": ({ url, text }) => text("x".repeat(Number(url.searchParams.get("bytes")))),
  "/state": ({ call, text }) => {
    const key = String(call.metadata.get(SESSION_KEY)[0]);
    const metadata = call.metadata.getMap();
    text(
      JSON.stringify({
        role,
        restored,
        ended,
        held: [...held.keys()],
        given,
        cancelled,
        shed,
        sparing,
        loginsRead,
        ballast: ballast?.length ?? 0,
        pid: process.pid,
        deadline: call.getDeadline(),
        key,
        metadata,
      }),
    );
  },
  "/let-rest": ({ text }) => {
    for (const goOn of held.values()) goOn();
    held.clear();
    text("let them");
  },
  "/environment": ({ text }) => text(JSON.stringify(process.env)),
  "/record-failure": ({ text }) => {
    const cleanupErrors = [{ step: "context", error: "told to", timestamp: { seconds: 1 } }];
    watcher?.write({ failure: { kind: "cleanup", entry: { cleanupErrors } } });
    text("recorded");
  },
  "/crash-page": ({ call, url, text }) => {
    const session = String(call.metadata.get(SESSION_KEY)[0]);
    const error = `The page ${url.searchParams.get("page")} crashed.`;
    const incidents = [{ kind: "page-crashed", error, timestamp: { seconds: 1 }, session }];
    watcher?.write({ failure: { kind: "incident", entry: { incidents } } });
    text("recorded");
  },
  "/lose-browser": () => {
    watcher?.write({ browserGone: { reason: "told to" } });
    watcher?.end();
  },
};

/** Sends as many chunks as `depth` says, as fast as the reader takes them. `offset` breaks it off after that many. */
function snapshot(stream: Stream): void {
  const { depth = 1, offset } = stream.request as { depth?: number; offset?: number };
  let sent = 0;
  const send = () => {
    while (sent < depth && sent !== offset) {
      sent++;
      if (stream.write({ chunk: "y".repeat(65_536) })) continue;
      stream.once("drain", send);
      return;
    }
    if (sent === offset) stream.emit("error", statusOf("PAGE_CRASHED", { url: "x", effect: "none" }));
    else stream.end();
  };
  stream.on("cancelled", () => {
    cancelled++;
    sent = depth;
  });
  stream.write({ header: { kind: "SNAPSHOT_KIND_FULL", textLength: depth * 65_536 } });
  send();
}

function statusOf(type: ErrorType, data: object, url = "") {
  const call: FailedCall = {
    tool: "browser_navigate",
    arguments: { url },
    profile: "core",
    role: role?.name ?? "",
    session: "",
    tab: "",
  };
  return toStatus(detailOf(fail(type, data as ErrorData[typeof type]), call, Date.now()));
}

const server = new Server({ "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 });
server.addService(serviceDefinition("Worker"), {
  Start: (call: Call, reply: Reply) => void start(call, reply),
  WatchWorker: watchWorker,
  ReadFailures: (_call: Call, reply: Reply) => reply(null, { failures: {} }),
  ForgetFailures: (_call: Call, reply: Reply) => reply(null, {}),
  CollectGarbage: (_call: Call, reply: Reply) => {
    if (garbage && ballast) {
      // The memory is freed at once, not at the next garbage collection.
      (ballast.buffer as ArrayBuffer).transfer(0);
      ballast = undefined;
    }
    reply(null, {});
  },
  CloseLargestTab: (call: Call, reply: Reply) => {
    shed.push(String(call.request.reason));
    sparing = call.request.sparing === true;
    reply(null, { url: "" });
  },
  ReloadLogin: (_call: Call, reply: Reply) => {
    loginsRead++;
    reply(null, { login: "logged in" });
  },
  PrepareRest: (call: Call, reply: Reply) => {
    const key = String(call.request.key);
    const losses = (holding.get(key) ?? []).map(({ field }) => field);
    if (call.request.sparing && losses.length > 0) return reply(null, { losses });
    const goOn = () => {
      watcher?.write({ storage: { key, parts: [{ name: "cookies", data: Buffer.from(`of ${key}`) }] } });
      watcher?.write({ told: { key } });
      reply(null, { isTold: true, losses });
    };
    if (key.endsWith("held")) held.set(key, goOn);
    else goOn();
  },
  RestoreStorage: (call: Call, reply: Reply) => {
    if (existsSync(argument("refuse-storage-while") ?? "")) {
      reply(statusOf("INTERNAL", { reportId: "told to" }));
      return;
    }
    const { key, parts, session, rested } = call.request as unknown as RestoreStorageRequest;
    given.push({ key, parts: parts.map(({ data }) => Buffer.from(data).toString()), session, rested });
    reply(null, {});
  },
  EndSession: (call: Call, reply: Reply) => {
    const key = String(call.request.key);
    ended.push(key);
    reply(key.endsWith("unendable") ? statusOf("INTERNAL", { reportId: "told to" }) : null, {});
  },
});
const watch = (stream: Stream) => void stream.write({ text: "what is shown" });
const click = (call: Call, reply: Reply) => reply(null, { text: `clicked ${call.request.ref}` });
server.addService(serviceDefinition("Browser"), {
  Navigate: navigate,
  Snapshot: snapshot,
  Watch: watch,
  Click: click,
});
process.on("SIGTERM", () => process.exit(0));
server.bindAsync(`unix:${values.socket}`, ServerCredentials.createInsecure(), (error) => {
  if (error) throw error;
  console.log("listening");
});
