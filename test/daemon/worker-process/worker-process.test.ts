import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { spawnWorker } from "../../../daemon/worker-process/worker-process.ts";
import type { RoleConfig } from "../../../proto/gen/troupe.ts";
import { decode, messageType } from "../../../proto/wire/schema.ts";
import { tempDir } from "../../harness/temp-dir.ts";

/** A program that says how many bytes it reads, and what they are. */
const READER = `
  let read = "";
  process.stdin.on("data", (part) => (read += part)).on("end", () => console.log("read " + read));
`;

/** Starts that program in place of a worker. Returns what it read. */
async function sentTo(program: string, config: RoleConfig): Promise<string> {
  using temp = tempDir();
  const lines: string[] = [];
  const { ended } = spawnWorker(
    {
      command: { program: process.execPath, args: ["-e", program, "--"] },
      config,
      stateDir: temp.dir,
      socket: path.join(temp.dir, "w.sock"),
      env: process.env,
      logLevel: "warn",
      onLine: (line) => lines.push(line),
      listenTimeoutMs: 30_000,
    },
    () => undefined,
  );
  assert.equal(await ended, "its process ended with exit code 0");
  return lines.join("\n");
}

const roleConfig = (connect: string): RoleConfig => {
  const config = decode<RoleConfig>(messageType("troupe.v1.RoleConfig"), Buffer.alloc(0));
  const browser = { executable: "", executableShown: "", headless: true, sandbox: "auto", args: [], connect };
  return { ...config, name: "a", browser };
};

test("a worker gets its role's configuration at once, so that its browser starts while it loads", async () => {
  const config = roleConfig("");
  assert.deepEqual(JSON.parse((await sentTo(READER, config)).replace(/^read /, "")), config);
});

test("a worker of an attached browser gets none: a person may be asked, and learns of it from the role", async () => {
  assert.equal(await sentTo(READER, roleConfig("http://127.0.0.1:9222")), "read ");
});

test("a worker that ends without reading it ends like any other", async () => {
  assert.equal(await sentTo("process.exit()", roleConfig("")), "");
});
