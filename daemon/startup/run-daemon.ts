// Runs the daemon from its command line to its last signal.

import { keepHeapSmall } from "../../proto/machine/heap-upkeep.ts";
import type { DaemonStart } from "../../proto/machine/locations.ts";
import { ownPath } from "../../proto/machine/program.ts";
import { SMALL_HEAP } from "../../proto/machine/small-heap.ts";
import { startTracing, type Tracing } from "../../proto/tracing/sdk.ts";
import { type Flags, parseFlags } from "../config/command-line.ts";
import { type DaemonConfig, loadConfig } from "../config/load.ts";
import { systemClock } from "../core/clock.ts";
import { inheritedSockets } from "../core/inherited-sockets.ts";
import { type Log, openLog } from "../core/log.ts";
import { NotifiedManager } from "../core/sd-notify.ts";
import type { Signals } from "../core/signals.ts";
import { StartupError, startupErrorFor } from "../core/startup-error.ts";
import { keepHttpToken } from "../state/http-token.ts";
import { TraceRecord } from "../state/leftovers.ts";
import { portHolder, type TcpPort } from "../state/port-holder.ts";
import { StateDir } from "../state/state-dir.ts";
import { EarlyProcess } from "../worker-process/early-process.ts";
import { WORKER_TIMES } from "../worker-process/worker-times.ts";
import { greetingText } from "./greeting.ts";

const print = (text: string) => void process.stdout.write(text);
const worker = { program: process.execPath, args: [...SMALL_HEAP, ownPath("worker/main.ts")] };

/** Runs the daemon until it ends. A StartupError goes to stderr and sets the exit code. */
export async function runDaemon(signals: Signals): Promise<void> {
  try {
    const flags = parseFlags(process.argv.slice(2), print);
    if (flags) await run(flags, signals);
  } catch (error) {
    const startupError = startupErrorFor(error);
    if (!startupError) throw error;
    process.stderr.write(`${startupError.message}\n`);
    process.exitCode = startupError.exitCode;
  }
}

async function run(flags: Flags, signals: Signals): Promise<void> {
  const { env } = process;
  const fallbackFile = flags.example ? ownPath("deploy/example/troupe.yaml") : undefined;
  const cwd = process.cwd();
  const load = () => loadConfig({ flags, env, cwd, fallbackFile });
  const config = load();
  const { log, dropped } = openLog(config.log.level, config.state.log);
  const inherited = inheritedSockets(env);
  await using tracing = new AsyncDisposableStack();
  tracing.adopt(await startTracing("troupe-daemon", env, notExported(log)), endOfTracing);
  await using manager = NotifiedManager.of(env, { clock: systemClock, log });
  using state = StateDir.open(config.state);
  const traces = await TraceRecord.open(config.state.dir, log);
  const workers = { worker, times: WORKER_TIMES, env, traces };
  await using early = EarlyProcess.begin(config, { ...workers, log });
  await using shop = config.example ? await openShop() : undefined;
  const ground = {
    ...workers,
    early,
    clock: systemClock,
    log,
    logLinesDropped: dropped,
    load,
    started: startOf(flags),
    inherited,
    manager,
  };
  // Most of the daemon takes longer to load than all that comes before.
  const { openDaemon } = await import("../daemon.ts");
  await using daemon = await openDaemon(config, state, ground);
  print(greetingText({ config, daemon, shop, token: ownToken(flags, config) }));
  manager?.ready();
  keepHeapSmall();
  signals.obey(daemon, log);
  await daemon.over;
}

/** Returns the daemon's own token if a person starts it by `npm start`, and the configuration has no other tokens. */
function ownToken({ example }: Flags, { tokens, oidc, state }: DaemonConfig): string | undefined {
  return example && !tokens && !oidc ? keepHttpToken(state.token) : undefined;
}

const notExported = (log: Log) => (reason: string) =>
  void log.warn({ reason }, "spans could not be exported");

/** Nothing else keeps the process by then. */
async function endOfTracing(tracing: Tracing | undefined): Promise<void> {
  if ((await tracing?.close()) === "given up") setImmediate(() => process.exit());
}

/** Returns the command line, with the configuration file that the environment named. */
function startOf({ config }: Flags): DaemonStart {
  const { TROUPE_CONFIG } = process.env;
  const named = config === undefined && TROUPE_CONFIG ? ["--config", TROUPE_CONFIG] : [];
  return { arguments: [...process.argv.slice(2), ...named], cwd: process.cwd() };
}

/** Opens the demo shop for the example's roles. */
async function openShop() {
  const { serveShop } = await import("../../deploy/example/shop.ts");
  const { users } = await import("../../deploy/example/logins.ts");
  const shop = await serveShop().catch(async (error: NodeJS.ErrnoException & Partial<TcpPort>) => {
    const { code, port = 0 } = error;
    const holder =
      code === "EADDRINUSE" ? `\nIt is taken by ${await portHolder({ host: "127.0.0.1", port })}` : "";
    throw new StartupError("unavailable", `${error.message}${holder}`);
  });
  const logins = users.map(({ username, password }) => `${username} / ${password}`).join(", ");
  return { url: shop.url, logins, [Symbol.asyncDispose]: () => shop.close() };
}
