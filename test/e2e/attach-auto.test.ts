// Tests a role that is attached to its user's own Chrome, which asks a person before it accepts a connection.
import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import path from "node:path";
import { after, test } from "node:test";
import { startPersonsChrome } from "../harness/browser/persons-chrome.ts";
import { testClient } from "../harness/daemon.ts";
import { role, roleWhen } from "../harness/role-states.ts";
import { tempDir } from "../harness/temp-dir.ts";
import { startTroupe } from "../harness/troupe.ts";
import { serveSite } from "../site/serve.ts";

const site = await serveSite();
const chrome = await startPersonsChrome();
const home = tempDir();
const door = await askingDoor(Number(new URL(chrome.socket).port));
const profile = path.join(home.dir, "chromium");
mkdirSync(profile);
writeFileSync(path.join(profile, "DevToolsActivePort"), `${door.port}\n${new URL(chrome.socket).pathname}`);
const troupe = await startTroupe({
  roles: { mine: { browser: { connect: "auto" } } },
  settings: { limits: { callTimeout: "12s" } },
  env: { XDG_CONFIG_HOME: home.dir },
});
const client = testClient(troupe.address);
after(async () => {
  client.close();
  await troupe[Symbol.asyncDispose]();
  door[Symbol.dispose]();
  await chrome[Symbol.asyncDispose]();
  home[Symbol.dispose]();
  await site[Symbol.asyncDispose]();
});

test("a person who declines is not asked again by a plan, but by the next call", async () => {
  await using agent = await troupe.agent("--role", "mine");
  const url = site.page("<h1>Allowed</h1>");
  const waiting = agent.call("browser_navigate", { url });
  await door.asked;
  await roleAsks();
  door.decline();
  const { error, text } = await waiting;
  assert.equal(error?.type, "CHROME_NOT_CONNECTED", text);
  assert.equal(error?.recoverable, false);
  assert.match(text, /its person has not allowed the connection/);
  assert.deepEqual(
    error?.steps.filter(({ tool }) => tool !== undefined),
    [],
  );
});

test("a call waits for the person, says so at its deadline, and the next one waits on over the same connection", async () => {
  await using agent = await troupe.agent("--role", "mine");
  const url = site.page("<h1>Allowed</h1>");
  const { error, text } = await agent.call("browser_navigate", { url });
  assert.equal(error?.type, "CHROME_NOT_CONNECTED", text);
  assert.match(text, /Ask the person at that browser to click Allow/);
  assert.deepEqual(error?.retry, { afterMs: 5_000, sameCall: true });
  assert.match((await role(client, "mine")).reason, /may ask a person to allow the connection/);
  const again = agent.call("browser_navigate", { url });
  door.allow();
  assert.match((await again).text, /heading "Allowed"/);
  // The first connection was declined.
  assert.equal(door.connections, 2);
  assert.equal((await role(client, "mine")).browserEndpoint, "auto");
});

/** Resolves when the role reports that its browser may ask a person. */
async function roleAsks(): Promise<void> {
  await roleWhen(
    client,
    "mine",
    ({ reason }) => /may ask a person/.test(reason),
    "the role says that it is asked about",
  );
}

/** Listens as a Chrome that asks its person: a connection hears nothing until it is allowed. */
async function askingDoor(port: number) {
  const events = new EventEmitter();
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  let isAllowed = false;
  let connections = 0;
  const server = createServer((from: Socket) => {
    connections++;
    resolve();
    from.on("error", () => undefined);
    const pass = () => {
      const to = connect(port, "127.0.0.1");
      to.on("error", () => from.destroy());
      from.on("close", () => to.destroy());
      from.pipe(to).pipe(from);
    };
    if (isAllowed) pass();
    else {
      events.once("allowed", pass);
      events.once("declined", () => {
        events.off("allowed", pass);
        from.destroy();
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    get connections() {
      return connections;
    },
    /** Resolves when the first connection has come. */
    asked,
    decline: () => void events.emit("declined"),
    allow() {
      isAllowed = true;
      events.emit("allowed");
    },
    [Symbol.dispose]: () => void server.close(),
  };
}
