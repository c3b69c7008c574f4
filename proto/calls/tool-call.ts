// Checks a tool's call as a model writes it, and returns the tool, the request and the role.

import { fail } from "../errors/catalogue.ts";
import { findTool, inProfile, type Profile, type Tool, toolsOf } from "../tools/read-tools.ts";
import type { Json, JsonObject } from "../wire/struct.ts";
import { withoutQuotes } from "./argument-values.ts";
import { checkRequest, requestOf } from "./arguments.ts";
import { insteadOfTool } from "./tool-suggestions.ts";

export interface ToolCall {
  tool: Tool;
  request: Record<string, Json>;
  /** The role for this call alone; undefined for the session's current one. */
  role: string | undefined;
}

/** The valid names of roles. */
export const ROLE_NAME = /^[\x21-\x7e]{1,64}$/;

/** Returns the tool of that name in a profile. Throws UNKNOWN_TOOL with the calls that do what `args` ask for. */
export function toolNamed(name: string, profile: Profile, args: JsonObject = {}): Tool {
  const tool = findTool(name);
  if (tool && inProfile(tool.profile, profile)) return tool;
  const { calls, words, meant } = insteadOfTool(name, args, profile);
  throw fail("UNKNOWN_TOOL", {
    tool: name.slice(0, 100),
    known: toolsOf(profile).map((each) => each.name),
    ...(tool && { profile: tool.profile }),
    ...(meant && { nearest: meant }),
    ...(calls.length > 0 && { corrected: { calls } }),
    ...(words && { instead: words }),
  });
}

/** Reads a call's arguments, `role` among them. Throws INVALID_ARGUMENT. */
export function toolCall(tool: Tool, args: JsonObject, maxTokens?: number): ToolCall {
  const own = tool.arguments.some(({ name }) => name === "role");
  const { role = null, ...others } = own ? args : withRole(args);
  const request = requestOf(tool, own ? args : others);
  if (maxTokens !== undefined && tool.snapshot) request.maxTokens ??= maxTokens;
  // The daemon knows what could have been meant.
  if (!tool.answeredByDaemon) checkRequest(tool, request);
  return { tool, request, role: own || role === null || role === "" ? undefined : roleName(role) };
}

/** `Role` and `role_name` are no argument of any tool, so they mean the role. */
function withRole(args: JsonObject): JsonObject {
  if ("role" in args) return args;
  const entries = Object.entries(args).map(([name, value]) => [
    /^role(?:[_-]?name)?$/i.test(name) ? "role" : name,
    value,
  ]);
  return Object.fromEntries(entries);
}

function roleName(role: Json): string {
  const [only = null, ...more] = [role].flat();
  const name = typeof only === "string" && more.length === 0 ? withoutQuotes(only) : "";
  if (ROLE_NAME.test(name)) return name;
  throw fail("INVALID_ARGUMENT", {
    argument: "role",
    problem: "role must be the name of a role: 1 to 64 visible ASCII characters",
  });
}
