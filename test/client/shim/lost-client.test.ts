import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { pingOrphanedClient } from "../../../client/shim/lost-client.ts";
import { CLI } from "../../harness/mcp/mcp-process.ts";
import { StandIn } from "../../harness/stand-in/daemon.ts";

const DEADLINE = { timeout: 30_000 };
const CALL = [
  {
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
  },
  { method: "notifications/initialized" },
  { id: 2, method: "tools/call", params: { name: "browser_press_key", arguments: { key: "a" } } },
].map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

/** A client in a process of its own. It starts a command, sends a call to it, and reads. */
const CLIENT = `
  const [program, ...args] = process.argv.slice(1);
  const child = require("node:child_process").spawn(program, args, { stdio: ["pipe", "pipe", "ignore"] });
  child.stdin.write(${JSON.stringify(CALL.join(""))});
  child.stdout.resume();
`;
/** A program between the client and the shim, as npx is. */
const BETWEEN = `
  const [program, ...args] = process.argv.slice(1);
  require("node:child_process").spawn(program, args, { stdio: "inherit" });
`;

const commands: [what: string, command: string[]][] = [
  ["", []],
  [" that started it through another program", [process.execPath, "-e", BETWEEN, "--"]],
];

for (const [what, between] of commands) {
  test(`the call of a killed client${what} is cancelled`, DEADLINE, async () => {
    await using daemon = await StandIn.start({ PressKey: ({ signal }) => once(signal, "abort") });
    const calling = daemon.next("PressKey");
    const shim = [process.execPath, CLI, "mcp", "--address", daemon.address];
    const client = spawn(process.execPath, ["-e", CLIENT, "--", ...between, ...shim], { stdio: "ignore" });
    try {
      const { signal } = await calling;
      client.kill("SIGKILL");
      await once(signal, "abort");
    } finally {
      client.kill("SIGKILL");
    }
  });
}

test("a client that only closes its output gets the answer, and nothing else", DEADLINE, async () => {
  const answer = Promise.withResolvers<object>();
  await using daemon = await StandIn.start({ PressKey: () => answer.promise });
  const calling = daemon.next("PressKey");
  const shim: ChildProcess = spawn(process.execPath, [CLI, "mcp", "--address", daemon.address], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  let said = "";
  shim.stdout?.on("data", (part: Buffer) => {
    said += part;
  });
  shim.stdin?.end(CALL.join(""));
  await calling;
  answer.resolve({ text: "done" });
  await once(shim, "close");
  assert.deepEqual(
    said
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).id),
    [1, 2],
  );
});

test("a ping is written only once stdin has ended and a process above has ended", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  for (const [chain, written] of [
    [[7, 1], null],
    [[1], /"method":"ping"/],
  ] as const) {
    let above: number[] = [7, 1];
    const [input, output] = [new PassThrough(), new PassThrough()];
    pingOrphanedClient(input, output, () => above);
    above = [...chain];
    t.mock.timers.tick(5_000);
    assert.equal(output.read(), null, "stdin is open");
    input.emit("end");
    t.mock.timers.tick(5_000);
    const text = output.read();
    if (written) assert.match(String(text), written);
    else assert.equal(text, null);
  }
});
