// A token that is restricted to roles gets data of these roles alone, by every read of the control plane and the console.
import assert from "node:assert/strict";
import { once } from "node:events";
import { after, test } from "node:test";
import type { WatchEventsResponse } from "../../../proto/gen/troupe.ts";
import { testClient, testDaemon } from "../../harness/daemon.ts";
import { EVENT_MS_MAX } from "../../harness/events/after-events.ts";
import { restClient } from "../../harness/rest.ts";
import { shared } from "../../harness/shared.ts";
import { sha256 } from "../../harness/tokens.ts";

const token = (name: string, more: object) => ({ name, sha256: sha256(`${name}-token`), ...more });
const troupe = shared(
  await testDaemon({
    listen: ["unix:default", "127.0.0.1:0"],
    tokens: [
      token("ci", { control: "none" }),
      token("other", { control: "none" }),
      token("narrow", { control: "read", roles: ["open"] }),
      token("keeper", { control: "write", roles: ["open"] }),
    ],
    roles: { open: { record: true }, closed: { record: true } },
  }),
);
const client = testClient(troupe.daemon.addresses[1] ?? "");
after(() => client.close());
const [http = ""] = troupe.daemon.http;
const rest = restClient(http, troupe.config.state.token);
const by = (name: string) => ({ headers: { authorization: `Bearer ${name}-token` } });
const login = await rest.send("/console/login", {
  method: "POST",
  headers: { origin: http, "x-troupe-console": "1", "content-type": "application/json" },
  body: JSON.stringify({ token: "narrow-token" }),
});
const cookie = String(login.headers["set-cookie"]).split(";")[0] ?? "";
const get = (path: string) => rest.send(path, { headers: { authorization: undefined, cookie } });
const page = (title: string) => `http://shop.example/?title=${title}`;
const FAILS = "http://do/fail?type=NO_HISTORY";

// Whatever belongs to the role `closed` has the word hush in it.
for (const [session, role, url] of [
  ["shown", "open", page("Shown")],
  ["both", "open", page("Shown-too")],
  ["both", "closed", page("hush-page")],
  ["hush", "closed", page("hush")],
  ["hush", "closed", FAILS],
  ["hush", "closed", page("hush")],
  ["hush-open", "closed", FAILS],
] as const)
  await client.open(url, { session, role, ...by("ci") });
await client.open(page("hush"), { session: "hush", role: "closed", ...by("other") });

test("sessions are those of its roles, each without what it has in other roles", async () => {
  const { ok } = await client.ask("ListSessions", {}, by("narrow"));
  assert.deepEqual(
    ok?.sessions.map(({ id, currentRole, roles }) => [id, currentRole, roles.map(({ role }) => role)]),
    [
      ["shown", "open", ["open"]],
      ["both", "open", ["open"]],
    ],
  );
  assert.doesNotMatch(JSON.stringify(ok), /hush/);
  await client.tool("SelectRole", { role: "closed" }, { session: "shown", ...by("ci") });
  const listed = await client.ask("ListSessions", {}, by("narrow"));
  assert.deepEqual(
    listed.ok?.sessions.map(({ id, currentRole }) => [id, currentRole]),
    [
      ["shown", ""],
      ["both", "open"],
    ],
  );
  await client.tool("SelectRole", { role: "open" }, { session: "shown", ...by("ci") });
});

test("calls, rates and counts are those of its roles", async () => {
  const { ok } = await client.ask("ListCalls", {}, by("narrow"));
  assert.deepEqual(
    new Set(ok?.calls.map(({ role, session }) => `${session} ${role}`)),
    new Set(["shown open", "both open"]),
  );
  const both = await client.ask("ListCalls", { session: "both" }, by("narrow"));
  assert.deepEqual(
    both.ok?.calls.map(({ role }) => role),
    ["open"],
  );
  const { ok: status } = await client.ask("GetStatus", {}, by("narrow"));
  assert.deepEqual(
    [status?.sessions, status?.callsUnderWay, status?.recovery, status?.roles.map(({ name }) => name)],
    [2, 0, [], ["open"]],
  );
  const { ok: all } = await troupe.ask("GetStatus", {});
  assert.equal(all?.sessions, 5);
  assert.equal(all?.recovery[0]?.type, "NO_HISTORY");
});

