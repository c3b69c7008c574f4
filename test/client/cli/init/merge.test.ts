import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { type Merge, mergedIgnore, mergedJson, mergedToml } from "../../../../client/cli/init/merge.ts";

const SERVER = { command: "troupe", args: ["mcp"] };
const textOf = (merge: Merge) => ("text" in merge ? merge.text : assert.fail(JSON.stringify(merge)));
const problemOf = (merge: Merge) => ("problem" in merge ? merge.problem : assert.fail(JSON.stringify(merge)));

test("a client's JSON is made where there is none, or where it is empty", () => {
  for (const before of [undefined, "", " \n"]) {
    const made = textOf(mergedJson(before, "mcpServers", SERVER));
    assert.deepEqual(JSON.parse(made), { mcpServers: { troupe: SERVER } });
    assert.ok(made.endsWith("}\n"));
  }
});

for (const [what, before] of [
  ["another server", '{\n\t"mcpServers": {\n\t\t"git": { "command": "git-mcp", "args": [] }\n\t}\n}\n'],
  ["no servers", '{"inputs": [{"id": "a, {b", "n": 12345678901234567890}]}'],
  ["empty objects", '{"mcpServers":{}}'],
  ["an empty root", "{}\r\n"],
  ["odd strings", '{"a": "\\"}{", "mcpServers": {"x]": {"env": {"troupe": "}"}}}, "z": [[{}]]}'],
  ["a nested key of that name", '{"other": {"mcpServers": {"x": {}}}}'],
  ["an own __proto__", '{"__proto__": {"a": 1}, "mcpServers": {"b": {}}}'],
] as const) {
  test(`a server is inserted into JSON with ${what}, and all else stays as it is`, () => {
    const after = textOf(mergedJson(before, "mcpServers", SERVER));
    const expected = JSON.parse(before);
    expected.mcpServers = { ...expected.mcpServers, troupe: SERVER };
    assert.deepEqual(JSON.parse(after), expected);
    // The inserted text is one piece. The rest is the earlier text, except for white space.
    const bare = (text: string) => text.replaceAll(/\s/g, "");
    const inserted = bare(after).length - bare(before).length;
    const at = [...bare(after)].findIndex((letter, index) => letter !== bare(before)[index]);
    assert.equal(bare(after).slice(0, at) + bare(after).slice(at + inserted), bare(before));
    assert.ok("kept" in mergedJson(after, "mcpServers", SERVER));
  });
}

for (const [what, before, why] of [
  ["a comment", '{\n  // mine\n  "servers": {}\n}', /not plain JSON/],
  ["a broken end", '{"servers": {', /not plain JSON/],
  ["a list", "[]", /no object/],
  ["null", "null", /no object/],
  ["servers that are a list", '{"servers": []}', /servers is no object/],
] as const) {
  test(`JSON with ${what} stays, and its person gets the text to paste`, () => {
    const merge = mergedJson(before, "servers", SERVER);
    assert.match(problemOf(merge), why);
    assert.deepEqual(JSON.parse("paste" in merge ? merge.paste : ""), { servers: { troupe: SERVER } });
  });
}

const HOSTILE = { command: 'C:\\tro"upe', args: ["mcp", "--config", "/a b/ü\u007f\n.yaml"] };
/** Reads TOML with Python, because it decides what is valid. */
const tomlOf = (text: string) =>
  JSON.parse(
    execFileSync(
      "python3",
      ["-c", "import json,sys,tomllib; print(json.dumps(tomllib.loads(sys.stdin.read())))"],
      {
        input: text,
        encoding: "utf8",
      },
    ),
  );

test("a table is added to TOML, and its strings survive", () => {
  const before = 'model = "x"\n\n[mcp_servers.git]\ncommand = "git-mcp"';
  const after = textOf(mergedToml(before, "mcp_servers", HOSTILE));
  assert.ok(after.startsWith(before));
  assert.deepEqual(tomlOf(after), {
    model: "x",
    mcp_servers: { git: { command: "git-mcp" }, troupe: HOSTILE },
  });
  assert.ok("kept" in mergedToml(after, "mcp_servers", HOSTILE));
  assert.deepEqual(tomlOf(textOf(mergedToml(undefined, "mcp_servers", SERVER))), {
    mcp_servers: { troupe: SERVER },
  });
});

test("a server of any spelling in TOML is kept", () => {
  for (const text of [
    "[mcp_servers.troupe]\n",
    ' [ mcp_servers . "troupe" ]\n',
    '["mcp_servers".troupe]\n',
    "[mcp_servers.troupe.env]\nA='1'\n",
  ])
    assert.ok("kept" in mergedToml(text, "mcp_servers", SERVER), text);
});

test("TOML that a table would break stays as it is", () => {
  for (const text of [
    "mcp_servers = { a = { command = 'x' } }",
    "mcp_servers.troupe.command = 'x'",
    'a = """open',
    "[mcp_servers]\ntroupe = { command = 'x' }",
    '[ "mcp_servers" ]\n"troupe".command = "x"',
  ])
    assert.ok(problemOf(mergedToml(text, "mcp_servers", SERVER)), text);
});

test("the logins' folder is ignored once, whatever the line's form", () => {
  assert.match(textOf(mergedIgnore(undefined)), /^#.*\nauth\/\n$/);
  assert.match(textOf(mergedIgnore("dist")), /^dist\n#.*\nauth\/\n$/);
  for (const line of ["auth", "/auth", "auth/", "/auth/", "auth/*", "**/auth/"])
    assert.ok("kept" in mergedIgnore(`dist\r\n${line}\r\n`), line);
  for (const line of ["author/", "# auth/", "!auth/", "src/auth/"])
    assert.ok("text" in mergedIgnore(`${line}\n`), line);
});
