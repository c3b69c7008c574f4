// Tests a login that expires while a session works: it is noticed, and a fresher file is loaded. Without one, the error
// says who must act.
import assert from "node:assert/strict";
import { readFile, rm, utimes, writeFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import path from "node:path";
import { test } from "node:test";
import { shared } from "../../harness/shared.ts";
import { tempDir } from "../../harness/temp-dir.ts";
import {
  type RoleOptions,
  refOf,
  startWorker,
  type Worker,
  type WorkerSession,
} from "../../harness/worker.ts";
import { serveSite } from "../../site/serve.ts";

const { dir } = shared(tempDir());
const site = shared(await serveSite());

/** The sessions that the site knows. */
const known = new Set<string>();
/** The logins that were issued, and the orders that the site took. */
const counts = { issued: 0, orders: 0 };

function isKnown({ headers }: IncomingMessage): boolean {
  return known.has(/\bsid=(\w+)/.exec(headers.cookie ?? "")?.[1] ?? "");
}

function send(
  response: ServerResponse,
  html: string,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "text/html", ...headers });
  response.end(`<!doctype html>${html}`);
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(303, { location });
  response.end();
}

const loginPage = site.route((_request, response) =>
  send(response, `<h1>Log in</h1><form method=post action="${session}"><button>Enter</button></form>`),
);
/** A login page that takes no password. */
const session = site.route((_request, response) => redirect(response, loginPage));
const account = site.route((request, response) => {
  if (!isKnown(request)) return redirect(response, loginPage);
  send(
    response,
    `<nav>My account</nav><p id=token></p><p id=tab></p><form method=post action="${order}"><button>Order</button></form>
    <a href="${loginPage}">Log in as somebody else</a><a href="${account}" target=_blank>Once more</a>
    <script>token.textContent = 'token: ' + localStorage.token; tab.textContent = 'tab: ' + sessionStorage.tab</script>`,
  );
});
const order = site.route((request, response) => {
  if (!isKnown(request)) return redirect(response, loginPage);
  counts.orders++;
  send(response, `<nav>My account</nav><h1>Ordered</h1>`);
});
const api = site.route((request, response) =>
  isKnown(request) ? send(response, "<nav>My account</nav>in") : send(response, "Who are you?", 401),
);
const forbidden = site.page("<nav>My account</nav><p>Not for you</p>", { status: 403 });
const start = site.route((request, response) =>
  send(response, isKnown(request) ? "<nav>My account</nav><p>Start" : "<nav>Log in</nav><p>Start"),
);
const byScript = site.route((request, response) =>
  send(
    response,
    isKnown(request) ? "<nav>My account</nav>" : `<script>location.href = '${loginPage}'</script>`,
  ),
);

/** Parts of one document: at the same address, and at one with another fragment. */
const parts = site.page(`<details open id=menu><summary>Menu</summary><nav>My account</nav></details>
  <h1 id=step>Start</h1><button onclick="menu.open = false">Fold</button>
  <button onclick="menu.open = true; menu.hidden = true; step.textContent = 'Check out'">Check out</button>
  <button onclick="location.hash = '#/pay'; menu.remove(); step.textContent = 'Pay'">Pay</button>`);

const authCheck = { loginUrl: loginPage, loggedInText: "My account" };

/** Logs in and writes the login file. The site drops all earlier sessions. */
async function logIn(file: string): Promise<void> {
  known.clear();
  const sid = `s${++counts.issued}`;
  known.add(sid);
  const origins = [
    {
      origin: site.origin,
      localStorage: [{ name: "token", value: sid }],
      sessionStorage: [{ name: "tab", value: sid }],
    },
  ];
  await writeFile(
    file,
    JSON.stringify({ cookies: [{ name: "sid", value: sid, domain: "127.0.0.1", path: "/" }], origins }),
    {
      mode: 0o600,
    },
  );
}

