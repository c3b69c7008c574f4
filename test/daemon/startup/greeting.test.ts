import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { greetingText } from "../../../daemon/startup/greeting.ts";
import { certificateFolder } from "../../harness/certificates.ts";
import { testDaemon } from "../../harness/daemon.ts";

/** The greeting, and the MCP client configuration in it. */
async function greet(
  more: { example?: boolean; shop?: { url: string; logins: string }; token?: string } = {},
) {
  await using troupe = await testDaemon({
    roles: {
      visitor: { startUrl: "http://shop.test/" },
      customer: { browser: { connect: "http://127.0.0.1:9" }, memory: "900MiB" },
    },
  });
  const { example = false, shop, token } = more;
  const { daemon, config } = troupe;
  const text = greetingText({ config: { ...config, example }, daemon, shop, token });
  const pasted = JSON.parse(/^\{[\s\S]*^\}$/m.exec(text)?.[0] ?? "{}").mcpServers.troupe as {
    command: string;
    args: string[];
    env?: Record<string, string>;
  };
  return { text, pasted, daemon, config };
}

test("the greeting has all addresses, a line for each role, and the warnings", async () => {
  const { text, daemon } = await greet({
    shop: { url: "http://127.0.0.1:7422", logins: "customer / secret" },
  });
  for (const part of [...daemon.addresses, ...daemon.http, "http://127.0.0.1:7422  (customer / secret)"])
    assert.ok(text.includes(part), part);
  assert.match(text, /^ {4}visitor {3}STOPPED, no login, http:\/\/shop\.test\/$/m);
  assert.match(text, /^Warning: roles\.customer\.memory has no effect/m);
});

test("the greeting leads to the console, with the token where a person alone sees it", async () => {
  const without = await greet();
  assert.ok(without.text.includes(`  console    ${without.daemon.http[0]}/console\n`));
  const { text, daemon } = await greet({ token: "abc" });
  assert.ok(text.includes(`  console    ${daemon.http[0]}/console#token=abc\n`));
});

test("the MCP client's configuration starts the shim of this checkout, from any folder", async () => {
  const { pasted } = await greet();
  assert.ok(path.isAbsolute(pasted.command) && pasted.command.endsWith("node_modules/.bin/node"));
  assert.ok(path.isAbsolute(pasted.args[0] ?? "") && pasted.args[0]?.endsWith("client/cli.ts"));
  assert.equal(pasted.args[1], "mcp");
});

test("the shim gets the configuration and the state folder, to find this daemon or start another", async () => {
  const { pasted, config } = await greet();
  assert.deepEqual(pasted.env, { TROUPE_CONFIG: config.file, TROUPE_STATE_DIR: config.state.dir });
});

test("behind TCP doors alone, the MCP client's configuration asks for its token and the authority", async () => {
  using certificates = certificateFolder();
  const tokens = [{ name: "agent", sha256: "0".repeat(64) }];
  const pastedAt = async (listen: string[]) => {
    await using troupe = await testDaemon({ listen, tokens, tls: certificates.tls });
    const text = greetingText({ config: troupe.config, daemon: troupe.daemon });
    return JSON.parse(/^\{[\s\S]*^\}$/m.exec(text)?.[0] ?? "{}").mcpServers.troupe.env as object;
  };
  const needed = ["TROUPE_TOKEN_FILE", "TROUPE_CA"];
  const named = (env: object) => needed.filter((name) => name in env);
  assert.deepEqual(named(await pastedAt(["127.0.0.1:0"])), needed);
  assert.deepEqual(named(await pastedAt(["unix:default", "127.0.0.1:0"])), []);
});

test("the example's shim has a fixed address, because no other daemon has its roles", async () => {
  const { pasted, daemon } = await greet({ example: true });
  assert.deepEqual(pasted.args.slice(2), ["--address", daemon.addresses[0]]);
  assert.equal(pasted.env, undefined);
});

test("a daemon without a file says where its roles are from", async () => {
  await using troupe = await testDaemon({ roles: { customer: {} } });
  const { file: _file, ...config } = troupe.config;
  const { daemon } = troupe;
  assert.match(greetingText({ config, daemon }), /^ {2}config {5}none: the roles of the command line$/m);
  const roles = config.roles.map((role) => ({ ...role, name: "default" }));
  assert.match(
    greetingText({ config: { ...config, roles }, daemon }),
    /^ {2}config {5}none: one role without login$/m,
  );
});

test("the example's commands get its own state folder", async () => {
  const { text, config } = await greet({ example: true });
  assert.ok(text.includes(`troupe status --state-dir ${config.state.dir}\n`));
  assert.ok(text.includes(`export TROUPE_STATE_DIR=${config.state.dir}\n`));
  assert.doesNotMatch((await greet()).text, /--state-dir/);
});
