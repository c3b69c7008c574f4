import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import type { DaemonNote } from "../../proto/machine/locations.ts";
import { strangerAt, testClient } from "../harness/daemon.ts";
import { allGone, isAlive } from "../harness/proc.ts";
import { type RunningProgram, startProgram } from "../harness/program.ts";
import { LINES } from "../harness/stand-in/state.ts";
import { tempDir } from "../harness/temp-dir.ts";

const main = fileURLToPath(new URL("../../daemon/main.ts", import.meta.url));
const withStandIns = fileURLToPath(new URL("../harness/run-daemon.ts", import.meta.url));

/** Runs a program in a folder. */
function run(program: string, cwd: string, args: readonly string[]): RunningProgram {
  return startProgram([program, ...args], {
    cwd,
    env: { PATH: process.env.PATH, HOME: cwd },
  });
}

/** Runs a daemon with stand-in workers until it is ready. */
async function ready(dir: string, args: string[] = ["--http", "127.0.0.1:0"]) {
  const ran = run(withStandIns, dir, ["--state-dir", "s", ...args]);
  await ran.said(/ready/);
  const note = JSON.parse(readFileSync(path.join(dir, "s/daemon.json"), "utf8")) as DaemonNote;
  return { ...ran, note, address: note.addresses[0] ?? "" };
}

/** Resolves when the worker holds a call of the client's session. */
const holdsCall = (daemon: RunningProgram) => daemon.said(new RegExp(LINES.holds("local/s1")), "err");

test("SIGHUP makes a daemon read its configuration again", async () => {
  using temp = tempDir();
  const file = path.join(temp.dir, "troupe.yaml");
  writeFileSync(file, "roles: { one: {} }");
  await using daemon = await ready(temp.dir);
  const client = testClient(daemon.address);
  try {
    writeFileSync(file, "roles: { one: {}, two: {} }");
    daemon.child.kill("SIGHUP");
    await daemon.said(/the configuration was read again/, "err");
    assert.equal((await client.ask("ListRoles", {})).ok?.roles.length, 2);
  } finally {
    client.close();
  }
});

for (const [signal, code] of [
  ["SIGHUP", "goes on"],
  ["SIGTERM", "ends in order"],
] as const) {
  test(`after ${signal} during its start the daemon ${code}`, async () => {
    using temp = tempDir();
    const pipe = path.join(temp.dir, "load");
    // The daemon's program waits in a module load until the test writes to the pipe.
    assert.equal(spawnSync("mkfifo", [pipe]).status, 0);
    const loader = `import { readFileSync } from "node:fs"; import { registerHooks } from "node:module";
      registerHooks({ load(url, context, next) {
        if (url.endsWith("/run-daemon.ts")) { console.log("loading"); readFileSync(${JSON.stringify(pipe)}); }
        return next(url, context);
      } });`;
    const hook = `data:text/javascript,${encodeURIComponent(loader)}`;
    const args = [hook, main, "--state-dir", "s", "--http", "off"];
    await using daemon = run("--import", temp.dir, args);
    await daemon.said(/loading/);
    daemon.child.kill(signal);
    writeFileSync(pipe, "go on");
    if (signal === "SIGHUP") {
      await daemon.said(/Troupe/);
      await daemon.said(/read again/, "err");
      daemon.child.kill("SIGTERM");
    }
    assert.equal((await daemon.ended).code, 0, daemon.output.err);
  });
}

test("a stalled reader of the daemon's log does not stop it", async () => {
  using temp = tempDir();
  const config = JSON.stringify({ log: { level: "debug" }, http: "127.0.0.1:0" });
  writeFileSync(path.join(temp.dir, "troupe.yaml"), config);
  await using daemon = await ready(temp.dir, []);
  // The test stops reading: a pipe takes 64 KiB, and this stream a little.
  daemon.child.stderr.removeAllListeners("data").pause();
  const client = testClient(daemon.address);
  try {
    for (let call = 0; call < 500; call++)
      assert.equal((await client.open("http://a.test/")).ok, "opened http://a.test/", `call ${call}`);
    assert.equal((await fetch(`${daemon.note.http[0]}/livez`)).status, 200);
  } finally {
    client.close();
  }
  daemon.child.kill("SIGTERM");
  await daemon.exited;
  assert.equal(daemon.child.exitCode, 0);
});

