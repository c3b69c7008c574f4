// What tools/list says: the catalogue of a profile as JSON Schema, in as few bytes as tell it all.
import { type Argument, type Profile, type Tool, toolsOf } from "./tools.ts";

/** A value as JSON Schema has it. */
export interface Schema {
  type: string;
  description?: string;
  enum?: readonly string[];
  items?: Schema;
}

/** A tool as MCP lists it. */
export interface ListedTool {
  name: string;
  description: string;
  inputSchema: { type: "object"; properties: Record<string, Schema>; required?: string[] };
  annotations?: { readOnlyHint?: boolean; destructiveHint?: boolean };
}

/** Tools that concern roles themselves take no role beside their own argument. */
export const OF_ROLES: ReadonlySet<string> = new Set(["select_role", "list_current_roles", "get_failures"]);
const ROLE: Schema = { type: "string", description: "Role for this call" };

/**
 * In the small profile each tool shows what a small model needs; the rest is understood, too. Strings, integers and
 * booleans only: nothing that a grammar made of it could not hold.
 */
const SMALL: Readonly<Record<string, readonly string[]>> = {
  browser_navigate: ["url", "tab"],
  browser_snapshot: ["ref", "offset", "full", "tab"],
  browser_find: ["text", "ariaRole", "name", "tab"],
  browser_click: ["ref", "doubleClick", "tab"],
  browser_type: ["ref", "text", "submit", "tab"],
  browser_press_key: ["key", "tab"],
  browser_wait_for: ["text", "textGone", "time", "tab"],
  browser_handle_dialog: ["accept", "promptText", "tab"],
};

/** The tools of a profile, in the catalogue's order. */
export function toolList(profile: Profile): ListedTool[] {
  return toolsOf(profile).map((tool) => listed(tool, profile));
}

function listed(tool: Tool, profile: Profile): ListedTool {
  const small = profile === "small";
  const shown = (small && SMALL[tool.name]) || tool.arguments.map(({ name }) => name);
  const properties = Object.fromEntries(
    tool.arguments
      .filter(({ name }) => shown.includes(name))
      .map((argument) => [argument.name, small ? flat(argument) : schemaOf(argument)]),
  );
  if (!OF_ROLES.has(tool.name)) properties.role = small ? { type: "string" } : ROLE;
  const required = tool.arguments.filter((argument) => argument.required).map(({ name }) => name);
  return {
    name: tool.name,
    description: tool.description,
    inputSchema: { type: "object", properties, ...(required.length && { required }) },
    ...(!small && annotations(tool)),
  };
}

/** The schema of one argument. */
export function schemaOf(argument: Argument): Schema {
  const { type, description, allowed } = argument;
  const one: Schema = type === "enum" ? { type: "string", enum: allowed } : { type };
  return argument.repeated ? { type: "array", items: one, description } : { ...one, description };
}

function flat({ type, description }: Argument): Schema {
  return { type: type === "number" ? "integer" : type, description };
}

/** MCP takes a tool for one that may destroy unless it says otherwise. */
function annotations({ readOnly, destructive }: Tool): Pick<ListedTool, "annotations"> {
  if (readOnly) return { annotations: { readOnlyHint: true } };
  return destructive ? {} : { annotations: { destructiveHint: false } };
}
