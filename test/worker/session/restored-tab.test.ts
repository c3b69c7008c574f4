// Tests a dead worker's tab that another worker restores: with its storage, at its address, and reported only as that.
import assert from "node:assert/strict";
import { after, mock, test } from "node:test";
import type { CDPSession } from "puppeteer-core";
import type { SessionRecord, StoragePart } from "../../../proto/gen/troupe.ts";
import { Role } from "../../../worker/role/role.ts";
import type { Tab } from "../../../worker/tab/tab.ts";
import { serveSite } from "../../site/serve.ts";
import { noSecrets, PLAIN_ROLE } from "./role-config.ts";

const site = await serveSite();
const page = site.page("<title>Kept</title><h1>Kept</h1>");
const empty = site.route((_request, response) => response.writeHead(204).end());
/** Sessions with a tab each. */
const lost = {
  kept: page,
  again: page,
  empty,
  blob: `blob:${site.origin}/0b7e0a5e-0000-4000-8000-000000000000`,
};
const records: SessionRecord[] = Object.entries(lost).map(([key, url]) => ({
  key,
  tabs: [{ id: "t1", url, title: "", current: true }],
  nextTab: 2,
  typed: [],
  lostByRest: [],
  debugger: null,
  emulated: null,
  targets: [],
}));
const told: { key: string; urls: string[] }[] = [];
const role = await Role.start(
  PLAIN_ROLE,
  records,
  {
    session: ({ key, tabs }: SessionRecord) => told.push({ key, urls: tabs.map(({ url }) => url) }),
    storage: () => undefined,
    kept: async () => undefined,
    reported: () => undefined,
    failure: () => undefined,
    loginChanged: () => undefined,
    prepared: () => undefined,
    approvals: { asked: () => undefined, ended: () => undefined },
    asking: () => undefined,
    browserGone: ({ reason }) => assert.fail(reason),
  },
  noSecrets(),
);
after(async () => {
  await role.close();
  await site[Symbol.asyncDispose]();
});

/** Makes the next request for a context fail. */
function failOnce(client: CDPSession): void {
  const sessions: CDPSession = Object.getPrototypeOf(client);
  const { send } = sessions;
  const failing = mock.method(
    sessions,
    "send",
    function (this: CDPSession, ...args: Parameters<typeof send>) {
      if (args[0] !== "Target.createBrowserContext") return send.apply(this, args);
      failing.mock.restore();
      return Promise.reject(new Error("told to"));
    },
  );
}

/** Returns the session's tab, once no navigation is under way in it. */
async function restored(key: string): Promise<Tab> {
  const parts: StoragePart[] = [site.origin, "https://shop.example"].map((origin) => ({
    name: `local ${origin}`,
    data: Buffer.from(JSON.stringify([{ name: "token", value: "as it was" }])),
  }));
  await role.sessions.restore({ key, parts, session: null, rested: false });
  return await opened(key);
}

async function opened(key: string): Promise<Tab> {
  const session = await role.sessions.of(key);
  const tab = await session.currentTab();
  await tab.navigation.held;
  return tab;
}

async function tokenIn({ client }: Tab): Promise<unknown> {
  const { result } = await client.send("Runtime.evaluate", { expression: "localStorage.token" });
  return result.value;
}

test("a tab's addresses during its restoring are not reported, so a worker that dies meanwhile loses nothing", async () => {
  const tab = await restored("kept");
  assert.equal(await tokenIn(tab), "as it was");
  const urls = told.filter(({ key }) => key === "kept").flatMap((each) => each.urls);
  assert.ok(urls.length > 0);
  assert.deepEqual([...new Set(urls)], [page]);
});

test("a session that could not be opened has its whole state once it can", async () => {
  failOnce((await opened("kept")).client);
  await assert.rejects(restored("again"), /told to/);
  const tab = await opened("again");
  assert.equal(tab.url, page);
  assert.equal(await tokenIn(tab), "as it was");
});

test("a tab whose server has no page now is empty, and has no address without a page", async () => {
  const tab = await restored("empty");
  assert.equal(tab.url, "about:blank");
});

test("a page that was lost with its worker costs the session no storage", async () => {
  const tab = await restored("blob");
  const loaded = Promise.withResolvers<void>();
  tab.client.once("Page.loadEventFired", () => loaded.resolve());
  await tab.client.send("Page.navigate", { url: page });
  await loaded.promise;
  assert.equal(await tokenIn(tab), "as it was");
});
