// A worker without a browser. It serves the same gRPC on a real socket and obeys the commands in a call's URL.
import { existsSync } from "node:fs";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Server, ServerCredentials, type ServerDuplexStream, type ServerWritableStream } from "@grpc/grpc-js";
import type { ErrorType } from "../../../proto/errors/catalogue.ts";
import type {
  ExportRecordingRequest,
  RestoreStorageRequest,
  RoleConfig,
  SessionRecord,
  WorkerDecideApprovalRequest,
} from "../../../proto/gen/troupe.ts";
import { serviceDefinition } from "../../../proto/wire/service.ts";
import { afterFileChanges } from "../events/after-events.ts";
import { navigate } from "./deeds.ts";
import { type Call, keyOf, LINES, type Reply, StandInState, type Stream, write } from "./state.ts";

type Pages = ServerWritableStream<{ depth?: number; offset?: number }, object>;

const START_MS_MAX = 60_000;
const PIXEL = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
const { values } = parseArgs({ options: { role: { type: "string" }, socket: { type: "string" } } });
const state = new StandInState();

async function start(call: Call, reply: Reply): Promise<void> {
  const role = call.request.role as RoleConfig;
  state.role = role;
  state.seen.restored = call.request.sessions as SessionRecord[];
  write(LINES.starting);
  const args = role.browser?.args ?? [];
  if (args.includes("--exit-at-start")) process.exit(3);
  if (args.includes("--no-login")) {
    const authLoadError = { error: "told to", authPath: role.authFileShown, timestamp: { seconds: 1 } };
    state.report({ failure: { kind: "auth_load", entry: { authLoadError } } });
    // HTTP/2 sends a reply before waiting data. A real worker sends this report while it still starts.
    await setImmediate();
  }
  const file = state.argument("start-when");
  if (file)
    await afterFileChanges(path.dirname(file), () => existsSync(file), `${file} is there`, START_MS_MAX);
  const type = state.argument("fail-start") as ErrorType | undefined;
  if (type && !existsSync(state.argument("mended-by") ?? "")) {
    const { name, authFileShown: authPath } = role;
    const mend = state.argument("mend");
    reply(state.statusOf(type, { role: name, authPath, reason: "told to", mend }));
    return;
  }
  reply(null, {
    browserPid: 0,
    browserVersion: "Stand-in 1.0",
    browserSource: "configured",
    browserBuilt: { seconds: 1_750_000_000 },
    sandbox: "on",
    login: "no login",
    profileDir: "",
  });
}

function watchWorker(stream: Stream): void {
  state.watcher = stream;
  const beat = () => state.report({ heartbeat: {} });
  beat();
  const heart = setInterval(beat, 50);
  stream.on("cancelled", () => clearInterval(heart));
}

/** Gives the session to the person at once, and takes it back when the daemon says so. */
function takeOver(stream: ServerDuplexStream<object, object>): void {
  stream.once("data", () => stream.write({ state: { isReady: true, tabs: [] } }));
  stream.on("data", () => undefined);
  stream.on("end", () => stream.end());
}

/** Sends as many chunks as `depth` says, as fast as the reader takes them. `offset` breaks it off after that many. */
function snapshot(stream: Pages): void {
  const { depth = 1, offset } = stream.request;
  let sent = 0;
  const send = () => {
    while (sent < depth && sent !== offset) {
      sent++;
      if (stream.write({ chunk: "y".repeat(65_536) })) continue;
      stream.once("drain", send);
      return;
    }
    if (sent === offset) stream.emit("error", state.statusOf("PAGE_CRASHED", { url: "x", effect: "none" }));
    else stream.end();
  };
  stream.on("cancelled", () => {
    state.seen.cancelled++;
    write(LINES.cancelled(keyOf(stream)));
    sent = depth;
  });
  stream.write({ header: { kind: "SNAPSHOT_KIND_FULL", textLength: depth * 65_536 } });
  send();
}

