// A link works once, for one session, for a short time, and only as it was made.
import assert from "node:assert/strict";
import { request } from "node:http";
import { test } from "node:test";
import { WebSocket } from "ws";
import { openLink, Person } from "../../harness/browser/person-at-work.ts";
import { shared } from "../../harness/shared.ts";
import { takeOverStage } from "./take-over-stage.ts";

const stage = shared(await takeOverStage());
await stage.open("<h1>Linked</h1>");

test("a link that was opened opens nothing more", async () => {
  const url = await stage.link();
  await using person = await Person.takeOver(url);
  await person.handBack();
  const { status, body, cookie } = await openLink(url);
  assert.deepEqual([status, body.state, cookie], [410, "invalid", ""]);
});

test("a link that was changed anywhere opens nothing", async () => {
  const url = await stage.link();
  const [page = "", token = ""] = url.split("#");
  const [id = "", signature = ""] = token.split(".");
  const other = (await stage.link()).split("#")[1] ?? "";
  const changed = [
    `${id}.${flipped(signature)}`,
    `${flipped(id)}.${signature}`,
    `${id}.${other.split(".")[1]}`,
    id,
    "",
    "x".repeat(10_000),
  ];
  for (const each of changed) assert.equal((await openLink(`${page}#${each}`)).status, 410, each);
  await using person = await Person.takeOver(url);
  await person.handBack();
});

test("the page's secret stands in no request, and its answers are kept nowhere", async () => {
  const url = new URL(await stage.link());
  assert.equal(url.pathname + url.search, "/takeover");
  const response = await fetch(url);
  const policy = response.headers.get("content-security-policy") ?? "";
  assert.match(policy, /default-src 'none'/);
  assert.match(policy, /frame-ancestors 'none'/);
  assert.doesNotMatch(policy, /unsafe/);
  assert.equal(response.headers.get("cache-control"), "no-store");
  assert.equal(response.headers.get("referrer-policy"), "no-referrer");
  assert.doesNotMatch(await response.text(), /<script>|<style|\son\w+=/);
  const opened = await fetch(new URL("/takeover/open", url), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token: url.hash.slice(1) }),
  });
  assert.match(
    opened.headers.get("set-cookie") ?? "",
    /^troupe_takeover_\w+=[\w-]{43}; Path=\/takeover; HttpOnly; SameSite=Strict$/,
  );
  await stage.ask("HandBack", { session: "stuck" });
});

test("the live connection takes the cookie of its own turn, and its own page's origin", async () => {
  await using person = await Person.takeOver(await stage.link());
  const { origin, id, cookie } = person;
  const live = `${origin.replace("http", "ws")}/takeover/live`;
  const own = { origin, cookie };
  const stolen: [string, Record<string, string>][] = [
    [`${live}?turn=${id}`, { origin }],
    [`${live}?turn=${id}`, { ...own, origin: "https://evil.example" }],
    [`${live}?turn=${id}`, { cookie }],
    [`${live}?turn=${id}`, { ...own, cookie: flipped(cookie) }],
    [`${live}?turn=${id}`, { ...own, host: "evil.example" }],
    [`${live}?turn=0000000000000000`, own],
    [live, own],
  ];
  for (const [url, headers] of stolen)
    assert.equal(await statusOf(url, headers), 403, JSON.stringify(headers));
  await person.handBack();
  assert.equal(await statusOf(`${live}?turn=${id}`, own), 403);
});

test("another site's page can open no link", async () => {
  const { status } = await openLink(await stage.link(), { origin: "https://evil.example" });
  assert.equal(status, 403);
});

test("a request that offers another protocol is answered as it is", async () => {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  const headers = { connection: "Upgrade, HTTP2-Settings", upgrade: "h2c", "http2-settings": "AAMAAABk" };
  request(new URL("/livez", stage.troupe.http), { headers }, ({ statusCode }) => resolve(statusCode))
    .on("error", reject)
    .end();
  assert.equal(await promise, 200);
});

test("a page that sends anything else is disconnected, and the session goes on", async () => {
  await using person = await Person.takeOver(await stage.link());
  for (const wrong of [{ pointer: { type: "jump" } }, { evaluate: "1" }, { begin: { key: "local/other" } }]) {
    person.send(wrong);
    person.reconnect();
  }
  await person.seesPicture();
  await person.handBack();
});

test("a client cannot make links to another client's session, or to none", async () => {
  const { error } = await stage.ask("TakeOver", { session: "nobody" });
  assert.equal(error?.type, "SESSION_EXPIRED");
  assert.equal(error.message, "Session nobody is not known: there is no such session.");
});

function flipped(text: string): string {
  const last = text.at(-2) === "A" ? "B" : "A";
  return text.slice(0, -2) + last + text.slice(-1);
}

async function statusOf(url: string, headers: Record<string, string>): Promise<number | undefined> {
  const { promise, resolve } = Promise.withResolvers<number | undefined>();
  const socket = new WebSocket(url, { headers });
  socket.on("unexpected-response", (_request, { statusCode }) => resolve(statusCode));
  socket.on("open", () => resolve(101));
  socket.on("error", () => resolve(undefined));
  const status = await promise;
  socket.terminate();
  return status;
}
