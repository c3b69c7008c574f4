// A daemon that a client of another version left in the background.
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { readNote } from "../../client/whereabouts.ts";
import { VERSION } from "../../proto/version.ts";
import { McpProcess, textOf } from "./fixtures/mcp-process.ts";

const DEADLINE = { timeout: 60_000 };
const [major = "", minor = ""] = VERSION.split(".");
const SAME_SERIES = `${major}.${minor}.999`;
const OTHER_SERIES = "99.0.0";

test(
  "one that somebody uses is named, or used where it understands; one that nobody uses makes room",
  DEADLINE,
  async () => {
    const dir = await mkdtemp(path.join(tmpdir(), "version-"));
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
      await using next = await McpProcess.start(settings);
      assert.match(textOf(await next.call("list_current_roles")), /default/);
      assert.notEqual(readNote(file)?.pid, pid);
      assert.equal(readNote(file)?.version, VERSION);
    } finally {
      const last = readNote(file)?.pid;
      if (last !== undefined) process.kill(last, "SIGKILL");
      await rm(dir, { recursive: true, force: true, maxRetries: 3 });
    }
  },
);
