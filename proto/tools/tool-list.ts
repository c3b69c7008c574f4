// The answer to tools/list: a profile's catalogue as JSON Schema, in as few bytes as possible.
import { type Argument, findTool, inProfile, type Profile, type Tool, toolsOf } from "./declared-tools.ts";

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

const ROLE: Schema = { type: "string", description: "Role for this call" };

/** Returns the tools of a profile, in the catalogue's order. */
export function toolList(profile: Profile): ListedTool[] {
  return toolsOf(profile).map((tool) => listed(tool, profile));
}

/** Returns true if a tool shows this argument of its own in a profile. */
export function isShown(tool: string, argument: string, profile: Profile): boolean {
  const own = findTool(tool)?.arguments.find(({ name }) => name === argument);
  return own !== undefined && inProfile(own.profile, profile);
}

/**
 * In the small profile each tool shows what a small model needs, and all that a plan may ask of it. Types are strings,
 * integers and booleans only, each with just a description. A grammar made from the schema holds all of it.
 */
function listed(tool: Tool, profile: Profile): ListedTool {
  const small = profile === "small";
  const shown = tool.arguments.filter((argument) => inProfile(argument.profile, profile));
  const properties = Object.fromEntries(
    shown.map((argument) => [argument.name, small ? flat(argument) : schemaOf(argument)]),
  );
  if (tool.takesRole) properties.role = small ? { type: "string" } : ROLE;
  const required = tool.arguments.filter((argument) => argument.required).map(({ name }) => name);
  return {
    name: tool.name,
    description: small ? tool.smallDescription : tool.description,
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
