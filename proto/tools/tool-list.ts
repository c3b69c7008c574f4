// The answer to tools/list: a profile's catalogue as JSON Schema, in as few bytes as possible.
import {
  type Argument,
  findTool,
  inProfile,
  type Listing,
  type Profile,
  type Tool,
  toolsOf,
} from "./read-tools.ts";

/** A value in JSON Schema. */
export interface Schema {
  type: string;
  description?: string;
  enum?: readonly string[];
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  /** The argument is repeated in the HTTP header `Mcp-Param-NAME`, for proxies (MCP 2026-07-28). */
  "x-mcp-header"?: string;
}

/** A tool in MCP's list. */
export interface ListedTool {
  name: string;
  description: string;
  inputSchema: { type: "object"; properties: Record<string, Schema>; required?: string[] };
  annotations?: { readOnlyHint?: boolean; destructiveHint?: boolean };
}

const ROLE: Schema = { type: "string" };
const ROLE_MEANING = "Role for this call";
const SESSION: Schema = { type: "string" };
const SESSION_IN_HEADER: Schema = { type: "string", "x-mcp-header": "Session" };
const SESSION_MEANING = "Your own tabs among several agents";

/** Returns the tools of a profile, in the catalogue's order. */
export function toolList(profile: Profile, listing?: Listing): ListedTool[] {
  return toolsOf(profile, listing).map((tool, index) => listed(tool, profile, index === 0));
}

const mcpLists = new Map<string, readonly ListedTool[]>();

/** Returns the tools as MCP lists them: each takes `session`. Every request over HTTP looks into the list. */
export function mcpTools(profile: Profile, { asksPerson = false }: Listing = {}): readonly ListedTool[] {
  const key = `${profile} ${asksPerson}`;
  const known = mcpLists.get(key);
  if (known) return known;
  // Converters of flat schemas to grammars know no annotations.
  const list = withSession(
    toolList(profile, { asksPerson }),
    profile === "small" ? SESSION : SESSION_IN_HEADER,
  );
  mcpLists.set(key, list);
  return list;
}

/** Returns the tools as adapters offer them: each takes `session`. */
export function adapterTools(profile: Profile): ListedTool[] {
  return withSession(toolList(profile), SESSION);
}

/** Only the first tool describes `session`, because its meaning is the same in all of them. */
function withSession(tools: readonly ListedTool[], schema: Schema): ListedTool[] {
  return tools.map((tool, index) => {
    const session = index === 0 ? { ...schema, description: SESSION_MEANING } : schema;
    const { inputSchema } = tool;
    return { ...tool, inputSchema: { ...inputSchema, properties: { ...inputSchema.properties, session } } };
  });
}

/** Returns true if a tool shows this argument of its own in a profile. */
export function isShown(tool: string, argument: string, profile: Profile): boolean {
  const own = findTool(tool)?.arguments.find(({ name }) => name === argument);
  return own !== undefined && inProfile(own.profile, profile);
}

/**
 * In the small profile each tool shows what a small model needs, and all that a plan may ask of it. Types are strings,
 * integers and booleans only, each with just a description. A grammar made from the schema holds all of it. Only the
 * first tool describes `tab` and `role`, because their meaning is the same in all of them.
 */
function listed(tool: Tool, profile: Profile, isFirst: boolean): ListedTool {
  const small = profile === "small";
  const shown = tool.arguments.filter(
    (argument) => !argument.unlisted && inProfile(argument.profile, profile),
  );
  const properties = Object.fromEntries(
    shown.map((argument) => [
      argument.name,
      small ? flat(argument, isFirst) : listedArgument(argument, profile, isFirst),
    ]),
  );
  if (tool.takesRole) properties.role = isFirst && !small ? { ...ROLE, description: ROLE_MEANING } : ROLE;
  const required = tool.arguments.filter((argument) => argument.required).map(({ name }) => name);
  return {
    name: tool.name,
    description: small ? tool.smallDescription : tool.description,
    inputSchema: { type: "object", properties, ...(required.length && { required }) },
    ...(!small && annotations(tool)),
  };
}

function listedArgument(argument: Argument, profile: Profile, isFirst: boolean): Schema {
  const { description, ...schema } = schemaOf(argument, inBrief(profile));
  const isSaid = (argument.name === "tab" && !isFirst) || repeatsName(argument);
  return isSaid || !description ? schema : { ...schema, description };
}

/** Reports if the description has only the words of the name, as "Color scheme." of colorScheme. */
export function repeatsName({ name, description }: Argument): boolean {
  return description.replace(/[ .]/g, "").toLowerCase() === name.toLowerCase();
}

/** Returns the schema of one argument. `inside`: makes the schemas of an object's own arguments. */
export function schemaOf(
  argument: Argument,
  inside: (fields: readonly Argument[]) => Schema["properties"] = inFull,
): Schema {
  const { type, description, allowed, fields } = argument;
  const one: Schema =
    type === "enum"
      ? { type: "string", enum: allowed }
      : { type, ...(fields && { properties: inside(fields) }) };
  return argument.repeated ? { type: "array", items: one, description } : { ...one, description };
}

function inFull(fields: readonly Argument[]): Record<string, Schema> {
  return Object.fromEntries(fields.map((field) => [field.name, schemaOf(field)]));
}

/**
 * The tools describe these arguments themselves, so their names do here. Some models' interfaces refuse an object
 * without properties.
 */
function inBrief(profile: Profile): (fields: readonly Argument[]) => Record<string, Schema> {
  const inside = (fields: readonly Argument[]): Record<string, Schema> => {
    const main = fields.filter(({ required, type, callOf }) => required || type === "string" || callOf);
    const shown = fields.some(({ callOf }) => callOf) ? fields : main;
    return Object.fromEntries(
      shown.flatMap((field) => {
        const { description: _description, ...schema } = schemaOf(field, inside);
        return inProfile(field.profile, profile) ? [[field.name, schema]] : [];
      }),
    );
  };
  return inside;
}

/** The description lists an enum's words, because the flat schema cannot. */
function flat({ name, type, description, allowed }: Argument, isFirst: boolean): Schema {
  if (name === "tab" && !isFirst) return { type };
  if (allowed) return { type: "string", description: `${description} One of ${allowed.join(", ")}.` };
  return { type: type === "number" ? "integer" : type, description };
}

/** MCP assumes that a tool may be destructive unless its annotations deny that. */
function annotations({ readOnly, destructive }: Tool): Pick<ListedTool, "annotations"> {
  if (readOnly) return { annotations: { readOnlyHint: true } };
  return destructive ? {} : { annotations: { destructiveHint: false } };
}
