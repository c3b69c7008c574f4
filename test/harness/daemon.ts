// A daemon in this process with stand-in workers in processes of their own, and a client for it.
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setInterval } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Client, credentials, Metadata, makeClientConstructor, type ServiceError } from "@grpc/grpc-js";
import { pino } from "pino";
import { loadConfig } from "../../daemon/config/load.ts";
import { systemClock } from "../../daemon/core/clock.ts";
import { openDaemon } from "../../daemon/daemon.ts";
import type { Environment } from "../../daemon/parts.ts";
import { StateDir } from "../../daemon/state/state-dir.ts";
import { WORKER_TIMES } from "../../daemon/worker-process/worker.ts";
import type { ErrorDetail } from "../../proto/errors/catalogue.ts";
import { fromStatus } from "../../proto/errors/status.ts";
import type { BrowserMethods, ControlMethods, Input } from "../../proto/gen/troupe.ts";
import { ROLE, SESSION } from "../../proto/wire/metadata.ts";
import { serviceDefinition } from "../../proto/wire/service.ts";

export const standIn = {
  program: process.execPath,
  args: [fileURLToPath(new URL("stand-in-worker.ts", import.meta.url))],
};

/** Makes a temporary folder. Its disposal removes it. */
export function tempDir(): { dir: string } & Disposable {
  const dir = mkdtempSync(path.join(tmpdir(), "trp-"));
  return { dir, [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }) };
}

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

/** Opens a daemon. `config` is the troupe.yaml as an object. */
export async function testDaemon(config: object = {}, ground: Partial<Environment> = {}) {
  const temp = tempDir();
  const file = path.join(temp.dir, "troupe.yaml");
  writeFileSync(file, JSON.stringify({ http: "127.0.0.1:0", ...config }));
  const flags = { listen: [], roles: [], example: false, config: file, stateDir: path.join(temp.dir, "s") };
  const load = () => loadConfig({ flags, env: {}, cwd: temp.dir });
  const loaded = load();
  const lines: string[] = [];
  const log = pino({ level: "debug" }, { write: (line: string) => void lines.push(line) });
  const state = StateDir.open(loaded.state);
  const daemon = await openDaemon(loaded, state, {
    worker: standIn,
    times: { ...WORKER_TIMES, endMs: 1000 },
    env: process.env,
    clock: systemClock,
    log,
    load,
    ...ground,
  });
  const client = testClient(daemon.addresses[0] ?? "");
  return {
    ...client,
    daemon,
    config: loaded,
    dir: temp.dir,
    lines,
    log,
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
      state[Symbol.dispose]();
      temp[Symbol.dispose]();
    },
  };
}

type Unary<M> = { [K in keyof M]: M[K] extends { responseStream: false } ? K : never }[keyof M];
type Outcome<T> =
  | { ok: T; error?: undefined; status?: undefined }
  | { ok?: undefined; error: ErrorDetail; status: ServiceError };
type Given = {
  session?: string;
  role?: string;
  headers?: Record<string, string>;
  deadlineMs?: number;
  signal?: AbortSignal;
};
const DEADLINE_MS = 15_000;

/** A client of a daemon. */
export function testClient(address: string) {
  const options = {
    "grpc.max_receive_message_length": -1,
    "grpc.max_send_message_length": -1,
    "grpc.use_local_subchannel_pool": 1,
  };
  const browser = new (makeClientConstructor(serviceDefinition("Browser"), "Browser"))(
    address,
    credentials.createInsecure(),
    options,
  );
  const control = new (makeClientConstructor(serviceDefinition("Control"), "Control"))(
    address,
    credentials.createInsecure(),
    options,
  );
  const tool = <R extends Unary<BrowserMethods>>(
    rpc: R,
    request: Input<BrowserMethods[R]["request"]>,
    given: Given = {},
  ) => unary<BrowserMethods[R]["response"]>(browser, rpc, request, given);
  return {
    browser,
    control,
    tool,
    /** Makes the stand-in do the URL's command, in the session's current role or another. */
    async open(url: string, given: Given = {}): Promise<Outcome<string>> {
      const { ok, ...rest } = await tool("Navigate", { url }, given);
      return (ok ? { ok: ok.text } : rest) as Outcome<string>;
    },
    ask: <R extends Unary<ControlMethods>>(
      rpc: R,
      request: Input<ControlMethods[R]["request"]>,
      given: Given = {},
    ) => unary<ControlMethods[R]["response"]>(control, rpc, request, given),
    close() {
      browser.close();
      control.close();
    },
  };
}

/** The metadata of a call. */
export function metadataOf({ session = "s1", role, headers = {} }: Given): Metadata {
  const metadata = new Metadata();
  if (session) metadata.set(SESSION, session);
  if (role) metadata.set(ROLE, role);
  for (const [name, value] of Object.entries(headers)) metadata.set(name, value);
  return metadata;
}

function unary<T>(client: Client, rpc: string, request: object, given: Given): Promise<Outcome<T>> {
  const method = (client as unknown as Record<string, (...args: unknown[]) => { cancel(): void }>)[rpc];
  if (!method) throw new Error(`no rpc ${rpc}`);
  const { promise, resolve, reject } = Promise.withResolvers<Outcome<T>>();
  const options = { deadline: Date.now() + (given.deadlineMs ?? DEADLINE_MS) };
  const call = method.call(
    client,
    request,
    metadataOf(given),
    options,
    (status: ServiceError | null, ok: T) => {
      if (!status) return resolve({ ok });
      const error = fromStatus(status);
      if (error) resolve({ error, status });
      else reject(status);
    },
  );
  given.signal?.addEventListener("abort", () => call.cancel());
  return promise;
}

const LOOK_EVERY_MS = 10;

/** Polls `holds` and resolves with its first true value. Rejects after `withinMs`. */
export async function until<T>(
  holds: () => T | undefined | false | Promise<T | undefined | false>,
  what: string,
  withinMs = 8000,
): Promise<T> {
  const endMs = Date.now() + withinMs;
  for await (const _ of setInterval(LOOK_EVERY_MS)) {
    const found = await holds();
    if (found) return found;
    if (Date.now() > endMs) break;
  }
  throw new Error(`not within ${withinMs} ms: ${what}`);
}
