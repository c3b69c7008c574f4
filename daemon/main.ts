// The daemon's process: from the command line to the last signal.
import { fileURLToPath } from "node:url";
import { systemClock } from "./clock.ts";
import { type Flags, parseFlags } from "./command-line.ts";
import { loadConfig } from "./config/load.ts";
import { loginOf } from "./control/role-message.ts";
import { openDaemon } from "./daemon.ts";
import { greetingText } from "./greeting.ts";
import { openLog } from "./log.ts";
import { Refusal } from "./refusal.ts";
import { WORKER_TIMES } from "./supervisor/worker.ts";

const fileHere = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const print = (text: string) => void process.stdout.write(text);

async function main(flags: Flags): Promise<void> {
  const { env } = process;
  const fallbackFile = flags.example ? fileHere("../deploy/example/troupe.yaml") : undefined;
  const config = loadConfig({ flags, env, cwd: process.cwd(), fallbackFile });
  const log = openLog(config.log.level);
  const worker = { program: process.execPath, args: [fileHere("../worker/main.ts")] };
  await using daemon = await openDaemon(config, {
    worker,
    times: WORKER_TIMES,
    env,
    clock: systemClock,
    log,
  });
  await using shop = config.example ? await openShop() : undefined;
  const roles = [...daemon.supervisor.roles.values()].map((role) => ({
    name: role.name,
    state: role.stand.state,
    startUrl: role.settings.startUrl ?? "",
    login: loginOf(role),
  }));
  const { addresses, http } = daemon;
  print(
    greetingText({ config, addresses, http, roles, shop, env, ownStateDir: flags.stateDir !== undefined }),
  );
  onSignals((signal, first) => {
    log.info({ signal }, first ? "told to end" : "told to end at once");
    if (first) return daemon.drain();
    daemon.kill();
    return process.exit(1);
  });
  process.on("SIGHUP", () => log.warn("SIGHUP: reading the configuration again is not built yet"));
  await daemon.over;
}

async function openShop() {
  const { serveShop } = await import("../deploy/example/shop.ts");
  const { users } = await import("../deploy/example/logins.ts");
  const shop = await serveShop().catch((error: Error) => {
    throw new Refusal("unavailable", error.message);
  });
  const logins = users.map(({ username, password }) => `${username} / ${password}`).join(", ");
  return { url: shop.url, logins, [Symbol.asyncDispose]: () => shop.close() };
}

function onSignals(tell: (signal: NodeJS.Signals, first: boolean) => void): void {
  let first = true;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      tell(signal, first);
      first = false;
    });
  }
}

function refuse(error: unknown): void {
  if (!(error instanceof Refusal)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = error.exitCode;
}

try {
  const flags = parseFlags(process.argv.slice(2), print);
  if (flags) await main(flags);
} catch (error) {
  refuse(error);
}
