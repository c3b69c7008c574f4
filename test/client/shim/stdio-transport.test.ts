import assert from "node:assert/strict";
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { StdioTransport } from "../../../client/shim/stdio-transport.ts";
import { CLI } from "../../harness/mcp/mcp-process.ts";
import { StandIn } from "../../harness/stand-in/daemon.ts";

const DEADLINE = { timeout: 60_000 };
const HELLO = {
  jsonrpc: "2.0",
  id: "hello",
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
};
const click = (id: number | string, args: unknown) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name: "browser_press_key", arguments: args },
});

/** A shim with bare stdin and stdout. */
class RawShim implements AsyncDisposable {
  readonly child: ChildProcessWithoutNullStreams;
  readonly lines: AsyncIterator<string>;

  constructor(args: readonly string[]) {
    this.child = spawn(process.execPath, [CLI, "mcp", ...args]);
    this.child.stderr.resume();
    this.lines = createInterface(this.child.stdout)[Symbol.asyncIterator]();
  }

  send(line: string | object): void {
    this.child.stdin.write(`${typeof line === "string" ? line : JSON.stringify(line)}\n`);
  }

  /** Returns the next line of stdout, which must be JSON-RPC. */
  async next(): Promise<{ id?: unknown; result?: { isError?: boolean }; error?: { code: number } }> {
    const { value, done } = await this.lines.next();
    assert.ok(!done, "stdout has ended");
    const message = JSON.parse(value);
    assert.equal(message.jsonrpc, "2.0");
    return message;
  }

  async end(): Promise<number | null> {
    const exit = once(this.child, "exit");
    this.child.stdin.end();
    return (await exit)[0];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.child.exitCode === null) this.child.kill("SIGKILL");
  }
}

test("the shim writes only JSON-RPC, whatever comes in, and keeps running", DEADLINE, async () => {
  await using daemon = await StandIn.start();
  await using shim = new RawShim(["--address", daemon.address]);
  const cases: [sent: string | object, id: unknown, code: number][] = [
    ["not json", null, -32_700],
    ["{", null, -32_700],
    ["[]", null, -32_600],
    ["null", null, -32_600],
    ["42", null, -32_600],
    [`{"jsonrpc":"2.0","id":7}`, 7, -32_600],
    [`{"id":8,"method":"tools/list"}`, 8, -32_600],
    [{ jsonrpc: "2.0", id: 9, method: "no/such" }, 9, -32_601],
    [click(10, [1]), 10, -32_602],
    [{ jsonrpc: "2.0", id: 11, method: "tools/call", params: {} }, 11, -32_602],
    ["\u0000\uFFFD\u0007", null, -32_700],
  ];
  shim.send("");
  for (const [sent, id, code] of cases) {
    shim.send(sent);
    const { id: answered, error } = await shim.next();
    assert.deepEqual([answered, error?.code], [id, code], JSON.stringify(sent));
  }
  shim.send(HELLO);
  assert.equal((await shim.next()).id, "hello");
  assert.equal(await shim.end(), 0);
});

test("arguments may be null or absent if none are needed", DEADLINE, async () => {
  await using daemon = await StandIn.start();
  await using shim = new RawShim(["--address", daemon.address]);
  shim.send(HELLO);
  await shim.next();
  for (const args of [null, undefined, {}]) {
    shim.send({ ...click("c", args), params: { name: "browser_navigate_back", arguments: args } });
    const { id, result } = await shim.next();
    assert.deepEqual([id, result?.isError], ["c", undefined]);
  }
});

test("a megabyte of arguments is refused with a plan", DEADLINE, async () => {
  await using daemon = await StandIn.start();
  await using shim = new RawShim(["--address", daemon.address]);
  shim.send(click(1, { key: "x".repeat(1_000_000) }));
  const { result } = await shim.next();
  assert.equal(result?.isError, true);
});

test("messages are answered if they arrive together, or in pieces", DEADLINE, async () => {
  await using daemon = await StandIn.start();
  await using shim = new RawShim(["--address", daemon.address]);
  const text = `${JSON.stringify(click(1, { key: "ä" }))}\r\n${JSON.stringify(click(2, { key: "b" }))}\n`;
  const bytes = Buffer.from(text);
  const cut = bytes.indexOf(0xc3) + 1;
  shim.child.stdin.write(bytes.subarray(0, cut));
  shim.child.stdin.write(bytes.subarray(cut));
  const ids = [(await shim.next()).id, (await shim.next()).id];
  assert.deepEqual(ids.sort(), [1, 2]);
  assert.equal(daemon.callsOf("PressKey")[0]?.request.key, "ä");
});

test("requests in a pipe that ends behind them are answered before the shim ends", DEADLINE, async () => {
  await using daemon = await StandIn.start({ PressKey: () => ({ text: "pressed" }) });
  await using shim = new RawShim(["--address", daemon.address]);
  shim.send(HELLO);
  shim.send(click(1, { key: "a" }));
  const ended = shim.end();
  assert.equal((await shim.next()).id, "hello");
  const { id, result } = await shim.next();
  assert.deepEqual([id, result?.isError], [1, undefined]);
  assert.equal(await ended, 0);
});

test("after its input ends, a transport closes with its last answer and ignores cancelled requests", async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const transport = new StdioTransport(input, output);
  const lines = createInterface(output)[Symbol.asyncIterator]();
  const closed = new Promise<void>((resolve) => {
    transport.onclose = resolve;
  });
  await transport.start();
  const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2 } };
  for (const message of [click(1, {}), click(2, {}), cancel]) input.write(`${JSON.stringify(message)}\n`);
  input.end();
  await once(input, "close");
  await transport.send({ jsonrpc: "2.0", id: 1, result: {} });
  await closed;
  assert.equal(JSON.parse((await lines.next()).value ?? "").id, 1);
});

test("a client that closes its end of stdout, or sends a signal, ends the shim", DEADLINE, async () => {
  await using daemon = await StandIn.start();
  for (const leave of [
    (shim: RawShim) => void shim.child.kill("SIGTERM"),
    (shim: RawShim) => {
      shim.child.stdout.destroy();
      shim.send(click(2, { key: "a" }));
    },
  ]) {
    await using shim = new RawShim(["--address", daemon.address]);
    shim.send(click(1, { key: "a" }));
    await shim.next();
    const closing = daemon.next("CloseSession");
    const exit = once(shim.child, "exit");
    leave(shim);
    await closing;
    assert.deepEqual(await exit, [0, null]);
  }
});