async function loggedIn(role: RoleOptions = {}): Promise<Worker & { file: string }> {
  const file = path.join(dir, `${crypto.randomUUID()}.json`);
  await logIn(file);
  const worker = await startWorker({ authFile: file, authFileShown: "auth/tester.json", authCheck, ...role });
  return Object.assign(worker, { file });
}

/** Follows the plan's steps to the letter, and returns the last reply. */
async function follow(
  session: WorkerSession,
  error: Awaited<ReturnType<WorkerSession["refuse"]>>,
): Promise<string> {
  let text = "";
  for (const { tool, arguments: args = {} } of error.steps) {
    if (!tool) continue;
    const meant = args.ref === "$candidate" ? { ...args, ref: error.candidates[0]?.ref ?? "" } : args;
    ({ text } = await session.do(tool, meant));
  }
  return text;
}

test("a navigation that ends on the login page names the expired login, and who must act", async () => {
  await using worker = await loggedIn();
  await using agent = worker.session();
  assert.match(await agent.open(account), /token: s\d+/);
  known.clear();
  const refused = await agent.refuse("AUTHENTICATION_EXPIRED", "browser_navigate", { url: account });
  assert.deepEqual(refused.details, {
    role: "tester",
    authPath: "auth/tester.json",
    reason: `the site sent it to ${loginPage}`,
    reloaded: false,
    effect: "none",
  });
  assert.equal(refused.recoverable, false);
  assert.match(
    refused.text,
    /login of role tester has expired; troupe login tester .* writes a fresh one to auth\/tester\.json/,
  );
  // A snapshot shows the page as it is.
  assert.match(await agent.read(), /heading "Log in"/);
  // The error is repeated as long as it is true, and the login can be done by hand.
  await agent.refuse("AUTHENTICATION_EXPIRED", "browser_navigate", { url: account });
  const form = await agent.open(loginPage);
  assert.match((await agent.do("browser_click", { ref: refOf(form, "Enter") })).text, /Log in/);
  await agent.refuse("AUTHENTICATION_EXPIRED", "browser_navigate", { url: api });
});

test("a fresher login is loaded in the call that notices it, and the plan's call shows its page", async () => {
  await using worker = await loggedIn();
  await using agent = worker.session();
  await agent.open(account);
  await logIn(worker.file);
  const refused = await agent.refuse("AUTHENTICATION_EXPIRED", "browser_navigate", { url: account });
  assert.equal(refused.recoverable, true);
  assert.equal(refused.details.page, account);
  const sid = `s${counts.issued}`;
  assert.match(await follow(agent, refused), new RegExp(`token: ${sid}[\\s\\S]*tab: ${sid}`));
  // The next session begins with the fresher login.
  await using another = worker.session();
  assert.match(await another.open(account), new RegExp(`token: ${sid}`));
});

test("the same login written again counts as fresher, but one that the site rejects does not", async () => {
  await using worker = await loggedIn();
  await using agent = worker.session();
  await agent.open(account);
  const sid = `s${counts.issued}`;
  known.clear();
  await utimes(worker.file, new Date(), new Date(Date.now() + 5_000));
  const refused = await agent.refuse("AUTHENTICATION_EXPIRED", "browser_navigate", { url: account });
  assert.equal(refused.details.reloaded, false);
  known.add(sid);
  await utimes(worker.file, new Date(), new Date(Date.now() + 10_000));
  // The site accepts it again.
  assert.match(await agent.open(account), /token/);
  known.clear();
  await rm(worker.file);
  const missing = await agent.refuse("AUTHENTICATION_EXPIRED", "browser_navigate", { url: account });
  assert.equal(missing.details.reloaded, false);
  assert.match(
    await agent.read(),
    /Auth failed: Failed to load auth from auth\/tester\.json: file not found/,
  );
});

test("an action that the site refused is repeated on its intended page", async () => {
  await using worker = await loggedIn();
  await using agent = worker.session();
  const ref = refOf(await agent.open(account), 'button "Order"');
  await logIn(worker.file);
  counts.orders = 0;
  const refused = await agent.refuse("AUTHENTICATION_EXPIRED", "browser_click", { ref });
  assert.equal(refused.recoverable, true);
  assert.equal(refused.details.page, account);
  assert.equal(counts.orders, 0);
  assert.match(await follow(agent, refused), /Ordered/);
  assert.equal(counts.orders, 1);
});

