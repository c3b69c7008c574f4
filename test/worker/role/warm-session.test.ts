// Tests the warm session: it has the role's login, and belongs to no client until one takes it.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { after, test } from "node:test";
import type { Connection } from "puppeteer-core";
import type { SessionRecord, StoragePart } from "../../../proto/gen/troupe.ts";
import { Role } from "../../../worker/role/role.ts";
import type { Session } from "../../../worker/session/session.ts";
import type { Tab } from "../../../worker/tab/tab.ts";
import { shared } from "../../harness/shared.ts";
import { tempDir } from "../../harness/temp-dir.ts";
import { serveSite } from "../../site/serve.ts";
import { noSecrets, PLAIN_ROLE } from "../session/role-config.ts";

const site = shared(await serveSite());
const { dir } = shared(tempDir());
const authFile = path.join(dir, "login.json");
const config = { ...PLAIN_ROLE, authFile, authFileShown: "login.json", prepare: true };
const account = site.page("<title>Account</title><h1>Account</h1>");
const told: { key: string; parts: string[] }[] = [];
/** Its promise resolves when the next session is prepared. */
const warm = { next: Promise.withResolvers<void>() };

await writeLogin("old");
const role = await Role.start(
  config,
  [],
  {
    session: ({ key }: SessionRecord) => told.push({ key, parts: [] }),
    storage: (key: string, parts: StoragePart[]) => told.push({ key, parts: parts.map(({ name }) => name) }),
    kept: async () => undefined,
    reported: () => undefined,
    failure: () => undefined,
    loginChanged: () => undefined,
    prepared: () => warm.next.resolve(),
    approvals: { asked: () => undefined, ended: () => undefined },
    asking: () => undefined,
    browserGone: ({ reason }) => assert.fail(reason),
  },
  noSecrets(),
);
const sessions: Session[] = [];
const first = await role.sessions.of("first");
sessions.push(first);
const connection = (await first.currentTab({ blank: true })).client.connection() as Connection;
await connection.send("Target.setDiscoverTargets", { discover: true, filter: [{ type: "page" }] });
after(() => role.close());

test("a new session finds its tab prepared, with the login in it", async () => {
  const spare = await prepared();
  const { session, tab } = await begin("second");
  assert.equal(tab.targetId, spare);
  assert.deepEqual([tab.id, session.tabs.ids], ["t1", ["t1"]]);
  assert.deepEqual(await seen(tab), { cookie: "sid=old", token: "old" });
});

test("the prepared tab has no id for a client that names one before it opens a tab", async () => {
  await prepared();
  warm.next = Promise.withResolvers();
  const session = await role.sessions.of("early");
  sessions.push(session);
  await assert.rejects(session.tabNamed("t1"), { type: "UNKNOWN_TAB" });
  assert.deepEqual(session.tabs.ids, []);
  assert.equal((await session.currentTab({ blank: true })).id, "t1");
});

test("a warm session reports nothing until a client has it, and then only under its key", async () => {
  const spare = await prepared();
  told.length = 0;
  for (const { key } of sessions.splice(0)) await role.sessions.end(key);
  assert.equal(
    await role.closeLargestTab({ reason: "for the test", sparing: false }),
    "",
    "no session has a tab",
  );
  assert.ok(told.length === 0, "nobody is told");
  const { tab } = await begin("third");
  assert.equal(tab.targetId, spare);
  assert.deepEqual(new Set(told.map(({ key }) => key)), new Set(["third"]));
  assert.ok(
    told.some(({ parts }) => parts.includes("login")),
    "which login it has is kept with the session",
  );
});

test("a session that begins after a new login was written has that login, not an older warm session", async () => {
  const spare = await prepared();
  const next = renewed();
  await writeLogin("new");
  const gone = lost(spare);
  await role.sessions.renewLogin();
  await gone;
  await next;
  const { tab } = await begin("fourth");
  assert.notEqual(tab.targetId, spare);
  assert.deepEqual(await seen(tab), { cookie: "sid=new", token: "new" });
});