test("a session of other roles is not there, nor is its name or its end", async () => {
  for (const session of ["ci/hush", "other/hush", "hush"])
    for (const [rpc, name] of [
      ["ExportSession", "narrow"],
      ["CloseSession", "keeper"],
      ["TakeOver", "keeper"],
      ["HandBack", "keeper"],
    ] as const) {
      const { error } = await client.ask(rpc, { session }, by(name));
      assert.deepEqual(
        [error?.type, error?.details.reason],
        ["SESSION_EXPIRED", "there is no such session"],
        `${rpc} ${session}`,
      );
    }
  const named = await client.ask("ReadEvidence", { session: "hush" }, by("narrow"));
  assert.deepEqual(named.ok?.calls, []);
  await client.open(page("hush"), { session: "hush-ended", role: "closed", ...by("other") });
  await client.ask("CloseSession", { session: "hush-ended" }, by("other"));
  const ended = await client.ask("CloseSession", { session: "other/hush-ended" }, by("keeper"));
  assert.equal(ended.error?.details.reason, "there is no such session");
});

test("a session that is at work in other roles, too, is not closed", async () => {
  const { error } = await client.ask("CloseSession", { session: "ci/both" }, by("keeper"));
  assert.equal(error?.type, "PERMISSION_DENIED");
  assert.doesNotMatch(JSON.stringify(error), /closed/);
  const { ok } = await client.ask("Drain", { ifUnused: true }, by("keeper"));
  assert.equal(ok?.heldBy.length, 5);
  assert.doesNotMatch(JSON.stringify(ok), /hush/);
});

test("events are those of its roles", async () => {
  // A new session counts to the role that it begins in, so this one has begun before.
  await client.open(page("hush"), { session: "hush-2", role: "closed", ...by("ci") });
  const events: WatchEventsResponse[] = [];
  const stream = client.stream<WatchEventsResponse>("Control.WatchEvents", {}, by("narrow"));
  stream.on("data", (event: WatchEventsResponse) => events.push(event));
  stream.on("error", () => undefined);
  await once(stream, "data");
  await troupe.ask("RestartRole", { name: "closed" });
  await client.open(FAILS, { session: "hush-2", role: "closed", ...by("ci") });
  await client.open(page("hush"), { session: "hush-2", role: "closed", ...by("ci") });
  await client.ask("CloseSession", { session: "hush-2" }, by("ci"));
  await client.open(page("Next"), { session: "shown-2", role: "open", ...by("ci") });
  const signal = AbortSignal.timeout(EVENT_MS_MAX);
  while (!events.some(({ session }) => session?.session === "shown-2"))
    await once(stream, "data", { signal });
  stream.cancel();
  assert.deepEqual(
    events.flatMap(({ heartbeat: _heartbeat, at: _at, ...event }) => Object.values(event).filter(Boolean)),
    [{ session: "shown-2", change: "opened" }],
  );
});

test("a session's page in the console shows the tabs and calls of its roles", async () => {
  const { status, json, body } = await get("/console/session?key=ci/both");
  const { session, tabs, calls } = json as unknown as Record<string, { role: string }[]>;
  assert.equal(status, 200);
  assert.deepEqual([tabs?.map(({ role }) => role), calls?.map(({ role }) => role)], [["open"], ["open"]]);
  assert.deepEqual((session as unknown as { roles: { role: string }[] }).roles.length, 1);
  assert.doesNotMatch(body, /hush/);
  for (const key of ["hush", "ci/hush", "other/hush"]) {
    const answer = await get(`/console/session?key=${key}`);
    assert.equal(answer.status, 404, key);
    assert.doesNotMatch(answer.body.replaceAll(key, ""), /hush/, key);
  }
  assert.equal((await get("/console/tree?key=ci/both&role=closed")).status, 403);
  assert.equal((await get("/console/evidence?key=hush")).status, 200);
});

test("the console's live state and its changes have nothing of other roles", async () => {
  const signal = AbortSignal.timeout(20_000);
  const answer = await fetch(new URL("/console/events", http), { headers: { cookie }, signal });
  let text = "";
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  const readTo = async (words: RegExp) => {
    while (!words.test(text)) text += Buffer.from((await reader.read()).value ?? []).toString();
  };
  await readTo(/^event: state\ndata: .*\n/m);
  const state = JSON.parse(/^event: state\ndata: (.*)\n/m.exec(text)?.[1] ?? "");
  assert.deepEqual([state.failures, state.episodes, state.recoverySpans], [[], [], []]);
  assert.equal(state.load.callsUnderWay, 0);
  await client.tool("AskPerson", { why: "hush hush" }, { session: "hush-3", role: "closed", ...by("ci") });
  await client.open(FAILS, { session: "hush-3", role: "closed", ...by("ci") });
  await client.open(page("Marker"), { session: "marker", role: "open", ...by("ci") });
  await readTo(/"calls":\[[^\]]*marker/);
  await reader.cancel();
  assert.ok(text.includes("Shown-too") || text.includes("both"), "it shows its own roles");
  assert.doesNotMatch(text, /hush/i);
  assert.doesNotMatch(text, /"role":"closed"/);
});
