// A daemon's process in folders of its own, with real workers or with stand-ins that have no browser.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { DaemonNote } from "../../../proto/machine/locations.ts";
import { withoutOwnSettings } from "../../run-decisions.ts";

export interface OwnDaemon extends AsyncDisposable {
  pid: number;
  address: string;
  stateDir: string;
  /** Its HTTP address, if it has one. */
  http: string;
  /** Returns its output so far. */
  said(): string;
  /** Returns the number of workers' temporary folders. */
  folders(): Promise<number>;
}

const PROGRAMS = {
  real: fileURLToPath(new URL("../../../daemon/main.ts", import.meta.url)),
  standIn: fileURLToPath(new URL("../../harness/run-daemon.ts", import.meta.url)),
};
const READY_MS_MAX = 60_000;

/** The surroundings of a daemon. By default it has folders of its own that are removed with it. */
export interface Surroundings {
  /** A folder that stays when the daemon ends. */
  dir?: string;
  env?: NodeJS.ProcessEnv;
}

/** Starts a daemon. `interrupted` ends it at once. Resolves when it takes calls. */
export async function startOwnDaemon(
  workers: keyof typeof PROGRAMS,
  config: object,
  interrupted?: AbortSignal,
  { dir: given, env = {} }: Surroundings = {},
): Promise<OwnDaemon> {
  await using open = new AsyncDisposableStack();
  const dir = given ?? (await mkdtemp(path.join(tmpdir(), "tc-")));
  if (given === undefined) open.defer(() => rm(dir, { recursive: true, force: true, maxRetries: 5 }));
  const [file, stateDir, tmp] = ["troupe.yaml", "s", "t"].map((name) => path.join(dir, name)) as [
    string,
    string,
    string,
  ];
  await writeFile(file, JSON.stringify({ http: "off", log: { level: "warn" }, ...config }));
  await mkdir(tmp, { recursive: true });
  // If the daemon runs as root, the browser runs as another user, who must reach its profile in there.
  await chmod(dir, 0o711);
  await chmod(tmp, 0o711);
  const child = spawn(process.execPath, [PROGRAMS[workers], "--config", file, "--state-dir", stateDir], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...withoutOwnSettings(process.env), TMPDIR: tmp, ...env },
  });
  const kill = () => void child.kill("SIGKILL");
  interrupted?.addEventListener("abort", kill, { once: true });
  const ended = once(child, "exit");
  open.defer(async () => {
    child.kill("SIGTERM");
    await ended;
    interrupted?.removeEventListener("abort", kill);
  });
  let said = "";
  const ready = Promise.withResolvers<void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (text: Buffer) => {
      // Only the start is kept, because a daemon may print a line for each of a thousand deaths.
      if (said.length < 100_000) said += text;
      if (/^(Troupe .* is )?ready/m.test(said)) ready.resolve();
    });
  }
  const late = AbortSignal.timeout(READY_MS_MAX);
  late.addEventListener("abort", () => ready.reject(new Error(`the daemon is not ready:\n${said}`)));
  ended.then(() => ready.reject(new Error(`the daemon has ended:\n${said}`)), ready.reject);
  await ready.promise;
  const parts = open.move();
  return {
    pid: child.pid ?? 0,
    address: `unix:${path.join(stateDir, "daemon.sock")}`,
    stateDir,
    http: httpOf(stateDir),
    said: () => said,
    folders: async () => (await readdir(tmp)).length,
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

/** Returns the HTTP address from the daemon's note. */
function httpOf(stateDir: string): string {
  const note = JSON.parse(readFileSync(path.join(stateDir, "daemon.json"), "utf8")) as DaemonNote;
  return note.http[0] ?? "";
}