test("a warm session that dies is given to no client", async () => {
  for (const [key, kill] of [
    ["fifth", (targetId: string) => connection.send("Target.closeTarget", { targetId })],
    ["sixth", crash],
  ] as const) {
    const spare = await prepared();
    const gone = lost(spare);
    await kill(spare);
    await gone;
    // The role knows it too, once its browser has answered.
    await pages();
    const { tab } = await begin(key);
    assert.notEqual(tab.targetId, spare);
    assert.deepEqual(await seen(tab), { cookie: "sid=new", token: "new" });
  }
});

test("a session with an earlier state does not take the warm session", async () => {
  const spare = await prepared();
  const cookies = { name: "cookies", data: Buffer.from("[]") };
  await role.sessions.restore({ key: "restored", parts: [cookies], session: null, rested: false });
  const { tab } = await begin("restored");
  assert.notEqual(tab.targetId, spare);
});

/** Makes a session's first call, which takes the warm session. */
async function begin(key: string): Promise<{ session: Session; tab: Tab }> {
  warm.next = Promise.withResolvers();
  const session = await role.sessions.of(key);
  sessions.push(session);
  return { session, tab: await session.currentTab({ blank: true }) };
}

/** Returns what the server's page finds of the login. */
async function seen({ client }: Tab): Promise<unknown> {
  const loaded = Promise.withResolvers<void>();
  client.once("Page.loadEventFired", () => loaded.resolve());
  await client.send("Page.navigate", { url: account });
  await loaded.promise;
  const { result } = await client.send("Runtime.evaluate", {
    expression: "({ cookie: document.cookie, token: localStorage.token })",
    returnByValue: true,
  });
  return result.value;
}

async function writeLogin(name: string): Promise<void> {
  const login = {
    cookies: [{ name: "sid", value: name, domain: "127.0.0.1", path: "/" }],
    origins: [{ origin: site.origin, localStorage: [{ name: "token", value: name }] }],
  };
  await writeFile(authFile, JSON.stringify(login));
}

/** Returns the warm session's target. One is prepared after a call. */
async function prepared(): Promise<string> {
  const call = new AbortController();
  role.sessions.callBegan(call.signal);
  call.abort();
  await warm.next.promise;
  const had = new Set(sessions.flatMap(({ tabs }) => tabs.open.map(({ targetId }) => targetId)));
  for (;;) {
    const destroyed = Promise.withResolvers<unknown>();
    connection.once("Target.targetDestroyed", destroyed.resolve);
    const [spare, ...more] = (await pages()).filter((id) => !had.has(id));
    assert.ok(spare);
    if (more.length === 0) return spare;
    // A target that was given up before may exist for another moment.
    await destroyed.promise;
  }
}

/** Resolves when the next one is prepared. */
function renewed(): Promise<void> {
  warm.next = Promise.withResolvers();
  return warm.next.promise;
}

/** Returns all pages except those that the browser opened itself. */
async function pages(): Promise<string[]> {
  const [{ targetInfos }, { browserContextIds }] = await Promise.all([
    connection.send("Target.getTargets", { filter: [{ type: "page" }] }),
    connection.send("Target.getBrowserContexts"),
  ]);
  return targetInfos
    .filter(({ browserContextId = "" }) => browserContextIds.includes(browserContextId))
    .map(({ targetId }) => targetId);
}

function lost(targetId: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  connection.on("Target.targetDestroyed", (event) => {
    if (event.targetId === targetId) resolve();
  });
  return promise;
}

async function crash(targetId: string): Promise<void> {
  const { sessionId } = await connection.send("Target.attachToTarget", { targetId, flatten: true });
  const client = connection.session(sessionId);
  // The command has no answer.
  client?.send("Page.crash").catch(() => undefined);
}
