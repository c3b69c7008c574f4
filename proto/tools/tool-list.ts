// The answer to tools/list: a profile's catalogue as JSON Schema, in as few bytes as possible.
import { type Argument, findTool, type Profile, type Tool, toolsOf } from "./catalogue.ts";

/** A value in JSON Schema. */
export interface Schema {
  type: string;
  description?: string;
  enum?: readonly string[];
  items?: Schema;
}

/** A tool in MCP's list. */
export interface ListedTool {
  name: string;
  description: string;
  inputSchema: { type: "object"; properties: Record<string, Schema>; required?: string[] };
  annotations?: { readOnlyHint?: boolean; destructiveHint?: boolean };
}

/** Tools about roles take no role beside their own argument. */
export const OF_ROLES: ReadonlySet<string> = new Set([
  "select_role",
  "list_current_roles",
  "get_failures",
  "clear_failures",
]);
const ROLE: Schema = { type: "string", description: "Role for this call" };

interface SmallTool {
  arguments: readonly string[];
  description: string;
}

/**
 * In the small profile each tool shows what a small model needs, and all that a plan may ask of it. Further arguments
 * are accepted too. Types are strings, integers and booleans only, each with just a description. A grammar made from
 * the schema holds all of it.
 */
const SMALL: Readonly<Record<string, SmallTool>> = {
  browser_navigate: {
    arguments: ["url", "tab"],
    description: "Opens a URL and shows the page. Refs of the earlier page no longer work.",
  },
  browser_snapshot: {
    arguments: ["ref", "offset", "full", "tab"],
    description:
      "Reads the page: one line per element, [ref=e5] on what can be acted on. Look before you act.",
  },
  browser_find: {
    arguments: ["text", "ariaRole", "name", "limit", "tab"],
    description: "Finds elements by text, or by role and name. Each hit has a ref.",
  },
  browser_click: {
    arguments: ["ref", "doubleClick", "tab"],
    description: "Clicks an element. Replies with what changed.",
  },
  browser_type: {
    arguments: ["ref", "text", "submit", "tab"],
    description: "Replaces the text of a field (in a select: chooses the option). Replies with what changed.",
  },
  browser_press_key: {
    arguments: ["key", "tab"],
    description: "Presses a key in what has the focus. Replies with what changed.",
  },
  browser_wait_for: {
    arguments: ["text", "textGone", "ref", "state", "time", "tab"],
    description: "Waits for one of text, textGone and ref.",
  },
  browser_handle_dialog: {
    arguments: ["accept", "promptText", "tab"],
    description: "Answers the open dialog.",
  },
  select_role: {
    arguments: ["role"],
    description: "Makes a role current. Each role is a separate browser with its own login and tabs.",
  },
};

/** Returns the tools of a profile, in the catalogue's order. */
export function toolList(profile: Profile): ListedTool[] {
  return toolsOf(profile).map((tool) => listed(tool, profile));
}

/** Returns the argument names, except `role`, that a tool shows in a profile. An unknown tool has none. */
export function argumentsShown(tool: string, profile: Profile): readonly string[] {
  const small = profile === "small" ? SMALL[tool] : undefined;
  return small?.arguments ?? findTool(tool)?.arguments.map(({ name }) => name) ?? [];
}

function listed(tool: Tool, profile: Profile): ListedTool {
  const small = profile === "small" ? SMALL[tool.name] : undefined;
  const shown = argumentsShown(tool.name, profile);
  const properties = Object.fromEntries(
    tool.arguments
      .filter(({ name }) => shown.includes(name))
      .map((argument) => [argument.name, small ? flat(argument) : schemaOf(argument)]),
  );
  if (!OF_ROLES.has(tool.name)) properties.role = small ? { type: "string" } : ROLE;
  const required = tool.arguments.filter((argument) => argument.required).map(({ name }) => name);
  return {
    name: tool.name,
    description: small?.description ?? tool.description,
    inputSchema: { type: "object", properties, ...(required.length && { required }) },
    ...(!small && annotations(tool)),
  };
}

/** Returns the schema of one argument. */
export function schemaOf(argument: Argument): Schema {
  const { type, description, allowed } = argument;
  const one: Schema = type === "enum" ? { type: "string", enum: allowed } : { type };
  return argument.repeated ? { type: "array", items: one, description } : { ...one, description };
}

/** The description lists an enum's words, because the flat schema cannot. */
function flat({ type, description, allowed }: Argument): Schema {
  if (allowed) return { type: "string", description: `${description} One of ${allowed.join(", ")}.` };
  return { type: type === "number" ? "integer" : type, description };
}

/** MCP assumes that a tool may be destructive unless its annotations deny that. */
function annotations({ readOnly, destructive }: Tool): Pick<ListedTool, "annotations"> {
  if (readOnly) return { annotations: { readOnlyHint: true } };
  return destructive ? {} : { annotations: { destructiveHint: false } };
}
