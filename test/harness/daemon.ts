// A daemon in this process with stand-in workers in processes of their own, and a client for it.
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Client, credentials, type ServiceError } from "@grpc/grpc-js";
import { pino } from "pino";
import { loadConfig } from "../../daemon/config/load.ts";
import { systemClock } from "../../daemon/core/clock.ts";
import { openDaemon } from "../../daemon/daemon.ts";
import type { Environment } from "../../daemon/parts.ts";
import { TraceRecord } from "../../daemon/state/leftovers.ts";
import { StateDir } from "../../daemon/state/state-dir.ts";
import { EarlyProcess } from "../../daemon/worker-process/early-process.ts";
import { WORKER_TIMES } from "../../daemon/worker-process/worker-times.ts";
import type { ErrorDetail } from "../../proto/errors/catalogue.ts";
import { fromStatus } from "../../proto/errors/status.ts";
import type { BrowserMethods, ControlMethods, Input } from "../../proto/gen/troupe.ts";
import { ROLE, SESSION } from "../../proto/wire/metadata.ts";
import { type CallSettings, serverStream, unary } from "./calls.ts";
import { Lines } from "./events/lines.ts";
import { LINES } from "./stand-in/state.ts";
import { tempDir } from "./temp-dir.ts";

export const standIn = {
  program: process.execPath,
  args: [fileURLToPath(new URL("stand-in/worker.ts", import.meta.url))],
};

/** A server that takes an address of the daemon. Its disposal closes it. */
export async function strangerAt(where: string | { port: number; host: string }) {
  const server = createServer();
  const listening = once(server, "listening");
  server.listen(where);
  await listening;
  return {
    port: (server.address() as { port?: number }).port ?? 0,
    [Symbol.dispose]: () => void server.close(),
  };
}

/** Opens a daemon. `config` is the troupe.yaml as an object. `idleExitMs`: as if a client had started the daemon. */
export async function testDaemon(
  config: object = {},
  { idleExitMs, ...ground }: Partial<Environment> & { idleExitMs?: number } = {},
) {
  const temp = tempDir();
  const file = path.join(temp.dir, "troupe.yaml");
  writeFileSync(file, JSON.stringify({ http: "127.0.0.1:0", ...config }));
  const stateDir = path.join(temp.dir, "s");
  const started = idleExitMs === undefined ? {} : { idleExitMs };
  const flags = { listen: [], roles: [], example: false, config: file, stateDir, ...started };
  const load = () => loadConfig({ flags, env: {}, cwd: temp.dir });
  const loaded = load();
  const lines = new Lines();
  const log = pino({ level: "debug" }, { write: (line: string) => lines.add(line) });
  const state = StateDir.open(loaded.state);
  const environment = {
    worker: standIn,
    times: { ...WORKER_TIMES, endMs: 1000 },
    traces: await TraceRecord.open(loaded.state.dir, log),
    env: process.env,
    clock: systemClock,
    log,
    load,
    ...ground,
  };
  const early = EarlyProcess.begin(loaded, environment);
  const daemon = await openDaemon(loaded, state, { ...environment, early });
  const client = testClient(daemon.addresses[0] ?? "");
  return {
    ...client,
    daemon,
    config: loaded,
    dir: temp.dir,
    lines: lines.all,
    log,
    /** Resolves when so many lines of the log have these words. */
    logged: (words: RegExp | string, times?: number) => lines.have(words, times),
    /** Resolves when a line with these words comes after this call. */
    next: (words: RegExp | string) => lines.next(words),
    /** Resolves when the stand-in holds so many calls of this session, which are to `/hang` or `/wait`. */
    holds: (session = "s1", times?: number) => lines.have(LINES.holds(`local/${session}`), times),
    /** Resolves when so many such calls are cancelled. */
    cancelled: (session = "s1", times?: number) => lines.have(LINES.cancelled(`local/${session}`), times),
    /** Writes another troupe.yaml, or any text in its place, and lets the daemon read it. */
    reload(changed: object | string) {
      const text =
        typeof changed === "string" ? changed : JSON.stringify({ http: "127.0.0.1:0", ...changed });
      writeFileSync(file, text);
      daemon.reload();
    },
    async [Symbol.asyncDispose]() {
      client.close();
      await daemon[Symbol.asyncDispose]();
      await early?.[Symbol.asyncDispose]();
      state[Symbol.dispose]();
      temp[Symbol.dispose]();
    },
  };
}

type Unary<M> = { [K in keyof M]: M[K] extends { responseStream: false } ? K : never }[keyof M] & string;
type Outcome<T> =
  | { ok: T; error?: undefined; status?: undefined }
  | { ok?: undefined; error: ErrorDetail; status: ServiceError };
type Given = CallSettings & { session?: string; role?: string };
type Streaming = "Browser.Snapshot" | "Browser.Watch" | "Control.WatchEvents";
const DEADLINE_MS = 15_000;

/** A client of a daemon. */
export function testClient(address: string) {
  const client = new Client(address, credentials.createInsecure(), {
    "grpc.max_receive_message_length": -1,
    "grpc.max_send_message_length": -1,
    "grpc.use_local_subchannel_pool": 1,
  });
  const tool = <R extends Unary<BrowserMethods>>(
    rpc: R,
    request: Input<BrowserMethods[R]["request"]>,
    given?: Given,
  ) => outcomeOf(unary<BrowserMethods[R]["response"]>(client, `Browser.${rpc}`, request, settingsOf(given)));
  const ask = <R extends Unary<ControlMethods>>(
    rpc: R,
    request: Input<ControlMethods[R]["request"]>,
    given?: Given,
  ) => outcomeOf(unary<ControlMethods[R]["response"]>(client, `Control.${rpc}`, request, settingsOf(given)));
  return {
    client,
    tool,
    ask,
    /** Returns the replies of a streaming rpc as they come. */
    stream: <R>(method: Streaming, request: object = {}, given: Given = {}) =>
      serverStream<R>(client, method, request, { ...settingsOf(given), deadlineMs: given.deadlineMs }),
    /** Makes the stand-in do the URL's command, in the session's current role or another. */
    async open(url: string, given?: Given): Promise<Outcome<string>> {
      const { ok, ...rest } = await tool("Navigate", { url }, given);
      return (ok ? { ok: ok.text } : rest) as Outcome<string>;
    },
    close: () => client.close(),
  };
}

function settingsOf({ session = "s1", role, headers, ...rest }: Given = {}): CallSettings {
  return {
    headers: { [SESSION]: session || undefined, [ROLE]: role, ...headers },
    deadlineMs: DEADLINE_MS,
    ...rest,
  };
}

async function outcomeOf<T>(reply: Promise<T>): Promise<Outcome<T>> {
  try {
    return { ok: await reply };
  } catch (status) {
    const error = fromStatus(status as ServiceError);
    if (!error) throw status;
    return { error, status: status as ServiceError };
  }
}
