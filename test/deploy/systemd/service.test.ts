// A real daemon below a service manager: its messages, the sockets that it is handed, and its log's lines.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, fstatSync, openSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { PYTHON } from "../../e2e/python.ts";
import { testClient } from "../../harness/daemon.ts";
import { Lines } from "../../harness/events/lines.ts";
import { freePort } from "../../harness/free-port.ts";
import { type RunningProgram, startProgram } from "../../harness/program.ts";
import { tempDir } from "../../harness/temp-dir.ts";

const MAIN = fileURLToPath(new URL("../../../daemon/main.ts", import.meta.url));
const MANAGER = fileURLToPath(new URL("manager.py", import.meta.url));
/** Long enough for each feeding on a busy machine, as nothing here ends a daemon that is late. */
const WATCHDOG_USEC = 400_000;
const DAEMON_MS_MAX = 30_000;
const skip =
  !process.env.CI &&
  !["/usr/bin/systemd-notify", "/usr/bin/systemd-socket-activate", PYTHON].every((file) =>
    existsSync(file),
  ) &&
  "systemd or python3 is not installed (apt-get install systemd python3)";

interface Message {
  words: string[];
  pid: number;
}

test("the daemon reports that it is ready, lives, reads its configuration, and ends", { skip }, async () => {
  using temp = tempDir();
  await using manager = await startManager(path.join(temp.dir, "notify"));
  const env = { NOTIFY_SOCKET: manager.socket, WATCHDOG_USEC: `${WATCHDOG_USEC}` };
  await using daemon = startDaemon(temp.dir, env);
  await manager.has("READY=1");
  await manager.has("WATCHDOG=1", 2);
  daemon.child.kill("SIGHUP");
  await manager.has("READY=1", 2);
  daemon.child.kill("SIGTERM");
  await manager.has("STOPPING=1");
  assert.equal((await daemon.ended).code, 0, daemon.output.err);
  const told = manager.messages().map(({ words: [first] }) => first);
  assert.deepEqual(
    told.filter((word) => word !== "WATCHDOG=1"),
    ["READY=1", "RELOADING=1", "READY=1", "STOPPING=1"],
  );
  // It has more time than the unit's own bound if `limits.drain` is longer.
  assert.ok(manager.messages().some(({ words }) => words.includes("EXTEND_TIMEOUT_USEC=60000000")));
  // Only root may send in the daemon's name. Without it, NotifyAccess=all admits the program that sends.
  if (process.getuid?.() === 0)
    assert.deepEqual([...new Set(manager.messages().map(({ pid }) => pid))], [daemon.child.pid]);
});

test("a drain and a reload by an operator are reported, too", { skip }, async () => {
  using temp = tempDir();
  await using manager = await startManager(path.join(temp.dir, "notify"));
  await using daemon = startDaemon(temp.dir, { NOTIFY_SOCKET: manager.socket });
  await manager.has("READY=1");
  const client = testClient(`unix:${path.join(temp.dir, "s/daemon.sock")}`);
  await client.ask("ReloadConfig", {});
  await manager.has("READY=1", 2);
  await client.ask("Drain", {});
  await manager.has("STOPPING=1");
  assert.equal((await daemon.ended).code, 0, daemon.output.err);
  client.close();
  assert.ok(manager.messages().every(({ words }) => !words.includes("WATCHDOG=1")));
});

test("a daemon whose manager cannot be reached goes on, and logs why", { skip }, async () => {
  using temp = tempDir();
  await using daemon = startDaemon(temp.dir, { NOTIFY_SOCKET: path.join(temp.dir, "none") });
  await daemon.said(/the service manager was not told/, "err");
  daemon.child.kill("SIGTERM");
  assert.equal((await daemon.ended).code, 0, daemon.output.err);
});