const server = new Server({ "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 });
server.addService(serviceDefinition("Worker"), {
  Start: (call: Call, reply: Reply) => void start(call, reply),
  WatchWorker: watchWorker,
  TakeOver: takeOver,
  ReadFailures: (_call: Call, reply: Reply) => reply(null, { failures: {} }),
  ForgetFailures: (_call: Call, reply: Reply) => reply(null, {}),
  CollectGarbage: (_call: Call, reply: Reply) => {
    if (state.isGarbage && state.ballast) {
      // The memory is freed at once, not at the next garbage collection.
      (state.ballast.buffer as ArrayBuffer).transfer(0);
      state.ballast = undefined;
      write(LINES.collected);
    }
    reply(null, {});
  },
  CloseLargestTab: (call: Call, reply: Reply) => {
    state.seen.shed.push(String(call.request.reason));
    state.seen.sparing = call.request.sparing === true;
    write(LINES.shed);
    reply(null, { url: "" });
  },
  ReloadLogin: (_call: Call, reply: Reply) => {
    state.seen.loginsRead++;
    write(LINES.loginRead);
    reply(null, { login: "logged in" });
  },
  PrepareRest: (call: Call, reply: Reply) => {
    const key = String(call.request.key);
    const losses = (state.typed.get(key) ?? []).map(({ field }) => field);
    if (call.request.sparing && losses.length > 0) return reply(null, { losses });
    const goOn = () => {
      state.report({ storage: { key, parts: [{ name: "cookies", data: Buffer.from(`of ${key}`) }] } });
      state.report({ told: { key } });
      reply(null, { isTold: true, losses });
    };
    if (!key.endsWith("held")) return goOn();
    state.held.set(key, goOn);
    write(LINES.restAsked(key));
  },
  RestoreStorage: (call: Call, reply: Reply) => {
    if (existsSync(state.argument("refuse-storage-while") ?? "")) {
      reply(state.statusOf("INTERNAL", { reportId: "told to" }));
      return;
    }
    const { key, parts, session, rested } = call.request as unknown as RestoreStorageRequest;
    state.seen.given.push({
      key,
      parts: parts.map(({ data }) => Buffer.from(data).toString()),
      session,
      rested,
    });
    reply(null, {});
  },
  ExportRecording: (call: Call, reply: Reply) => {
    const { key, as, parts } = call.request as unknown as ExportRecordingRequest;
    reply(null, { text: `${as} of ${key} and ${parts.map(({ name }) => name).join()}\n`, steps: 2 });
  },
  DecideApproval: (call: Call, reply: Reply) => {
    const { id, deny, by } = call.request as unknown as WorkerDecideApprovalRequest;
    const done = !state.seen.decided.includes(id);
    if (done) {
      state.seen.decided.push(id);
      const outcome = deny ? "APPROVAL_OUTCOME_DENIED" : "APPROVAL_OUTCOME_APPROVED";
      state.report({ approvalEnded: { id, outcome, by } });
    }
    reply(null, { done });
  },
  LookAt: (call: Call, reply: Reply) => {
    const { key, picture } = call.request;
    state.seen.looks++;
    reply(null, picture ? { open: true, image: PIXEL } : { open: true, text: `- heading "Look at ${key}"` });
  },
  EndSession: (call: Call, reply: Reply) => {
    const key = String(call.request.key);
    state.seen.ended.push(key);
    write(LINES.ended(key));
    reply(key.endsWith("unendable") ? state.statusOf("INTERNAL", { reportId: "told to" }) : null, {});
  },
});
const watch = (stream: ServerWritableStream<object, object>) => void stream.write({ text: "what is shown" });
const click = (call: Call, reply: Reply) => reply(null, { text: `clicked ${call.request.ref}` });
server.addService(serviceDefinition("Browser"), {
  Navigate: (call: Call, reply: Reply) => navigate(state, call, reply),
  Snapshot: snapshot,
  Watch: watch,
  Click: click,
});
process.on("SIGTERM", () => process.exit(0));
server.bindAsync(`unix:${values.socket}`, ServerCredentials.createInsecure(), (error) => {
  if (error) throw error;
  console.log("listening");
});
