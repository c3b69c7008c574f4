// A tool's call as a model writes it, checked: the tool, the request's message, and the role that it is for.
import { checkRequest, requestOf } from "./arguments.ts";
import { fail } from "./errors.ts";
import { nearest } from "./nearest.ts";
import type { Json, JsonObject } from "./struct.ts";
import { findTool, inProfile, type Profile, type Tool, toolsOf } from "./tools.ts";

export interface ToolCall {
  tool: Tool;
  request: Record<string, Json>;
  /** For this call alone; undefined: the session's current one. */
  role: string | undefined;
}

const ROLE_NAME = /^[\x21-\x7e]{1,64}$/;

/** The tool of that name in a profile. Throws UNKNOWN_TOOL. */
export function toolNamed(name: string, profile: Profile): Tool {
  const tool = findTool(name);
  if (tool && inProfile(tool.profile, profile)) return tool;
  const known = toolsOf(profile).map((each) => each.name);
  const meant = tool ? undefined : nearest(name, known);
  throw fail("UNKNOWN_TOOL", {
    tool: name.slice(0, 100),
    known,
    ...(tool && { profile: tool.profile }),
    ...(meant && { nearest: meant }),
  });
}

/** Reads a call's arguments, `role` among them. Throws INVALID_ARGUMENT. */
export function toolCall(tool: Tool, args: JsonObject, maxTokens?: number): ToolCall {
  const own = tool.arguments.some(({ name }) => name === "role");
  const { role = null, ...others } = args;
  const request = requestOf(tool, own ? args : others);
  if (maxTokens !== undefined && tool.name === "browser_snapshot") request.maxTokens ??= maxTokens;
  checkRequest(tool, request);
  return { tool, request, role: own || role === null ? undefined : roleName(role) };
}

function roleName(role: Json): string {
  if (typeof role === "string" && ROLE_NAME.test(role)) return role;
  throw fail("INVALID_ARGUMENT", {
    argument: "role",
    problem: "role must be the name of a role: 1 to 64 visible ASCII characters",
    example: "customer",
  });
}
