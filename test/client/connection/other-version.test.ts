// Tests of a daemon that a client of another version left in the background.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { parseAddress } from "../../../client/connection/address.ts";
import { Connection } from "../../../client/connection/connection.ts";
import { readNote } from "../../../client/connection/discovery.ts";
import { isUsable } from "../../../client/connection/other-version.ts";
import { stateFiles } from "../../../proto/machine/locations.ts";
import { VERSION } from "../../../proto/machine/version.ts";
import { testDaemon } from "../../harness/daemon.ts";
import { McpProcess, textOf } from "../../harness/mcp/mcp-process.ts";
import { StandIn } from "../../harness/stand-in/daemon.ts";
import { tempDir } from "../../harness/temp-dir.ts";

const DEADLINE = { timeout: 60_000 };
const [major = "", minor = ""] = VERSION.split(".");
const SAME_SERIES = `${major}.${minor}.999`;
const OTHER_SERIES = "99.0.0";
/** The arguments with which a client starts a daemon. */
const STARTED = { arguments: ["--idle-exit", "1m"], cwd: "/" };

test(
  "a used daemon is named, or used if it understands the client; an unused one makes room",
  DEADLINE,
  async () => {
    using temp = tempDir();
    const { dir } = temp;
    const file = path.join(dir, "state", "daemon.json");
    const settings = ["--state-dir", path.join(dir, "state")];
    const pretend = async (version: string) => {
      const note = JSON.parse(await readFile(file, "utf8"));
      await writeFile(file, JSON.stringify({ ...note, version }));
    };
    try {
      await using first = await McpProcess.start(settings);
      assert.match(textOf(await first.call("list_current_roles")), /default/);
      const { pid } = readNote(file) ?? {};

      await pretend(OTHER_SERIES);
      {
        await using other = await McpProcess.start(settings);
        const refused = textOf(await other.call("list_current_roles"));
        assert.match(refused, /Daemon Unreachable/);
        assert.match(
          refused,
          new RegExp(`version 99\\.0\\.0 \\(process ${pid}\\).*1 session in use \\(local/`),
        );
        assert.match(refused, /Ask the operator: end that daemon with: troupe drain/);
      }
      await pretend(SAME_SERIES);
      {
        await using other = await McpProcess.start(settings);
        assert.match(textOf(await other.call("list_current_roles")), /default/);
        assert.equal(readNote(file)?.pid, pid);
      }
      await first[Symbol.asyncDispose]();
      // All clients that come at once find its successor.
      await using next = await McpProcess.start(settings);
      await using third = await McpProcess.start(settings);
      for (const told of await Promise.all([next, third].map((each) => each.call("list_current_roles"))))
        assert.match(textOf(told), /default/);
      assert.notEqual(readNote(file)?.pid, pid);
      assert.equal(readNote(file)?.version, VERSION);
    } finally {
      const last = readNote(file)?.pid;
      if (last !== undefined) process.kill(last, "SIGKILL");
    }
  },
);

/** Writes a note for a daemon of the given version. `pid`: the process in the note. */
async function noted(daemon: StandIn, version: string, pid: number) {
  const files = stateFiles({ stateDir: daemon.dir, cwd: "/", env: {} });
  const note = { pid, version, addresses: [daemon.address], http: [], started: STARTED };
  await writeFile(files.note, JSON.stringify(note));
  const connection = await Connection.open(parseAddress(daemon.address, "/", files));
  return { connection, files };
}
test("a client's own session does not keep it from replacing a daemon", DEADLINE, async () => {
  await using troupe = await testDaemon({ roles: { customer: {} } });
  const own = { session: "own" };
  const another = { session: "another" };
  for (const each of [own, another]) assert.ok((await troupe.open("http://a.test/", each)).ok);
  const drain = async () => (await troupe.ask("Drain", { ifUnused: true }, own)).ok?.heldBy;
  assert.deepEqual(await drain(), ["local/another"]);
  assert.ok((await troupe.ask("CloseSession", another)).ok);
  assert.deepEqual(await drain(), []);
});

test("the request to leave names the session", DEADLINE, async () => {
  await using daemon = await StandIn.start({ Drain: () => ({ heldBy: ["local/a"] }) });
  const { connection, files } = await noted(daemon, SAME_SERIES, process.pid);
  assert.ok(await isUsable(connection, { files, session: "own" }, AbortSignal.timeout(9000)));
  assert.equal(daemon.callsOf("Drain")[0]?.headers["x-troupe-session"], "own");
  connection.close();
});

test("a daemon that has ended counts as gone, with or without its note", DEADLINE, async () => {
  const ended = spawn(process.execPath, ["--version"], { stdio: "ignore" });
  await once(ended, "exit");
  for (const version of [SAME_SERIES, OTHER_SERIES]) {
    await using daemon = await StandIn.start();
    const { connection, files } = await noted(daemon, version, ended.pid ?? 0);
    await daemon.stop();
    assert.equal(await isUsable(connection, { files }, AbortSignal.timeout(9000)), false);
    await rm(files.note);
    assert.equal(await isUsable(connection, { files }, AbortSignal.timeout(9000)), false, "without its note");
    connection.close();
  }
});
