import assert from "node:assert/strict";
import { test } from "node:test";
import { findTool, toolsOf } from "../../../proto/tools/read-tools.ts";
import { adapterTools, mcpTools, repeatsName, toolList } from "../../../proto/tools/tool-list.ts";

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
const listed = (name: string) => toolList("core").find((tool) => tool.name === name) ?? assert.fail(name);

test("the core tools fit into 12,000 bytes, the small ones into 4,000", () => {
  assert.ok(bytesOf({ tools: mcpTools("core") }) <= 12_000);
  assert.ok(bytesOf({ tools: mcpTools("small") }) <= 4000);
  assert.ok(toolList("small").length <= 9);
});

test("every tool of a profile is listed, with a schema and a description", () => {
  for (const profile of ["small", "core", "full", "debug"] as const) {
    const tools = toolList(profile);
    assert.deepEqual(
      tools.map(({ name }) => name),
      toolsOf(profile).map(({ name }) => name),
    );
    for (const { name, description, inputSchema } of tools) {
      assert.ok(description, name);
      assert.equal(inputSchema.type, "object");
      for (const required of inputSchema.required ?? []) assert.ok(inputSchema.properties[required], name);
      for (const [key, schema] of Object.entries(inputSchema.properties)) {
        const own = findTool(name)?.arguments.find((each) => each.name === key);
        const isSaid =
          (key === "role" && profile === "small") ||
          (/^(?:role|tab)$/.test(key) && name !== tools[0]?.name) ||
          (own !== undefined && repeatsName(own));
        if (!isSaid) assert.ok(schema.description, `${name}.${key}`);
      }
    }
  }
});

test("small schemas are flat, so that converters to grammars lose nothing", () => {
  for (const { inputSchema, ...tool } of mcpTools("small")) {
    assert.deepEqual(Object.keys(tool), ["name", "description"]);
    assert.ok(Object.keys(inputSchema).every((key) => ["type", "properties", "required"].includes(key)));
    for (const [name, schema] of Object.entries(inputSchema.properties)) {
      assert.match(name, /^[a-zA-Z]+$/);
      assert.match(schema.type, /^(string|integer|boolean)$/);
      assert.ok(Object.keys(schema).every((key) => key === "type" || key === "description"));
    }
  }
});

test("small descriptions name only existing arguments and tools", () => {
  const small = toolList("small");
  for (const { name, description, inputSchema } of small) {
    for (const [word] of description.matchAll(/\b(?:browser_\w+|regex|depth|maxTokens|modifiers)\b/g))
      assert.ok(
        word in inputSchema.properties || small.some((tool) => tool.name === word),
        `${word} in ${name}`,
      );
  }
});

test("the description lists an enum's words if the schema cannot", () => {
  const wait = toolList("small").find(({ name }) => name === "browser_wait_for");
  assert.match(
    wait?.inputSchema.properties.state?.description ?? "",
    /visible, hidden, enabled, disabled, gone/,
  );
});

test("enums name their words, lists their items", () => {
  const { properties } = listed("browser_click").inputSchema;
  assert.deepEqual(properties.button?.enum, ["left", "right", "middle"]);
  assert.deepEqual(properties.modifiers?.items, {
    type: "string",
    enum: ["alt", "control", "meta", "shift"],
  });
});

test("each tool takes a role for its call, except tools about roles and the session's end", () => {
  for (const tool of toolList("full")) {
    const own =
      /^(?:select_role|list_current_roles|get_current_role|get_failures|clear_failures|browser_close)$/.test(
        tool.name,
      );
    const isForCall = "role" in tool.inputSchema.properties && !tool.inputSchema.properties.role?.description;
    assert.equal(isForCall, !own && tool.name !== "browser_navigate", tool.name);
  }
  assert.equal(listed("browser_navigate").inputSchema.properties.role?.description, "Role for this call");
});

test("a step shows its actions with their main arguments, and no object is without properties", () => {
  const { steps, until } = listed("browser_steps").inputSchema.properties;
  assert.deepEqual(Object.keys(steps?.items?.properties ?? {}), [
    "click",
    "type",
    "selectOption",
    "pressKey",
    "scroll",
    "waitFor",
    "expectNavigation",
  ]);
  assert.deepEqual(Object.keys(steps?.items?.properties?.type?.properties ?? {}), ["ref", "text"]);
  assert.deepEqual(Object.keys(until?.properties ?? {}), ["text", "textGone", "ref"]);
  for (const profile of ["core", "full", "debug"] as const)
    for (const { name, inputSchema } of mcpTools(profile))
      assert.doesNotMatch(JSON.stringify(inputSchema), /"object"}/, name);
});

test("hints mark tools that only read or destroy nothing", () => {
  assert.deepEqual(listed("browser_snapshot").annotations, { readOnlyHint: true });
  assert.deepEqual(listed("browser_navigate").annotations, { destructiveHint: false });
  assert.equal(listed("browser_click").annotations, undefined);
});

test("each tool of MCP and of the adapters takes a session, which the first one describes", () => {
  for (const profile of ["small", "core", "full", "debug"] as const) {
    for (const tools of [mcpTools(profile), adapterTools(profile)]) {
      const schemas = tools.map(({ inputSchema }) => inputSchema.properties.session);
      assert.ok(schemas.every((schema) => schema?.type === "string"));
      assert.ok(schemas[0]?.description);
    }
    assert.ok(toolList(profile).every(({ inputSchema }) => !("session" in inputSchema.properties)));
  }
});

test("MCP repeats the session in a header, adapters and flat schemas have no annotation", () => {
  const headers = (tools: ReturnType<typeof mcpTools>) =>
    new Set(tools.map(({ inputSchema }) => inputSchema.properties.session?.["x-mcp-header"]));
  for (const profile of ["core", "full", "debug"] as const)
    assert.deepEqual(headers(mcpTools(profile)), new Set(["Session"]));
  assert.deepEqual(headers(mcpTools("small")), new Set([undefined]));
  assert.deepEqual(headers(adapterTools("core")), new Set([undefined]));
});
