// The console's door: who gets in, what other sites cannot do, and how many pages may be open.
import assert from "node:assert/strict";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { test } from "node:test";
import { WATCHERS_MAX } from "../../../daemon/console/console.ts";
import { testDaemon } from "../../harness/daemon.ts";
import { restClient } from "../../harness/rest.ts";
import { shared } from "../../harness/shared.ts";
import { sha256 } from "../../harness/tokens.ts";

const troupe = shared(
  await testDaemon({
    tokens: [
      { name: "boss", sha256: sha256("boss-token"), control: "write" },
      { name: "reader", sha256: sha256("reader-token"), control: "read" },
      { name: "agent", sha256: sha256("agent-token"), control: "none", roles: ["visitor"] },
    ],
    roles: { visitor: {}, admin: {} },
  }),
);
const [address = ""] = troupe.daemon.http;
const rest = restClient(address, troupe.config.state.token);
const send = (path: string, headers: Record<string, string | undefined> = {}, body?: object) =>
  rest.send(path, {
    method: body ? "POST" : "GET",
    headers: { authorization: undefined, ...(body && { "content-type": "application/json" }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
/** The headers of the console's own page. */
const own = { origin: address, "x-troupe-console": "1" };

async function cookieFor(token: string): Promise<string> {
  const { status, headers } = await send("/console/login", own, { token });
  assert.equal(status, 200);
  return String(headers["set-cookie"]).split(";")[0] ?? "";
}

test("a good token becomes a cookie that scripts cannot read and other sites cannot send", async () => {
  const { status, headers, json } = await send("/console/login", own, { token: "reader-token" });
  assert.deepEqual([status, json], [200, { client: "reader", control: "read" }]);
  const cookie = String(headers["set-cookie"]);
  assert.match(cookie, /^troupe_console_\d+=[\w-]{32}; Path=\/console; HttpOnly; SameSite=Strict$/);
  assert.ok(!cookie.includes("reader-token"));
});

test("a wrong token, a missing one and a forged cookie are refused", async () => {
  for (const token of ["wrong", "", 7, null])
    assert.equal((await send("/console/login", own, { token })).status, 401);
  assert.equal((await send("/console/login", own, [])).status, 400);
  const name = (await cookieFor("boss-token")).split("=")[0];
  const forged = `${name}=${"A".repeat(32)}`;
  for (const path of ["/console/me", "/console/events", "/console/session?key=x", "/console/failures?role=x"])
    for (const cookie of [forged, "", "x".repeat(5000)])
      assert.equal((await send(path, { cookie })).status, 401, `${path} ${cookie}`);
});

test("a login ends when the person logs out", async () => {
  const cookie = await cookieFor("boss-token");
  assert.equal((await send("/console/me", { cookie })).status, 200);
  assert.equal((await send("/console/logout", { ...own, cookie }, {})).status, 200);
  assert.equal((await send("/console/me", { cookie })).status, 401);
});

test("no other site changes anything, even with the person's cookie", async () => {
  const cookie = await cookieFor("boss-token");
  const forged: Record<string, string | undefined>[] = [
    { origin: "http://evil.example", "x-troupe-console": "1" },
    { origin: address },
    { "x-troupe-console": "1" },
    { ...own, "sec-fetch-site": "cross-site" },
    { ...own, "sec-fetch-site": "same-site" },
    { ...own, origin: "null" },
  ];
  for (const headers of forged)
    for (const path of ["/console/Drain", "/console/RestartRole", "/console/login", "/console/logout"]) {
      const { status } = await send(path, { ...headers, cookie }, { name: "visitor", token: "boss-token" });
      assert.equal(status, 403, `${path} ${JSON.stringify(headers)}`);
    }
  const { ok } = await troupe.ask("GetStatus", {});
  assert.equal(ok?.draining, false);
});

test("no other site's page reads anything with the person's cookie", async () => {
  const cookie = await cookieFor("boss-token");
  for (const path of ["/console/me", "/console/events", "/console/session?key=x"])
    assert.equal((await send(path, { cookie, "sec-fetch-site": "cross-site" })).status, 403);
});

test("a page of the console cannot be framed, cached or made to run foreign scripts", async () => {
  for (const path of ["/console", "/console/console.js", "/console/me", "/console/login"]) {
    const { headers } = await send(path);
    const policy = String(headers["content-security-policy"]);
    assert.match(policy, /default-src 'none'.*script-src 'self';.*frame-ancestors 'none'/);
    assert.ok(!policy.includes("unsafe"));
    assert.equal(headers["x-content-type-options"], "nosniff");
    assert.equal(headers["referrer-policy"], "no-referrer");
    assert.equal(headers["cache-control"], "no-store");
  }
});

test("the page's files come without a token and hold no script of their own", async () => {
  const page = await send("/console");
  assert.equal(page.status, 200);
  assert.match(String(page.headers["content-type"]), /^text\/html/);
  assert.doesNotMatch(page.body, /<script(?![^>]* src=)|\s(style|on\w+)=/);
  for (const [file, type] of [
    ["console.js", "text/javascript"],
    ["console.css", "text/css"],
    ["icon.svg", "image/svg+xml"],
  ] as const) {
    const { status, headers, body } = await send(`/console/${file}`);
    assert.equal(status, 200);
    assert.ok(String(headers["content-type"]).startsWith(type));
    assert.ok(body.length > 50);
  }
});

test("/ leads browsers to the console, and programs get an error as before", async () => {
  const { status, headers } = await send("/", { accept: "text/html,*/*" });
  assert.deepEqual([status, headers.location], [302, "/console"]);
  assert.equal((await send("/", { accept: "application/json" })).status, 404);
});

test("who may read sees all, and changes nothing", async () => {
  const cookie = await cookieFor("reader-token");
  for (const [path, body] of [
    ["/console/RestartRole", { name: "visitor" }],
    ["/console/Drain", {}],
    ["/console/ClearFailures", { role: "visitor" }],
    ["/console/ReloadConfig", {}],
  ] as const) {
    const { status, json } = await send(path, { ...own, cookie }, body);
    assert.equal(status, 403, path);
    assert.match(json.detail ?? "", /control: write/);
  }
});

test("an action takes the text that it needs, and nothing else", async () => {
  const cookie = await cookieFor("boss-token");
  const headers = { ...own, cookie };
  for (const body of [{}, { name: 7 }, { name: null }, { name: { toString: "x" } }])
    assert.equal((await send("/console/RestartRole", headers, body)).status, 400);
  assert.equal((await send("/console/RestartRole", headers, { name: "nobody" })).status, 404);
  assert.equal((await send("/console/CloseSession", headers, { session: "nobody" })).status, 404);
  assert.equal((await send("/console/Start", headers, {})).status, 404);
  assert.equal((await send("/console/RestartRole", headers, { name: "admin" })).status, 200);
});

test("a client without control sees its own roles and sessions only", async () => {
  await troupe.open("http://site/", { session: "of-boss", headers: { authorization: "Bearer boss-token" } });
  const cookie = await cookieFor("agent-token");
  const [, state] = await events(cookie, 2);
  assert.deepEqual(
    state.roles.map(({ name }: { name: string }) => name),
    ["visitor"],
  );
  assert.deepEqual([state.sessions, state.calls], [{}, []]);
  const { status } = await send("/console/session?key=local/of-boss", { cookie });
  assert.equal(status, 404);
});

test("a thousand pages get the state, one more is told to come later, and a closed one makes room", async () => {
  const cookie = await cookieFor("reader-token");
  const begun = troupe.logged(/a page of the console is open/, WATCHERS_MAX);
  const pages = Array.from({ length: WATCHERS_MAX }, () => watch(cookie));
  const replies = await Promise.all(pages.map(({ reply }) => reply));
  await begun;
  assert.ok(replies.every(({ statusCode }) => statusCode === 200));
  const tooMany = await send("/console/events", { cookie });
  assert.deepEqual([tooMany.status, tooMany.headers["retry-after"]], [503, "5"]);
  // The other doors have room all the while.
  assert.equal((await send("/livez")).status, 200);
  const gone = troupe.next(/a page of the console is gone/);
  pages[0]?.sent.destroy();
  await gone;
  const last = watch(cookie);
  assert.equal((await last.reply).statusCode, 200);
  const allGone = troupe.next(
    /a page of the console is gone.*"pages":0\b|"pages":0\b.*a page of the console is gone/,
  );
  for (const { sent } of [...pages, last]) sent.destroy();
  await allGone;
});

/** Opens the stream of events. */
function watch(cookie: string): { sent: ClientRequest; reply: Promise<IncomingMessage> } {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const sent = request(new URL("/console/events", address), { headers: { cookie }, agent: false }, resolve);
  sent.on("error", reject);
  sent.end();
  return { sent, reply: promise };
}

/** Returns the data of the first events. */
async function events(cookie: string, count: number) {
  const { sent, reply } = watch(cookie);
  let text = "";
  for await (const chunk of await reply) {
    text += chunk;
    const found = [...text.matchAll(/^data: (.*)\n\n/gm)].map(([, data = ""]) => JSON.parse(data));
    if (found.length >= count) {
      sent.destroy();
      return found;
    }
  }
  throw new Error(`the stream ended after ${text}`);
}
