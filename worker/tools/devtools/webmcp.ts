// webmcp: lists and calls the tools that a page offers (WebMCP, a draft of the W3C's Web Machine Learning group).
import { fail } from "../../../proto/errors/catalogue.ts";
import type { WebmcpRequest, WebmcpTool } from "../../../proto/gen/troupe.ts";
import { isObject } from "../../../proto/wire/struct.ts";
import { perform } from "../../actions/perform.ts";
import { runScript, type ScriptValue } from "../../page-scripts/run-script.ts";
import { pageJson } from "../../snapshot/page-json.ts";
import { tokensFor } from "../../snapshot/profile-words.ts";
import { quote } from "../../snapshot/quote.ts";
import type { Page } from "../../tab/page.ts";
import type { Reply, ToolContext, ToolHandler } from "../tool.ts";
import { CALL_TOOL, LIST_TOOLS } from "./webmcp-scripts.ts";

const TOOLS_MAX = 50;
const DESCRIPTION_LENGTH_MAX = 300;
const SCHEMA_LENGTH_MAX = 1_500;
const RESULT_LENGTH_MAX = 40_000;

export const webmcp: ToolHandler<"Webmcp"> = async (request, context) => {
  switch (request.action) {
    case "WEBMCP_ACTION_LIST":
      return await list(await context.page());
    case "WEBMCP_ACTION_CALL":
      return await call(request, context);
    default:
      throw fail("INVALID_ARGUMENT", {
        argument: "action",
        problem: "action is missing",
        allowed: ["list", "call"],
      });
  }
};

async function list(page: Page): Promise<Reply<"Webmcp">> {
  page.detail = "refs";
  const tools = await toolsOf(page);
  const lines = tools.map(
    ({ name, description, inputSchema }) =>
      `- ${quote(name)}: ${quote(description, DESCRIPTION_LENGTH_MAX)}${inputSchema === "" ? "" : `\n  arguments: ${inputSchema}`}`,
  );
  const head =
    tools.length > 0 ? "The page offers these tools. All words about them are the page's own:" : NONE;
  return { text: [head, ...lines].join("\n"), tools, result: "" };
}

const NONE = "The page offers no tools (no WebMCP in it).";

async function toolsOf(page: Page): Promise<WebmcpTool[]> {
  page.call.waitsFor = "the page's tools";
  const found = await runScript(page, page.main(), { declaration: LIST_TOOLS });
  const tools = Array.isArray(found?.value) ? found.value.slice(0, TOOLS_MAX) : [];
  return tools.filter((tool) => isObject(tool) && typeof tool.name === "string").map(toolIn);
}

/** Reads a tool as the page describes it. */
function toolIn({ name, description, schema }: Record<string, unknown>): WebmcpTool {
  return {
    name: String(name).slice(0, 200),
    description: String(description ?? "").slice(0, 2_000),
    inputSchema: schema === undefined || schema === null ? "" : pageJson(schema, SCHEMA_LENGTH_MAX).json,
  };
}

async function call(request: WebmcpRequest, context: ToolContext): Promise<Reply<"Webmcp">> {
  const args = argumentsIn(request.arguments);
  const page = await context.page();
  const { name } = await toolNamed(page, request.name);
  page.call.waitsFor = "the page's tool to reply";
  const reply = await perform(page, context.session, async (send) => {
    let ended: ScriptValue | undefined;
    await send(async () => {
      ended = await runScript(page, page.main(), { declaration: CALL_TOOL }, { values: [name, args] });
    });
    return ended
      ? replied(page, name, ended)
      : { said: `Called the page's tool ${quote(name)}: ${whyNot(page)}`, fields: { result: "" } };
  });
  return { ...reply, tools: [] };
}

function whyNot(page: Page): string {
  return page.tab.dialog ? "it has not replied, as a dialog is open" : "the page went away before it replied";
}

function replied(page: Page, name: string, { value, isCut }: ScriptValue) {
  const tokens = tokensFor(page.call);
  const room = tokens === 0 ? RESULT_LENGTH_MAX : Math.min(RESULT_LENGTH_MAX, tokens * 2);
  const { json, isWhole } = pageJson(value, room);
  const note = isCut || !isWhole ? " (cut)" : "";
  return {
    said: `Called the page's tool ${quote(name)}. Its reply, in the page's words${note}: ${json}`,
    fields: { result: json },
  };
}

function argumentsIn(text: string | undefined): string {
  if (text === undefined) return "{}";
  if (isJsonObject(text)) return text;
  throw fail("INVALID_ARGUMENT", {
    argument: "arguments",
    problem: "arguments is no JSON object",
    example: '{"id": 7}',
  });
}

function isJsonObject(text: string): boolean {
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}

async function toolNamed(page: Page, name: string | undefined): Promise<WebmcpTool> {
  const tools = await toolsOf(page);
  const found = tools.find((tool) => tool.name === name);
  if (found) return found;
  throw fail("INVALID_ARGUMENT", {
    argument: "name",
    problem: tools.length === 0 ? "the page offers no tools" : "the page offers no tool of that name",
    ...(tools.length > 0 && { allowed: tools.map((tool) => tool.name) }),
  });
}
