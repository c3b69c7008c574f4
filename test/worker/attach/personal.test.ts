// Tests a role that works in the own context of an attached browser's person, with that person's logins.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { SessionRecord, StorageChanged, WatchWorkerResponse } from "../../../proto/gen/troupe.ts";
import { startPersonsChrome } from "../../harness/browser/persons-chrome.ts";
import { refOf, startWorker, type Worker } from "../../harness/worker.ts";
import { serveSite } from "../../site/serve.ts";

const site = await serveSite();
const chrome = await startPersonsChrome();
const role = { browser: { connect: chrome.address }, isolation: "role" };
after(async () => {
  await chrome[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});
const login = site.page(`<title>Log in</title><script>
  document.cookie = "login=ada; max-age=600"; localStorage.user = "ada"</script>`);
const account = site.page(`<title>Account</title><h1></h1><a href="about:blank" target=_blank>Else</a>
  <button onclick="window.open(location.href)">Open</button>
  <script>document.querySelector("h1").textContent = document.cookie + " " + localStorage.user</script>`);
const persons = await chrome.open(login);
const urls = async () => (await chrome.pages()).map(({ url }) => url);

test("sessions have the person's logins, list only their own tabs, and leave none", async () => {
  const before = await urls();
  {
    await using worker = await startWorker(role);
    const [one, two] = [worker.session(), worker.session()];
    const text = await one.open(account);
    assert.match(text, /heading "login=ada ada"/);
    await one.do("browser_click", { ref: refOf(text, '"Open"') });
    await two.open(account);
    assert.match(
      (await one.do("browser_tabs", { action: "list" })).text,
      /^t1 [^\n]*\nt2 \(current\)[^\n]*$/,
    );
    assert.match((await two.do("browser_tabs", { action: "list" })).text, /^t1 \(current\)[^\n]*$/);
    // A tab that the person opens meanwhile belongs to no session.
    await chrome.open(account);
    assert.match((await two.do("browser_tabs", { action: "list" })).text, /^t1 \(current\)[^\n]*$/);
    await two[Symbol.asyncDispose]();
  }
  await chrome.shows([...before, account]);
  assert.ok((await chrome.pages()).some(({ id }) => id === persons.id));
});

test("the daemon's own ports stay closed to documents", async () => {
  const daemonPorts = [Number(new URL(site.otherOrigin).port)];
  await using worker = await startWorker({ ...role, daemonPorts });
  const session = worker.session();
  const text = await session.open(`data:text/html,<a href="${site.elsewhere(account)}">Go</a>`);
  const { text: why } = await session.refuse("NAVIGATION_BLOCKED", "browser_click", {
    ref: refOf(text, '"Go"'),
  });
  assert.doesNotMatch(why, /not among those/);
});

test("no cookie and no storage of the person is reported", async () => {
  await using worker = await startWorker(role);
  const stored: StorageChanged[] = [];
  const records = await following(worker, ({ storage }) => storage && stored.push(storage));
  const session = worker.session("kept");
  await session.open(account);
  const entry = { action: "set", area: "local", name: "seen", value: "1" };
  await session.do("browser_storage", entry, { profile: "full" });
  const { isTold, losses } = await worker.prepareRest("kept");
  assert.ok(isTold);
  assert.deepEqual(losses, []);
  assert.ok(records.has("kept"));
  assert.deepEqual(
    stored
      .flatMap(({ parts }) => parts.map(({ name }) => name))
      .filter((name) => /cookies|local|databases/.test(name)),
    [],
  );
});

test("a worker that is killed leaves no tab once the next one has its sessions", async () => {
  const before = await urls();
  const worker = await startWorker(role);
  const records = await following(worker);
  await worker.session("killed").open(account);
  await worker.prepareRest("killed");
  process.kill(worker.pid, "SIGKILL");
  await worker[Symbol.asyncDispose]();
  await chrome.shows([...before, account]);
  await using next = await startWorker({ ...role, sessions: [...records.values()] });
  await chrome.shows(before);
  assert.match(await next.session("killed").read(), /heading "login=ada ada"/);
  await chrome.shows([...before, account]);
});

/** Follows a worker's events. Resolves with the records of its sessions, which stay current. */
async function following(worker: Worker, heard: (event: WatchWorkerResponse) => unknown = () => undefined) {
  const records = new Map<string, SessionRecord>();
  const { promise: listening, resolve } = Promise.withResolvers<void>();
  const over = new AbortController();
  after(() => over.abort());
  const follow = async () => {
    for await (const event of worker.events(over.signal)) {
      resolve();
      if (event.session) records.set(event.session.key, event.session);
      heard(event);
    }
  };
  // It ends with the worker.
  void follow().catch(() => undefined);
  await listening;
  return records;
}