test("a system error at the start is a line without a stack", async () => {
  using temp = tempDir();
  mkdirSync(path.join(temp.dir, "s/token"), { recursive: true, mode: 0o700 });
  await using ran = run(main, temp.dir, ["--state-dir", "s", "--http", "off"]);
  assert.equal((await ran.ended).code, 69);
  assert.match(ran.output.err, /^The daemon cannot start: .*\n.*--state-dir/m);
  assert.doesNotMatch(ran.output.err, /^\s+at /m);
});

test("the state folder and its files are private", async () => {
  using temp = tempDir();
  await using daemon = await ready(temp.dir);
  const mode = (name: string) => (statSync(path.join(temp.dir, "s", name)).mode & 0o777).toString(8);
  assert.deepEqual(["", "daemon.sock", "token", "daemon.json"].map(mode), ["700", "600", "600", "600"]);
  assert.equal(daemon.note.pid, daemon.child.pid);
  assert.match(daemon.note.http[0] ?? "", /^http:\/\/127\.0\.0\.1:\d+$/);
});

test("a second daemon on the same state folder is refused, naming the first", async () => {
  using temp = tempDir();
  await using first = await ready(temp.dir);
  await using second = run(main, temp.dir, ["--state-dir", "s", "--http", "off"]);
  assert.equal((await second.ended).code, 69);
  assert.match(
    second.output.err,
    new RegExp(
      `Another daemon uses the state folder .*/s \\(process ${first.child.pid}, at unix:.*/s/daemon\\.sock\\)`,
    ),
  );
  assert.match(second.output.err, /end it with: troupe drain --state-dir .*\/s,/);
});

test("after kill -9 no process of a daemon is left, and the next one starts", async () => {
  using temp = tempDir();
  await using first = await ready(temp.dir);
  const client = testClient(first.address);
  const { pid } = JSON.parse((await client.open("http://do/state")).ok ?? "{}") as { pid: number };
  const [traces] = JSON.parse(readFileSync(path.join(temp.dir, "s/workers.json"), "utf8")) as {
    tmpDir: string;
  }[];
  first.child.kill("SIGKILL");
  await first.ended;
  client.close();
  await allGone([pid]);
  await using second = await ready(temp.dir);
  assert.ok(!existsSync(traces?.tmpDir ?? "/"));
  assert.deepEqual(
    readdirSync(path.join(temp.dir, "s")).filter((name) => /^w\d+\.sock$/.test(name)),
    [],
  );
  assert.notEqual(second.note.pid, first.note.pid);
});

test("a worker that outlived its daemon is ended by the next one, a stranger's process is not", async () => {
  using temp = tempDir();
  mkdirSync(path.join(temp.dir, "s"), { mode: 0o700 });
  const socket = path.join(temp.dir, "s/w7.sock");
  const idle = "setInterval(() => {}, 1000)";
  const left = spawn(process.execPath, ["-e", idle, "--", "--socket", socket], { stdio: "ignore" });
  const stranger = spawn(process.execPath, ["-e", idle], { stdio: "ignore" });
  const gone = new Promise((resolve) => left.once("exit", (_code, signal) => resolve(signal)));
  writeFileSync(
    path.join(temp.dir, "s/workers.json"),
    JSON.stringify([{ socket, tmpDir: path.join(temp.dir, "not-ours") }, { half: "a record" }]),
  );
  mkdirSync(path.join(temp.dir, "not-ours"));
  await using daemon = await ready(temp.dir);
  assert.equal(await gone, "SIGKILL");
  assert.ok(isAlive(stranger.pid ?? 0) && daemon.note.pid > 0);
  assert.ok(existsSync(path.join(temp.dir, "not-ours")), "a folder that is no worker's is left alone");
  stranger.kill("SIGKILL");
});

