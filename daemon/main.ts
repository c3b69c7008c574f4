// The daemon's process: from the command line to the last signal.
import { fileURLToPath } from "node:url";
import type { DaemonStart } from "../proto/locations.ts";
import { SMALL_HEAP } from "../proto/small-heap.ts";
import { systemClock } from "./clock.ts";
import { type Flags, parseFlags } from "./command-line.ts";
import { loadConfig } from "./config/load.ts";
import { openDaemon } from "./daemon.ts";
import { greetingText } from "./greeting.ts";
import { openLog } from "./log.ts";
import { Refusal } from "./refusal.ts";
import { obeySignals } from "./signals.ts";
import { StateDir } from "./state/state-dir.ts";
import { WORKER_TIMES } from "./supervisor/worker.ts";
import { goUnderInit } from "./under-init.ts";

const fileHere = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const print = (text: string) => void process.stdout.write(text);
const worker = { program: process.execPath, args: [...SMALL_HEAP, fileHere("../worker/main.ts")] };

goUnderInit(process.argv.slice(1));

try {
  const flags = parseFlags(process.argv.slice(2), print);
  if (flags) await run(flags);
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = error.exitCode;
}

async function run(flags: Flags): Promise<void> {
  const { env } = process;
  const fallbackFile = flags.example ? fileHere("../deploy/example/troupe.yaml") : undefined;
  const cwd = process.cwd();
  const load = () => loadConfig({ flags, env, cwd, fallbackFile });
  const config = load();
  const log = openLog(config.log.level);
  using state = StateDir.open(config.state);
  await using shop = config.example ? await openShop() : undefined;
  const ground = { worker, times: WORKER_TIMES, env, clock: systemClock, log, load, started: startOf(flags) };
  await using daemon = await openDaemon(config, state, ground);
  obeySignals(daemon, log);
  print(greetingText({ config, daemon, shop }));
  await daemon.over;
}

/** The command line, with the configuration that the environment named in its place. */
function startOf({ config }: Flags): DaemonStart {
  const { TROUPE_CONFIG } = process.env;
  const named = config === undefined && TROUPE_CONFIG ? ["--config", TROUPE_CONFIG] : [];
  return { arguments: [...process.argv.slice(2), ...named], cwd: process.cwd() };
}

/** The demo shop that the example's roles are for. */
async function openShop() {
  const { serveShop } = await import("../deploy/example/shop.ts");
  const { users } = await import("../deploy/example/logins.ts");
  const shop = await serveShop().catch((error: Error) => {
    throw new Refusal("unavailable", error.message);
  });
  const logins = users.map(({ username, password }) => `${username} / ${password}`).join(", ");
  return { url: shop.url, logins, [Symbol.asyncDispose]: () => shop.close() };
}
