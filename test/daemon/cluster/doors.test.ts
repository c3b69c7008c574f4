// Other doors and streams work at any daemon, and the door between daemons is for daemons alone.
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { connect } from "node:tls";
import { Client, credentials, status } from "@grpc/grpc-js";
import { unary } from "../../harness/calls.ts";
import { skipWithoutPostgres as skip } from "../../harness/servers/postgres.ts";
import { daemonsOf } from "./daemons.ts";

test("REST and a stream that holds the session work at a daemon without the session", { skip }, async (t) => {
  const { open } = await daemonsOf(t);
  const [one, other] = [await open(), await open()];
  await one.open("https://a.test/");
  const held = other.stream("Control.WatchEvents", { holdsSession: true });
  t.after(() => held.cancel());
  held.on("error", () => undefined);
  await once(held, "data");
  const token = readFileSync(`${other.config.state.dir}/token`, "utf8").trim();
  const call = (tool: string, args: object) =>
    fetch(`${other.daemon.http[0]}/v1/tools/${tool}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        "x-troupe-session": "s1",
      },
      body: JSON.stringify(args),
    }).then(async (response) => (await response.json()) as Record<string, unknown>);
  assert.equal((await call("browser_navigate", { url: "https://b.test/" })).text, "opened https://b.test/");
  const wrong = await call("browser_navigate", { address: 1 });
  assert.match(JSON.stringify(wrong), /INVALID_ARGUMENT/);
  assert.equal((await one.open("https://c.test/")).ok, "opened https://c.test/");
});

test("the door between daemons asks for a certificate of a daemon", { skip }, async (t) => {
  const { open, ask, tls } = await daemonsOf(t);
  await open();
  const [pod] = await ask<{ address: string }>("SELECT address FROM pods");
  const [, port] = pod?.address.split(":") ?? [];
  const plain = connect({
    port: Number(port),
    host: "127.0.0.1",
    rejectUnauthorized: false,
    ALPNProtocols: ["h2"],
  });
  await assert.rejects(once(plain, "close"), /certificate required/);
  const stranger = tls("stranger.test");
  const client = new Client(
    pod?.address ?? "",
    credentials.createSsl(stranger.ca, stranger.key, stranger.cert),
    {
      "grpc.ssl_target_name_override": "troupe-peer",
    },
  );
  t.after(() => client.close());
  const headers = { "x-troupe-session": "s1", "x-troupe-peer-client": owner };
  await assert.rejects(unary(client, "Browser.GetCurrentRole", {}, { headers }), {
    code: status.UNAVAILABLE,
  });
});

test("renewed certificates of the daemons hold after a reload, also of another authority", {
  skip,
}, async (t) => {
  const { open, renewPeers } = await daemonsOf(t);
  const [one, other] = [await open(), await open()];
  await one.open("https://a.test/");
  renewPeers();
  for (const each of [one, other]) {
    const { ok } = await each.ask("ReloadConfig", {});
    assert.deepEqual(ok?.applied, ["peers"]);
    assert.deepEqual(ok?.later, []);
  }
  const third = await open();
  assert.equal((await third.open("https://b.test/")).ok, "opened https://b.test/");
  await third.open("https://c.test/", { session: "c" });
  assert.equal((await other.open("https://d.test/", { session: "c" })).ok, "opened https://d.test/");
});

const owner = Buffer.from(JSON.stringify({ name: "local", control: "write" })).toString("base64url");

test("a client cannot name itself as another one", { skip }, async (t) => {
  const { open, ask } = await daemonsOf(t);
  const daemon = await open();
  const headers = { "x-troupe-peer-client": Buffer.from('{"name":"eve"}').toString("base64url") };
  await daemon.open("https://a.test/", { headers });
  assert.deepEqual(await ask("SELECT key FROM sessions"), [{ key: "local/s1" }]);
});
