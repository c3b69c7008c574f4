// The adapters beside the vendors' own packages. The vendors' types accept our tools, and LangChain runs them.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import {
  type LangChainTool,
  type LangChainToolMessage,
  langchainTools,
} from "../../client/adapters/index.ts";
import { connect } from "../../client/sdk/index.ts";
import { compile } from "../harness/reader/compile.ts";
import { refOf, startTroupe } from "../harness/troupe.ts";

const VENDOR_TIME = { timeout: 240_000 };
const EXAMPLES = path.join(import.meta.dirname, "../../examples/agents");

/** The part of LangChain's `tool` that is used here. Only the program below is held to the vendors' own types. */
type MakeTool = (
  func: LangChainTool<object>["func"],
  fields: LangChainTool<object>,
) => { invoke(call: object): Promise<{ tool_call_id: string; content: string; status?: string }> };

/** A user's program. It does not compile if the vendors' types reject something. */
const PROGRAM = `
import type Anthropic from "@anthropic-ai/sdk";
import { ToolMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import type OpenAI from "openai";
import { connect } from "troupe";
import { anthropicTools, langchainTools, openaiResponsesTools, openaiTools } from "troupe/adapters";

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

test(
  "the vendors' types accept what the adapters make, and the agents in examples/",
  VENDOR_TIME,
  async () => {
    const agents = Object.fromEntries(
      readdirSync(EXAMPLES).map((name) => [name, readFileSync(path.join(EXAMPLES, name), "utf8")]),
    );
    const wrong = PROGRAM.replace("[await run(call)] };", "[{ ...(await run(call)), role: 'tol' }] };");
    await assert.rejects(
      compile({ ...agents, "right.ts": PROGRAM, "wrong.ts": wrong }),
      ({ message }: Error) => {
        // The only complaint is about the wrong program.
        const complaints = message.split("\n").filter((line) => /^\S/.test(line));
        return complaints.length === 1 && /wrong\.ts\(\d+,\d+\): error .*"tol"/.test(complaints[0] ?? "");
      },
    );
  },
);

test(
  "LangChain's own tools call ours, and get failures as messages of status error",
  VENDOR_TIME,
  async () => {
    const { tool } = await langchain<{ tool: MakeTool }>("tools");
    const { ToolMessage } = await langchain<{ ToolMessage: LangChainToolMessage<object> }>("messages");
    await using troupe = await startTroupe();
    await using client = await connect({ address: troupe.address, role: "visitor" });
    const ours = langchainTools(client.session, { ToolMessage });
    const tools = new Map(ours.map((each) => [each.name, tool(each.func, each)]));
    const call = async (name: string, args: object, expected = "success") => {
      const given = { type: "tool_call", id: "call_1", name, args };
      const made = (await tools.get(name)?.invoke(given)) ?? assert.fail(name);
      assert.deepEqual([made.tool_call_id, made.status ?? "success"], ["call_1", expected]);
      return made.content;
    };
    const page = await call("browser_navigate", { url: `${troupe.shopUrl}/product/42` });
    const ref = refOf(page, "button", "Add to cart");
    assert.match(await call("browser_click", { ref }), /^Clicked e\d+ button "Add to cart"/);
    assert.match(
      await call("browser_click", { ref: "e999" }, "error"),
      /^❌ [\s\S]*🔧 Action Required:\n1\. Call browser_snapshot/,
    );
  },
);

function langchain<Module>(part: string): Promise<Module> {
  return import(`@langchain/core/${part}`);
}
