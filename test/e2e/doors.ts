// The doors to the tools, each called in a session of its own: MCP over stdio, the SDK, HTTP, gRPC from Python.
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { connect, TroupeError } from "../../client/sdk/index.ts";
import { toolCall, toolNamed } from "../../proto/calls/tool-call.ts";
import type { ErrorDetail } from "../../proto/errors/catalogue.ts";
import { PROFILE, ROLE, SESSION } from "../../proto/wire/metadata.ts";
import type { JsonObject } from "../../proto/wire/struct.ts";
import { restClient } from "../harness/rest.ts";
import type { Troupe } from "../harness/troupe.ts";
import { generatePython, PYTHON, programHere } from "./python.ts";

/** A door's answer. It has no text at doors for programs, and an error if the tool failed. */
export interface Outcome {
  text?: string;
  error?: ErrorDetail;
}

export interface Door extends AsyncDisposable {
  call(tool: string, args?: JsonObject): Promise<Outcome>;
}

/** Opens a door with `role` as the session's current role. */
export const doors: Readonly<Record<string, (troupe: Troupe, role: string) => Promise<Door>>> = {
  mcp: openMcp,
  sdk: openSdk,
  rest: openRest,
  python: openPython,
};

async function openMcp(troupe: Troupe, role: string): Promise<Door> {
  const agent = await troupe.agent("--role", role);
  return {
    async call(tool, args) {
      const { text, error } = await agent.call(tool, args);
      return { text, ...(error && { error }) };
    },
    [Symbol.asyncDispose]: () => agent[Symbol.asyncDispose](),
  };
}

async function openSdk(troupe: Troupe, role: string): Promise<Door> {
  const client = await connect({ address: troupe.address, role });
  return {
    async call(tool, args) {
      try {
        return { text: (await client.session.call(tool, args)).text };
      } catch (caught) {
        if (!(caught instanceof TroupeError)) throw caught;
        return { text: caught.text, error: caught.detail };
      }
    },
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  };
}

async function openRest(troupe: Troupe, role: string): Promise<Door> {
  const rest = restClient(troupe.http, path.join(troupe.stateDir, "token"));
  const call: Door["call"] = async (tool, args) => {
    const { text, error } = (await rest.call(tool, args, { headers: { "x-troupe-session": "rest-door" } }))
      .json;
    return { text, ...(error && { error }) };
  };
  await call("select_role", { role });
  return { call, [Symbol.asyncDispose]: async () => undefined };
}

async function openPython(troupe: Troupe, role: string): Promise<Door> {
  await using open = new AsyncDisposableStack();
  const generated = open.use(await generatePython());
  const program = spawn(PYTHON, [programHere("calls.py"), generated.dir, troupe.address], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  open.defer(async () => {
    const ended = once(program, "exit");
    program.stdin.end();
    await ended;
  });
  const lines = createInterface(program.stdout)[Symbol.asyncIterator]();
  const call: Door["call"] = async (name, args = {}) => {
    const { tool, request, role: own } = toolCall(toolNamed(name, "core"), args);
    const metadata = { [SESSION]: "python-door", [PROFILE]: "core", ...(own && { [ROLE]: own }) };
    program.stdin.write(`${JSON.stringify({ rpc: tool.rpc, request, metadata })}\n`);
    const { value, done } = await lines.next();
    if (done) throw new Error("the Python program has ended");
    return JSON.parse(value);
  };
  await call("select_role", { role });
  const parts = open.move();
  return { call, [Symbol.asyncDispose]: () => parts.disposeAsync() };
}
