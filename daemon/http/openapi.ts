// Describes the REST door in OpenAPI 3.1, from the catalogue of tools and the messages of their replies.
import { errorTypes } from "../../proto/errors/catalogue.ts";
import { VERSION } from "../../proto/machine/version.ts";
import { type Argument, PROFILES, type Tool, tools } from "../../proto/tools/read-tools.ts";
import { schemaOf } from "../../proto/tools/tool-list.ts";
import { PROFILE, REQUEST_ID, ROLE, SESSION } from "../../proto/wire/metadata.ts";
import { messageType } from "../../proto/wire/schema.ts";
import { type JsonSchema, MessageSchemas } from "./message-schema.ts";
import { PROBLEM_JSON } from "./problem.ts";
import { dataType } from "./rest-answer.ts";

export function openApi(): JsonSchema {
  const messages = new MessageSchemas();
  const paths = {
    "/v1/tools": { get: listing() },
    ...Object.fromEntries(
      tools().map((tool) => [`/v1/tools/${tool.name}`, { post: operation(tool, messages) }]),
    ),
    "/v1/files": { put: putting(messages) },
    "/v1/files/{id}": { get: getting() },
  };
  return {
    openapi: "3.1.1",
    info: {
      title: "Troupe",
      version: VERSION,
      description: ABOUT,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer", description: "What STATE/token holds." } },
      parameters: PARAMETERS,
      responses: { Problem: response("The request itself was refused.", ref("Problem"), PROBLEM_JSON) },
      schemas: { ...ownSchemas(messages), ...messages.schemas },
    },
  };
}

const ABOUT =
  "Logged-in browser roles for agents. A tool that failed is an answer like any other: 200 with success: false, a text " +
  "that says what to do next, and the error as data. Only what concerns the request itself has another status.";

function operation(tool: Tool, messages: MessageSchemas): JsonSchema {
  const answer = {
    oneOf: [success(tool, messages), ref("Failure")],
  };
  return {
    operationId: tool.name,
    summary: tool.description,
    tags: [tool.profile],
    parameters: parameterRefs(),
    requestBody: {
      required: tool.arguments.some(({ required }) => required),
      content: { "application/json": { schema: argumentsSchema(tool) } },
    },
    responses: {
      200: response("What the tool did, or why it failed and what to do then.", answer),
      default: ref("Problem", "responses"),
    },
  };
}

function putting(messages: MessageSchemas): JsonSchema {
  const name = { name: "name", in: "query", description: "The file's name.", schema: { type: "string" } };
  return {
    operationId: "putFile",
    summary: "Puts a file into the session. Its id stands for it as a path in browser_file_upload.",
    parameters: [name, ...parameterRefs()],
    requestBody: { required: true, content: { "*/*": { schema: {} } } },
    responses: {
      201: response("The file's id.", messages.refTo(messageType("troupe.v1.PutFileResponse"))),
      default: ref("Problem", "responses"),
    },
  };
}

function getting(): JsonSchema {
  const description = "The id of a file that was put, of a download, or of a reply's large file.";
  const id = { name: "id", in: "path", required: true, description, schema: { type: "string" } };
  return {
    operationId: "getFile",
    summary: "Gets a file of the session.",
    parameters: [id, ...parameterRefs()],
    responses: {
      200: response("The file's bytes.", {}, "application/octet-stream"),
      default: ref("Problem", "responses"),
    },
  };
}

function parameterRefs(): JsonSchema[] {
  return Object.keys(PARAMETERS).map((name) => ref(name, "parameters"));
}

function listing(): JsonSchema {
  const schema = {
    type: "object",
    required: ["tools"],
    properties: { tools: { type: "array", items: ref("ListedTool") } },
  };
  return {
    operationId: "listTools",
    summary: "Lists the tools of a profile, as MCP does.",
    parameters: [ref("profile", "parameters")],
    responses: { 200: response("The tools.", schema), default: ref("Problem", "responses") },
  };
}

function argumentsSchema(tool: Tool): JsonSchema {
  const properties: Record<string, JsonSchema> = Object.fromEntries(
    tool.arguments.map((argument) => [argument.name, { ...schemaOf(argument), ...bounds(argument) }]),
  );
  if (tool.takesRole) properties.role = { type: "string", description: "Role for this call." };
  const required = tool.arguments.filter((argument) => argument.required).map(({ name }) => name);
  return {
    type: "object",
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

function bounds({ minimum, maximum, maxLength, example, type, repeated }: Argument): JsonSchema {
  return {
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(type === "string" && !repeated && { maxLength }),
    ...(example !== undefined && { examples: [example] }),
  };
}

function success(tool: Tool, messages: MessageSchemas): JsonSchema {
  const type = dataType(tool);
  const result = tool.query ? type.fields.result?.resolve().resolvedType : undefined;
  const data = result
    ? messages.refTo(messageType(result.fullName.slice(1)))
    : messages.of(type, ["text", "page"]);
  const hasData = Object.keys((data.properties as object | undefined) ?? { result }).length > 0;
  return {
    type: "object",
    required: ["success", "text"],
    properties: {
      success: { const: true },
      text: { type: "string", description: "For the model." },
      ...(hasData && { data }),
      ...(type.fields.page && { page: messages.refTo(messageType("troupe.v1.PageInfo")) }),
    },
    additionalProperties: false,
  };
}

/** Schemas that no message has in this form. */
function ownSchemas(messages: MessageSchemas): Record<string, JsonSchema> {
  const text = { type: "string", description: "What happened, why, and numbered steps: for the model." };
  const detail = messages.refTo(messageType("troupe.v1.ErrorDetail"));
  const error = { ...detail, properties: { type: { enum: errorTypes } } };
  return {
    Failure: {
      type: "object",
      required: ["success", "text", "error"],
      properties: { success: { const: false }, text, error },
      additionalProperties: false,
    },
    Problem: {
      type: "object",
      description: "RFC 9457, with what a failed tool has too.",
      required: ["type", "title", "status", "detail", "text", "error"],
      properties: {
        type: { type: "string", format: "uri" },
        title: { type: "string" },
        status: { type: "integer" },
        detail: { type: "string" },
        text,
        error,
      },
    },
    ListedTool: {
      type: "object",
      required: ["name", "description", "inputSchema"],
      properties: {
        name: { type: "string" },
        description: { type: "string" },
        inputSchema: { type: "object", description: "The arguments, as JSON Schema." },
        annotations: { type: "object", description: "MCP's hints: readOnlyHint, destructiveHint." },
      },
    },
  };
}

const PARAMETERS: Readonly<Record<string, JsonSchema>> = {
  session: header(SESSION, "The session: any name of yours, 1 to 128 visible ASCII characters.", {
    required: true,
    schema: { type: "string", pattern: "^[\\x21-\\x7e]{1,128}$" },
  }),
  role: header(ROLE, "The role for this call; without it, the session's current one."),
  profile: header(PROFILE, "The profile: the tools that the caller has, and that plans may name.", {
    schema: { type: "string", enum: PROFILES, default: "core" },
  }),
  requestId: header(REQUEST_ID, "Found again in the reply and in the daemon's log; made where missing."),
};

function header(name: string, description: string, more: JsonSchema = {}): JsonSchema {
  return { name, in: "header", description, schema: { type: "string" }, ...more };
}

function response(description: string, schema: JsonSchema, type = "application/json"): JsonSchema {
  return { description, content: { [type]: { schema } } };
}

function ref(name: string, kind: "schemas" | "parameters" | "responses" = "schemas"): JsonSchema {
  return { $ref: `#/components/${kind}/${name}` };
}
