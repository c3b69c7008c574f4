// The adapters beside the vendors' own packages. The vendors' types accept our tools, and LangChain runs them.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import {
  type LangChainTool,
  type LangChainToolMessage,
  langchainTools,
} from "../../client/adapters/index.ts";
import { connect } from "../../client/sdk/index.ts";
import { installPackages, packagesFolder } from "../bench/contenders/peer-packages.ts";
import { refOf, startTroupe } from "../harness/troupe.ts";

const PACKAGES = [
  { name: "openai", version: "6.49.0" },
  { name: "@anthropic-ai/sdk", version: "1.11.0" },
  { name: "@langchain/core", version: "1.2.13" },
];
const INSTALL_MS_MAX = 240_000;
const folder = path.join(packagesFolder(process.env), "../vendors");
const unavailable = await installPackages(folder, AbortSignal.timeout(INSTALL_MS_MAX), PACKAGES);
// In CI every package must be there, so nothing is skipped.
const lacking = unavailable.map(({ name, reason }) => `${name}: ${reason}`).join("; ");
const skip = lacking !== "" && !process.env.CI && lacking;
const root = fileURLToPath(new URL("../..", import.meta.url));

/** The part of LangChain's `tool` that is used here. The package is missing when this is compiled. */
type MakeTool = (
  func: LangChainTool<object>["func"],
  fields: LangChainTool<object>,
) => { invoke(call: object): Promise<{ tool_call_id: string; content: string; status: string }> };

/** A user's program. It does not compile if the vendors' types reject something. */
const PROGRAM = `
import type Anthropic from "@anthropic-ai/sdk";
import { ToolMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import type OpenAI from "openai";
import { anthropicTools, langchainTools, openaiResponsesTools, openaiTools } from "${root}client/adapters/index.ts";
import { connect } from "${root}client/sdk/index.ts";

const { session } = await connect();

export async function chat(call: OpenAI.ChatCompletionMessageToolCall): Promise<OpenAI.ChatCompletionCreateParams> {
  const { tools, run } = openaiTools(session);
  return { model: "any", tools, messages: [await run(call)] };
}

export async function respond(call: OpenAI.Responses.ResponseFunctionToolCall): Promise<OpenAI.Responses.ResponseCreateParams> {
  const { tools, run } = openaiResponsesTools(session);
  return { model: "any", tools, input: [await run(call)] };
}

export async function message(use: Anthropic.ToolUseBlock): Promise<Anthropic.MessageCreateParams> {
  const { tools, run } = anthropicTools(session);
  return { model: "any", max_tokens: 1, tools, messages: [{ role: "user", content: [await run(use)] }] };
}

export const chain = langchainTools(session).map((each) => tool(each.func, each));
export const telling = langchainTools(session, { ToolMessage }).map((each) => tool(each.func, each));
`;

test("the vendors' types accept what the adapters make", { skip, timeout: 120_000 }, async () => {
  const wrong = PROGRAM.replace("[await run(call)] };", "[{ ...(await run(call)), role: 'tol' }] };");
  const faults = await compile({ "right.mts": PROGRAM, "wrong.mts": wrong });
  assert.match(faults, /^wrong\.mts\(\d+,\d+\): error .*"tol".*\n$/);
});

test("LangChain's own tools call ours, and get failures as messages of status error", {
  skip,
  timeout: 120_000,
}, async () => {
  const { tool } = (await import(resolved("@langchain/core/tools"))) as { tool: MakeTool };
  const { ToolMessage } = (await import(resolved("@langchain/core/messages"))) as {
    ToolMessage: LangChainToolMessage<object>;
  };
  await using troupe = await startTroupe();
  await using client = await connect({ address: troupe.address, role: "visitor" });
  const ours = langchainTools(client.session, { ToolMessage });
  const tools = new Map(ours.map((each) => [each.name, tool(each.func, each)]));
  const call = async (name: string, args: object, expected = "success") => {
    const given = { type: "tool_call", id: "call_1", name, args };
    const { tool_call_id, content, status } = (await tools.get(name)?.invoke(given)) ?? assert.fail(name);
    assert.deepEqual([tool_call_id, status], ["call_1", expected]);
    return content;
  };
  const page = await call("browser_navigate", { url: `${troupe.shopUrl}/product/42` });
  const ref = refOf(page, "button", "Add to cart");
  assert.match(await call("browser_click", { ref }), /^Clicked e\d+ button "Add to cart"/);
  assert.match(
    await call("browser_click", { ref: "e999" }, "error"),
    /^❌ [\s\S]*🔧 Action Required:\n1\. Call browser_snapshot/,
  );
});

function resolved(name: string): string {
  return pathToFileURL(createRequire(path.join(folder, "package.json")).resolve(name)).href;
}

/** Returns the compiler's output for programs beside the packages. */
async function compile(programs: Record<string, string>): Promise<string> {
  const options = { cwd: folder, timeout: 100_000 };
  await mkdir(folder, { recursive: true });
  for (const [file, text] of Object.entries(programs)) await writeFile(path.join(folder, file), text);
  // The adapters need the protocol's types, which are generated and not checked in.
  await promisify(execFile)(process.execPath, [path.join(root, "proto/generate-types.ts")], options);
  const settings =
    "--noEmit --strict --skipLibCheck --allowImportingTsExtensions --module nodenext --target es2025";
  const types = ["--lib", "es2025,dom,esnext.disposable,esnext.array,esnext.collection", "--types", "node"];
  const where = ["--typeRoots", path.join(root, "node_modules/@types"), "--ignoreConfig"];
  return promisify(execFile)(
    process.execPath,
    [
      path.join(root, "node_modules/typescript/bin/tsc"),
      ...settings.split(" "),
      ...types,
      ...where,
      ...Object.keys(programs),
    ],
    options,
  ).then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  );
}