test("a refused document, a script to the login page and a missing text are signs too", async () => {
  await using worker = await loggedIn();
  await using agent = worker.session();
  for (const url of [start, api, byScript, account]) await agent.open(url);
  known.clear();
  for (const [url, reason] of [
    [start, `the text "My account" is gone from ${start}`],
    [api, `HTTP status 401 of ${api}`],
    [byScript, `the site sent it to ${loginPage}`],
  ] as const) {
    const { details } = await agent.refuse("AUTHENTICATION_EXPIRED", "browser_navigate", { url });
    assert.equal(details.reason, reason);
  }
});

test("a requested login page and a page for other users are no signs", async () => {
  await using worker = await loggedIn();
  await using agent = worker.session();
  assert.match(await agent.open(loginPage), /Log in/);
  assert.match(await agent.open(forbidden), /Not for you/);
  const link = refOf(await agent.open(account), "Log in as somebody else");
  assert.match((await agent.do("browser_click", { ref: link })).text, /heading "Log in"/);
  await agent.do("browser_navigate_back");
});

test("a text that the page itself folds away, or a part without it, is no sign", async () => {
  await using worker = await loggedIn();
  await using agent = worker.session();
  const page = await agent.open(parts);
  for (const [button, shown] of [
    ["Fold", /Fold/],
    ["Check out", /heading "Check out"/],
    ["Pay", /heading "Pay"/],
  ] as const)
    assert.match((await agent.do("browser_click", { ref: refOf(page, button) })).text, shown);
  assert.match(await agent.open(parts), /My account/);
});

test("a page that opens in a new tab is noticed too", async () => {
  await using worker = await loggedIn();
  await using agent = worker.session();
  const ref = refOf(await agent.open(account), "Once more");
  await logIn(worker.file);
  const refused = await agent.refuse("AUTHENTICATION_EXPIRED", "browser_click", { ref });
  assert.equal(refused.details.reloaded, true);
  assert.match(
    (await agent.do("browser_snapshot", { tab: "t2" })).text,
    new RegExp(`token: s${counts.issued}`),
  );
});

test("a session that begins with an expired login notices it in its first snapshot", async () => {
  await using worker = await loggedIn({ startUrl: account });
  known.clear();
  await using agent = worker.session();
  const refused = await agent.refuse("AUTHENTICATION_EXPIRED", "browser_snapshot");
  assert.equal(refused.details.reloaded, false);
  assert.match(await agent.read(), /Log in/);
});

test("a role without authCheck, or without a login, never reports an expired one", async () => {
  for (const role of [{ authCheck: null }, { authFile: "" }] as RoleOptions[]) {
    await using worker = await loggedIn(role);
    await using agent = worker.session();
    known.clear();
    assert.match(await agent.open(account), /Log in/);
    assert.match(await agent.open(api), /Who are you/);
  }
});

test("a login that loads longer than its call is loaded to the end before the next call", async () => {
  await using worker = await loggedIn();
  await using agent = worker.session();
  await agent.open(account);
  await logIn(worker.file);
  const login = JSON.parse(await readFile(worker.file, "utf8"));
  const others = Array.from({ length: 80 }, (_, index) => ({
    origin: `https://site-${index}.test`,
    localStorage: [{ name: "token", value: "other" }],
  }));
  await writeFile(worker.file, JSON.stringify({ ...login, origins: [...others, ...login.origins] }));
  const request = { url: account };
  const { details } = await agent.refuse("TIMEOUT", "browser_navigate", request, { deadlineMs: 3_000 });
  assert.equal(details.waitedFor, "a fresher login to be loaded");
  const { text } = await agent.do("browser_navigate", request, { deadlineMs: 45_000 });
  assert.match(text, new RegExp(`token: s${counts.issued}[\\s\\S]*tab: s${counts.issued}`));
});
