// Tests roles with an attached browser, through daemon and shim.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { type PersonsChrome, startPersonsChrome } from "../harness/browser/persons-chrome.ts";
import { testClient } from "../harness/daemon.ts";
import { freePort } from "../harness/free-port.ts";
import { reaches, role } from "../harness/role-states.ts";
import { refOf, startTroupe } from "../harness/troupe.ts";
import { serveSite } from "../site/serve.ts";

const site = await serveSite();
const port = await freePort();
const chrome = await startPersonsChrome({ port });
const connect = chrome.address;
const troupe = await startTroupe({
  roles: {
    attached: { browser: { connect } },
    wrong: { browser: { connect: `http://127.0.0.1:${await freePort()}` } },
  },
});
const client = testClient(troupe.address);
after(async () => {
  client.close();
  await troupe[Symbol.asyncDispose]();
  await chrome[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});
const page = site.page(
  `<title>Shop</title><h1>Shop</h1><button onclick="this.textContent = 'Bought'">Buy</button>`,
);

test("an address without a browser fails with a plan, and the role is not given up", async () => {
  await using agent = await troupe.agent("--role", "wrong");
  for (let round = 0; round < 2; round++) {
    const { error, text } = await agent.call("browser_navigate", { url: page });
    assert.equal(error?.type, "CHROME_NOT_CONNECTED", text);
    assert.match(text, /nothing listens there/);
    assert.ok(error.steps.length > 0);
  }
  const { state, reason, browserEndpoint } = await role(client, "wrong");
  assert.equal(state, "ROLE_STATE_STOPPED");
  assert.match(reason, /is not connected: nothing listens there/);
  assert.match(browserEndpoint, /^http:\/\/127\.0\.0\.1:/);
});

test("the end of a daemon, asked for or not, leaves the person's tabs and nothing else", async () => {
  const own = [...(await chrome.pages()).map(({ url }) => url), site.page("<title>Own</title>")];
  await chrome.open(own.at(-1) ?? "");
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    await using other = await startTroupe({ roles: { attached: { browser: { connect } } } });
    await using agent = await other.agent("--role", "attached");
    await agent.text("browser_navigate", { url: page });
    await chrome.shows([...own, page]);
    other.daemon.kill(signal);
    await chrome.shows(own);
  }
});

test("a browser that stands still is left alone, and its role goes on with it later", async () => {
  await using agent = await troupe.agent("--role", "attached");
  await agent.text("browser_navigate", { url: page });
  const stopped = reaches(client, "attached", "ROLE_STATE_STOPPED", 60_000);
  chrome.signal("SIGSTOP");
  await stopped;
  const { error, text } = await agent.call("browser_snapshot");
  assert.equal(error?.type, "CHROME_NOT_CONNECTED", text);
  assert.match(text, /did not answer within/);
  chrome.signal("SIGCONT");
  const told = await agent.call("browser_snapshot");
  assert.match(told.error?.type ?? "none", /^(?:WORKER_RESTARTED|none)$/, told.text);
  assert.match(await agent.text("browser_snapshot", { full: true }), /heading "Shop"/);
});

test("a browser that is killed and comes back: its session goes on, and no ref of before reaches anything", async () => {
  await using agent = await troupe.agent("--role", "attached");
  const ref = refOf(await agent.text("browser_navigate", { url: page }), "button", "Buy");
  await chrome.kill();
  const { error, text } = await agent.call("browser_click", { ref });
  assert.equal(error?.type, "CHROME_NOT_CONNECTED", text);
  await using returned: PersonsChrome = await startPersonsChrome({ port });
  // The call before may have been under way, and has then reported the loss already.
  const told = await agent.call("browser_click", { ref });
  assert.match(told.error?.type ?? "none", /^(?:WORKER_RESTARTED|UNKNOWN_REF)$/, told.text);
  assert.match(await agent.text("browser_snapshot", { full: true }), /heading "Shop".*button "Buy"/s);
  assert.ok((await returned.pages()).some(({ url }) => url === page));
});