test("SIGTERM lets calls under way finish, takes no new ones, and leaves nothing", async () => {
  using temp = tempDir();
  writeFileSync(
    path.join(temp.dir, "troupe.yaml"),
    "limits: { callTimeout: 1s }\nhttp: 127.0.0.1:0\nroles: { default: { eager: true } }\n",
  );
  await using daemon = await ready(temp.dir, []);
  // A worker may take longer to start than the call timeout of this test.
  await daemon.said(/"state":"READY"/, "err");
  const client = testClient(daemon.address);
  const { pid } = JSON.parse((await client.open("http://do/state")).ok ?? "{}") as { pid: number };
  const hung = client.open("http://do/hang");
  await holdsCall(daemon);
  daemon.child.kill("SIGTERM");
  await daemon.said(/"msg":"draining"/, "err");
  const refused = (await client.open("http://a.test/", { session: "new" })).error;
  assert.equal(refused?.type, "DAEMON_DRAINING");
  assert.deepEqual([refused.details.effect, refused.retry?.sameCall], ["none", true]);
  assert.equal((await fetch(`${daemon.note.http[0]}/readyz`)).status, 503);
  assert.equal((await fetch(`${daemon.note.http[0]}/livez`)).status, 200);
  assert.equal((await hung).error?.type, "TIMEOUT");
  assert.equal((await daemon.ended).code, 0);
  client.close();
  assert.ok(!isAlive(pid));
  assert.deepEqual(
    readdirSync(path.join(temp.dir, "s")).filter((name) => /\.sock$|daemon\.json$/.test(name)),
    [],
  );
});

test("calls beyond the drain's bound are broken off", async () => {
  using temp = tempDir();
  writeFileSync(path.join(temp.dir, "troupe.yaml"), "limits: { drain: 200ms }\nhttp: off\n");
  await using daemon = await ready(temp.dir, []);
  const client = testClient(daemon.address);
  await client.open("http://a.test/");
  const hung = client.open("http://do/hang");
  await holdsCall(daemon);
  assert.equal((await client.ask("Drain", {})).ok?.calls, 1);
  const { error } = await hung;
  assert.equal(error?.type, "DAEMON_DRAINING");
  assert.deepEqual([error.details.effect, error.retry?.sameCall], ["unknown", false]);
  assert.equal((await daemon.ended).code, 0);
  client.close();
});

test("a second signal ends at once, workers included", async () => {
  using temp = tempDir();
  await using daemon = await ready(temp.dir);
  const client = testClient(daemon.address);
  const { pid } = JSON.parse((await client.open("http://do/state")).ok ?? "{}") as { pid: number };
  client.open("http://do/hang").catch((error: Error) => assert.ok(error));
  await holdsCall(daemon);
  daemon.child.kill("SIGTERM");
  await daemon.said(/"msg":"draining"/, "err");
  daemon.child.kill("SIGINT");
  assert.equal((await daemon.ended).code, 1);
  await allGone([pid]);
  client.close();
});

test("an autostarted daemon ends if its client never comes", async () => {
  using temp = tempDir();
  await using daemon = run(withStandIns, temp.dir, ["--state-dir", "s", "--idle-exit", "100ms"]);
  assert.equal((await daemon.ended).code, 0);
});

test("the error for a taken port has the address and a remedy", async () => {
  using temp = tempDir();
  using other = await strangerAt({ port: 0, host: "127.0.0.1" });
  const { port } = other;
  for (const args of [
    ["--http", `127.0.0.1:${port}`],
    ["--http", "off", "--listen", `127.0.0.1:${port}`],
  ]) {
    await using refused = run(main, temp.dir, ["--state-dir", "s", ...args]);
    assert.equal((await refused.ended).code, 69);
    assert.match(
      refused.output.err,
      new RegExp(
        `^Cannot listen at (http://)?127\\.0\\.0\\.1:${port}: taken by another program: \\S+, pid ${process.pid}$`,
        "m",
      ),
    );
    assert.match(refused.output.err, /choose another address with --(http|listen)/);
  }
});

for (const [what, args, code, why] of [
  [
    "a configuration that is not there",
    ["--config", "none.yaml"],
    78,
    /Cannot read the configuration none\.yaml: it is not there/,
  ],
  ["an unknown flag", ["--confg", "a"], 64, /unknown option '--confg'[\s\S]*--config/],
] as const) {
  test(`${what} is refused with ${code}, in words and without a stack`, async () => {
    using temp = tempDir();
    await using ran = run(main, temp.dir, [...args]);
    assert.equal((await ran.ended).code, code);
    assert.match(ran.output.err, why);
    assert.doesNotMatch(ran.output.err, /^\s+at /m);
  });
}
