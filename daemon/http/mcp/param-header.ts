// Checks the headers that repeat a tool call's arguments, so that proxies can route by them (MCP 2026-07-28, SEP-2243).

import type { Profile } from "../../../proto/tools/read-tools.ts";
import { mcpTools } from "../../../proto/tools/tool-list.ts";
import { idOf, type Message, paramsOf } from "./json-rpc.ts";
import { RPC, RpcProblem, wrong } from "./rpc-problem.ts";

const SCALARS: ReadonlySet<string> = new Set(["string", "number", "boolean"]);
const ENCODED = /^=\?base64\?(.*)\?=$/;

/** Throws an RpcProblem if a header is missing or differs from the body. Other messages than tool calls pass. */
export function checkParamHeaders(message: Message, headers: Headers, profile: Profile): void {
  if (Array.isArray(message) || message.method !== "tools/call") return;
  const { name, arguments: args } = paramsOf(message);
  const tool = mcpTools(profile).find((each) => each.name === name);
  for (const [argument, schema] of Object.entries(tool?.inputSchema.properties ?? {})) {
    const header = schema["x-mcp-header"];
    const value = (args as Record<string, unknown> | undefined)?.[argument];
    if (header === undefined) continue;
    const problem = mismatch(
      headers.get(`mcp-param-${header}`),
      SCALARS.has(typeof value) ? String(value) : undefined,
    );
    if (problem) {
      const name = `Mcp-Param-${header}`;
      const hint = `with the argument ${argument} of the body as the header ${name}, or with neither`;
      const error = wrong(name.toLowerCase(), `the header ${name} ${problem}`, hint);
      throw new RpcProblem(400, RPC.headerMismatch, error, idOf(message));
    }
  }
}

/** `value` is undefined if the body has none, or one that no header can repeat: a list, an alias of the argument. */
function mismatch(given: string | null, value: string | undefined): string | undefined {
  if (value === undefined) return given === null ? undefined : "repeats no argument of the body";
  if (given === null) return "is missing";
  const decoded = decodedValue(given);
  if (decoded === undefined) return "is not well encoded";
  return decoded === value ? undefined : "differs from the body";
}

function decodedValue(given: string): string | undefined {
  const [, base64] = ENCODED.exec(given) ?? [];
  if (base64 === undefined) return given;
  const bytes = Buffer.from(base64, "base64");
  // Only the canonical form counts.
  if (bytes.toString("base64") !== base64) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
