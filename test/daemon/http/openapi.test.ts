// Checks the description against OpenAPI's own schema, and the daemon's answers against the description.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import { errorTypes } from "../../../proto/errors/catalogue.ts";
import { tools } from "../../../proto/tools/read-tools.ts";
import { testDaemon } from "../../harness/daemon.ts";
import { type RestReply, restClient } from "../../harness/rest.ts";
import { shared } from "../../harness/shared.ts";

const troupe = shared(await testDaemon({ roles: { one: {}, two: {} } }));
const rest = restClient(troupe.daemon.http[0] ?? "", troupe.config.state.token);
const document: Description = JSON.parse((await rest.send("/openapi.json")).body);
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
ajv.addSchema(document, "openapi");

interface Description {
  openapi: string;
  info: { version: string };
  paths: Record<
    string,
    { post?: { summary: string; requestBody: { content: Record<string, { schema: object }> } } }
  >;
  components: { schemas: Record<string, { properties: Record<string, { enum?: string[] }> }> };
}

const escaped = (path: string) => path.replaceAll("~", "~0").replaceAll("/", "~1");
const answerOf = (tool: string) =>
  `/paths/${escaped(`/v1/tools/${tool}`)}/post/responses/200/content/application~1json/schema`;

/** Throws if the value does not fit that part of the document. */
function assertFits(value: unknown, part: string): void {
  const validate = ajv.getSchema(`openapi#${part}`) ?? ajv.compile({ $ref: `openapi#${part}` });
  assert.ok(validate(value), `${part}: ${JSON.stringify(validate.errors)}`);
}

test("the description is valid against OpenAPI 3.1's own schema", async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(structuredClone(document));
  assert.ok(valid, JSON.stringify(errors));
  assert.equal(validator.version, "3.1");
  assert.match(document.openapi, /^3\.1\.\d$/);
});

test("the validator finds a wrong document", async () => {
  const broken = structuredClone(document) as { info: { version?: string } };
  delete broken.info.version;
  assert.equal((await new Validator().validate(broken)).valid, false);
});

test("every tool of the catalogue has its path, its words and its arguments", () => {
  for (const { name, description, arguments: all } of tools()) {
    const { post } = document.paths[`/v1/tools/${name}`] ?? {};
    assert.equal(post?.summary, description);
    const schema = post?.requestBody.content["application/json"]?.schema as { properties: object };
    for (const argument of all) assert.ok(argument.name in schema.properties, `${name}.${argument.name}`);
  }
  const others = ["/v1/tools", "/v1/files", "/v1/files/{id}"];
  assert.equal(Object.keys(document.paths).length, tools().length + others.length);
  for (const path of others) assert.ok(path in document.paths, path);
});

test("every reference leads somewhere", () => {
  for (const [, path = ""] of JSON.stringify(document).matchAll(/"\$ref":"#([^"]+)"/g)) {
    const found = path
      .split("/")
      .slice(1)
      .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], document);
    assert.equal(typeof found, "object", path);
  }
});

test("the description lists every error type", () => {
  const { Failure } = document.components.schemas as unknown as Record<
    string,
    { properties: { error: { properties: { type: { enum: string[] } } } } }
  >;
  assert.deepEqual(Failure?.properties.error.properties.type.enum, [...errorTypes]);
});

for (const [tool, args] of [
  ["browser_navigate", { url: "http://a.test/" }],
  ["browser_snapshot", { depth: 1 }],
  ["list_current_roles", {}],
  ["select_role", { role: "one" }],
  ["get_failures", {}],
  ["clear_failures", { role: "one" }],
] as const) {
  test(`requests and answers of ${tool} match their description`, async () => {
    await rest.call("browser_navigate", { url: "http://do/record-failure" });
    const { json } = await rest.call(tool, args, { headers: { "x-troupe-profile": "full" } });
    assert.equal(json.success, true);
    assertFits(json, answerOf(tool));
    assertFits(
      args,
      `/paths/${escaped(`/v1/tools/${tool}`)}/post/requestBody/content/application~1json/schema`,
    );
  });
}

test("times follow RFC 3339", async () => {
  await rest.call("browser_navigate", { url: "http://do/record-failure" });
  const { json } = await rest.call("get_failures");
  assert.match(JSON.stringify(json.data), /"timestamp":"1970-01-01T00:00:01\.000Z"/);
});

test("a failure fits the description", async () => {
  for (const [type, data] of Object.entries({
    STALE_REF: {
      ref: "e5",
      role: "button",
      name: "Save",
      tag: "button",
      candidates: [{ ref: "e9", role: "button", name: "Save" }],
    },
    UNKNOWN_TAB: { tab: "t9", tabs: ["t1"] },
    WORKER_UNAVAILABLE: { role: "one", reason: "told to", retryAfterMs: 100 },
  })) {
    const url = `http://do/fail?type=${type}&data=${encodeURIComponent(JSON.stringify(data))}`;
    const { json } = await rest.call("browser_navigate", { url });
    assert.equal(json.error?.type, type);
    assertFits(json, answerOf("browser_navigate"));
  }
});

test("an answer without text, or with another type, does not fit the description", () => {
  assert.throws(() => assertFits({ success: true }, answerOf("browser_navigate")));
  assert.throws(() =>
    assertFits({ success: false, text: "", error: { type: "ODD" } }, answerOf("browser_click")),
  );
});

test("problems fit the description", async () => {
  const replies: Promise<RestReply>[] = [
    rest.call("browser_clik"),
    rest.call("browser_click", {}, { body: "{" }),
    rest.call("browser_click", {}, { headers: { "x-troupe-session": undefined } }),
    rest.send("/v1/tools", { headers: { authorization: undefined } }),
    rest.send("/v1/tools", { method: "DELETE" }),
    rest.send("/nothing"),
    rest.send("/v1/tools", { headers: { origin: "http://evil.example" } }),
  ];
  for (const { status, json } of await Promise.all(replies)) {
    assert.equal(json.status, status);
    assertFits(json, "/components/schemas/Problem");
  }
});

test("the list of tools fits the description", async () => {
  const { body } = await rest.send("/v1/tools");
  assertFits(JSON.parse(body), "/paths/~1v1~1tools/get/responses/200/content/application~1json/schema");
});
