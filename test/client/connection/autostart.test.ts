import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { daemonArguments, startDaemon } from "../../../client/connection/autostart.ts";
import { openDaemonLog, spoken } from "../../../client/connection/daemon-log.ts";
import { discoverDaemon, readNote } from "../../../client/connection/discovery.ts";
import { SMALL_HEAP } from "../../../proto/machine/small-heap.ts";
import { allStats, read } from "../../harness/proc.ts";

const DEADLINE = { timeout: 60_000 };
const PROGRAM = fileURLToPath(import.meta.resolve("./daemon-program.ts"));

/** A state folder of its own. Its end kills what was started in it. */
class Place implements Disposable {
  readonly dir = mkdtempSync(path.join(tmpdir(), "autostart-"));
  readonly where = discoverDaemon({ stateDir: path.join(this.dir, "state") }, { cwd: this.dir, env: {} });

  readonly reported: string[] = [];

  start(behaviour: string, timeoutMs?: number): Promise<void> {
    return startDaemon({
      where: this.where,
      cwd: this.dir,
      env: { ...process.env, TEST_DAEMON: behaviour },
      roles: [],
      idleExit: "1m",
      program: PROGRAM,
      timeoutMs,
      report: (line) => this.reported.push(line),
    });
  }

  [Symbol.dispose](): void {
    // A daemon that never became ready has left no note.
    const started = allStats().filter(({ pid }) => read(`/proc/${pid}/cmdline`)?.includes(this.dir));
    for (const { pid } of started) process.kill(pid, "SIGKILL");
    rmSync(this.dir, { recursive: true, force: true });
  }
}

test("a client waits for a daemon in the background until it is ready", DEADLINE, async () => {
  using place = new Place();
  await place.start("ready");
  const pid = readNote(place.where.files.note)?.pid;
  assert.ok(pid);
  assert.ok(read(`/proc/${pid}/cmdline`)?.includes(SMALL_HEAP.join("\0")));
  assert.equal(statSync(place.where.files.dir).mode & 0o777, 0o700);
  assert.equal(statSync(place.where.files.log).mode & 0o777, 0o600);
});

test("a person learns where the started daemon is, and for what a long wait is", DEADLINE, async () => {
  using place = new Place();
  await assert.rejects(place.start("hangs", 1500));
  assert.deepEqual(place.reported, [`starting a daemon (log: ${place.where.files.log})`]);
  using other = new Place();
  await other.start("ready");
  const { pid } = readNote(other.where.files.note) ?? {};
  assert.equal(
    other.reported.at(-1),
    `started a daemon without a configuration (there is no troupe.yaml here or above) (process ${pid}, HTTP at http://127.0.0.1:1); it ends 1m after its last session`,
  );
});

test("an earlier daemon's note does not count as readiness", DEADLINE, async () => {
  using place = new Place();
  await assert.rejects(place.start("wrong"), { type: "DAEMON_UNREACHABLE" });
  writeFileSync(place.where.files.note, JSON.stringify({ pid: process.pid, addresses: ["unix:x"] }));
  await assert.rejects(place.start("wrong"), { type: "DAEMON_UNREACHABLE" });
});

test("a client uses another daemon that was quicker", DEADLINE, async () => {
  using place = new Place();
  await assert.rejects(place.start("wrong"));
  writeFileSync(place.where.files.note, JSON.stringify({ pid: process.pid, addresses: ["unix:x"] }));
  await place.start("second");
});

test("the error of a daemon that does not start has its last words, without colours", DEADLINE, async () => {
  using place = new Place();
  await assert.rejects(place.start("wrong"), ({ type, data }) => {
    assert.equal(type, "DAEMON_UNREACHABLE");
    assert.equal(
      data.reason,
      "a daemon could not be started: it ended with exit code 78. It said: troupe.yaml:3: unknown key rolse; did you mean roles?",
    );
    return true;
  });
});

test("the error of a crashed daemon leaves out its stack, which the log has", DEADLINE, async () => {
  using place = new Place();
  await assert.rejects(place.start("crashes"), ({ data }) => {
    assert.match(data.reason, /exit code 1; daemon.log in the state folder tells more$/);
    return true;
  });
  assert.match(readFileSync(place.where.files.log, "utf8"), /TypeError: boom\n +at /);
});

test("last words are lines for people, each once", () => {
  const log = `{"level":40,"msg":"w"}\nThe port is taken\n\nThe port is taken\n    at f (/x.ts:1)\nNode.js v26\n`;
  assert.equal(spoken(log), "The port is taken");
});

test("the wait for a daemon that never becomes ready is bounded", DEADLINE, async () => {
  using place = new Place();
  await assert.rejects(place.start("hangs", 300), ({ data }) => /not ready in time/.test(data.reason));
});

test("an unusable state folder is reported", DEADLINE, async () => {
  using place = new Place();
  writeFileSync(path.join(place.dir, "state"), "a file");
  await assert.rejects(place.start("ready"), ({ data }) => /state folder cannot be used/.test(data.reason));
});

test("a started daemon gets its client's state folder, configuration and roles", () => {
  using place = new Place();
  const config = path.join(place.dir, "troupe.yaml");
  writeFileSync(config, "");
  const where = discoverDaemon({ stateDir: "/s", config }, { cwd: "/", env: {} });
  assert.deepEqual(daemonArguments({ where, idleExit: "30m", roles: [["a", "a.json"], ["b"]] }), [
    ...["--idle-exit", "30m", "--state-dir", "/s", "--config", config],
    ...["--role", "a", "a.json", "--role", "b"],
  ]);
});

test("a daemon that replaces a used one gets that one's arguments, not its client's", () => {
  const where = discoverDaemon({ stateDir: "/s" }, { cwd: "/", env: {} });
  const before = { arguments: ["--example", "--http", "off"], cwd: "/project" };
  assert.deepEqual(daemonArguments({ where, before, idleExit: "30m", roles: [["a", "a.json"]] }), [
    ...["--example", "--http", "off"],
    ...["--idle-exit", "30m", "--state-dir", "/s"],
  ]);
});

test("a log that has grown large is moved aside for a new one", () => {
  using place = new Place();
  const file = path.join(place.dir, "daemon.log");
  writeFileSync(file, "old\n".repeat(2_000_000));
  using log = openDaemonLog(file);
  writeFileSync(log.fd, "new\n");
  assert.equal(log.lastWords(), "new");
  assert.equal(readFileSync(file, "utf8"), "new\n");
  assert.equal(statSync(`${file}.1`).size, 8_000_000);
});