test("a handed socket serves calls beside the configured one, and outlives the daemon", {
  skip,
}, async () => {
  using temp = tempDir();
  const socket = path.join(temp.dir, "handed.sock");
  await using activated = await activate(temp.dir, socket);
  const client = testClient(`unix:${socket}`);
  const { ok } = await client.ask("GetStatus", {});
  assert.deepEqual(ok?.addresses, [`unix:${path.join(temp.dir, "s/daemon.sock")}`, `unix:${socket}`]);
  const other = testClient(`unix:${path.join(temp.dir, "s/daemon.sock")}`);
  assert.equal((await other.ask("GetStatus", {})).ok?.pid, ok.pid);
  await client.ask("Drain", {});
  assert.equal((await activated.ended).code, 0);
  for (const each of [client, other]) each.close();
  assert.ok(existsSync(socket));
});

test("a handed socket at a configured path takes its place", { skip }, async () => {
  using temp = tempDir();
  const socket = path.join(temp.dir, "handed.sock");
  await using activated = await activate(temp.dir, socket, "--listen", `unix:${socket}`);
  const client = testClient(`unix:${socket}`);
  assert.deepEqual((await client.ask("GetStatus", {})).ok?.addresses, [`unix:${socket}`]);
  await client.ask("Drain", {});
  await activated.ended;
  client.close();
});

test("a handed TCP socket is refused: nothing has checked who may call there", { skip }, async () => {
  using temp = tempDir();
  const port = await freePort();
  await using activated = await activate(temp.dir, `127.0.0.1:${port}`);
  await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined);
  const { code, said } = await activated.ended;
  assert.equal(code, 78);
  assert.match(said, /descriptor 3 is no unix socket with a path\nList TCP addresses under listen:/);
});

test("each line for systemd's journal has its priority, and others have none", { skip }, async () => {
  using temp = tempDir();
  for (const isJournal of [true, false]) {
    const file = path.join(temp.dir, `log-${isJournal}`);
    const fd = openSync(file, "w");
    const { dev, ino } = fstatSync(fd);
    const env = { ...process.env, JOURNAL_STREAM: `${dev}:${isJournal ? ino : ino + 1}` };
    const flags = [
      "--http",
      "off",
      "--idle-exit",
      "1ms",
      "--state-dir",
      path.join(temp.dir, `s-${isJournal}`),
    ];
    const child = spawn(process.execPath, [MAIN, ...flags], {
      cwd: temp.dir,
      env,
      stdio: ["ignore", "ignore", fd],
    });
    const [code] = await once(child, "exit");
    const lines = readFileSync(file, "utf8").trim().split("\n");
    assert.equal(code, 0, lines.join("\n"));
    assert.ok(lines.length > 1);
    for (const line of lines) assert.match(line, isJournal ? /^<[2-7]>\{"level":/ : /^\{"level":/);
  }
});

function startDaemon(dir: string, env: NodeJS.ProcessEnv): RunningProgram {
  const flags = ["--state-dir", path.join(dir, "s"), "--http", "off"];
  return startProgram([MAIN, ...flags], { cwd: dir, env: { ...process.env, ...env } });
}

/** Starts the stand-in for systemd. */
async function startManager(socket: string) {
  const child = spawn(PYTHON, [MANAGER, socket], { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const lines = new Lines();
  lines.read(child.stdout);
  await lines.have("listening", 1, DAEMON_MS_MAX);
  const messages = () => lines.all.slice(1).map((line) => JSON.parse(line) as Message);
  return {
    socket,
    messages,
    /** Resolves when so many messages have the word. */
    has: (word: string, times = 1) => lines.have(JSON.stringify(word), times, DAEMON_MS_MAX),
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}

/** Has systemd's own program listen, and start the daemon with the first connection. */
async function activate(dir: string, listen: string, ...flags: string[]) {
  const daemon = [process.execPath, MAIN, "--state-dir", path.join(dir, "s"), "--http", "off", ...flags];
  const args = ["--listen", listen, "--setenv", `PATH=${process.env.PATH}`, ...daemon];
  const child = spawn("systemd-socket-activate", args, { cwd: dir, stdio: ["ignore", "ignore", "pipe"] });
  const exited = once(child, "exit");
  const lines = new Lines();
  lines.read(child.stderr);
  await lines.have("Listening on", 1, DAEMON_MS_MAX);
  return {
    ended: exited.then(([code]) => ({ code: code as number, said: lines.all.join("\n") })),
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}
