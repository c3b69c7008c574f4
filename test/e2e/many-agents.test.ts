// Many agents over one connection: each names its session, and has tabs, a role, refs and a turn of its own.
import assert from "node:assert/strict";
import { test } from "node:test";
import { CANDIDATE } from "../../proto/errors/catalogue.ts";
import type { JsonObject } from "../../proto/wire/struct.ts";
import { CrewMember, workTogether } from "../chaos/scenario/crew.ts";
import { tokenSite } from "../chaos/scenario/token-site.ts";
import { shared } from "../harness/shared.ts";
import { type Agent, type Reply, refOf, startTroupe } from "../harness/troupe.ts";
import { serveSite } from "../site/serve.ts";

const ROLES = ["red", "green", "blue"];
const EACH = 4;
const site = shared(await serveSite());
const troupe = shared(
  await startTroupe({ roles: Object.fromEntries(ROLES.map((role) => [role, { sessions: EACH + 4 }])) }),
);
const pages = tokenSite(site);

test("twelve agents over one connection get replies of their own pages only", async () => {
  await using connection = await troupe.agent();
  const crew = ROLES.flatMap((role) =>
    Array.from({ length: EACH }, (_, index) => {
      const name = `${role}-${index}`.replace("-", "_");
      return new CrewMember({ connection, role, name, isNamed: true, site: pages });
    }),
  );
  await Promise.all(crew.map((member) => member.begin()));
  await workTogether(crew, 3);
  const calls = crew.reduce((sum, member) => sum + member.calls, 0);
  assert.deepEqual(
    { calls, errors: crew.flatMap(({ errors }) => errors), wrong: crew.flatMap(({ wrong }) => wrong) },
    { calls: ROLES.length * EACH * 16, errors: [], wrong: [] },
  );
});

test("an agent that waits keeps no other agent of its connection waiting", async () => {
  await using connection = await troupe.agent("--role", "red");
  const url = pages.work("tok_wait_", 1);
  for (const session of ["slow", "fast"]) await connection.text("browser_navigate", { url, session });
  const over = new AbortController();
  const waiting = { text: "kept cookie=never", time: 25, session: "slow" };
  let isOver = false;
  const slow = connection.client
    .callTool({ name: "browser_wait_for", arguments: waiting }, undefined, { signal: over.signal })
    // The test itself cancels the wait.
    .catch(() => undefined)
    .finally(() => {
      isOver = true;
    });
  const page = await connection.text("browser_snapshot", { full: true, session: "fast" });
  const ref = refOf(page, "textbox", "Value");
  await connection.text("browser_type", { ref, text: "now", session: "fast" });
  assert.equal(isOver, false);
  over.abort();
  await slow;
});

test("an agent's plan names its session, and leads to its end if it is followed to the letter", async () => {
  await using connection = await troupe.agent("--role", "red");
  const session = "buyer";
  const first = await connection.text("browser_navigate", { url: pages.work("tok_a_", 1), session });
  await connection.text("browser_navigate", { url: pages.work("tok_b_", 1), session: "other" });
  const ref = refOf(first, "button", "Keep");
  await connection.text("browser_navigate", { url: pages.work("tok_a_", 2), session });
  // The same ref is good in the other session, whose page is older.
  const failed = await connection.call("browser_click", { ref: "e9999", session });
  assert.equal(failed.error?.type, "UNKNOWN_REF");
  assert.ok(failed.error?.steps.every(({ tool, arguments: args }) => !tool || args?.session === session));
  assert.match(failed.text, /browser_snapshot\(session: "buyer"\)/);
  const wrong = await connection.call("browser_click", { ref, button: "lefft", session });
  assert.match((await followed(connection, wrong)).text, /kept cookie/);
  assert.match(
    await connection.text("browser_find", { text: "kept cookie", session: "other" }),
    /cookie=nothing/,
  );
});

test("each agent is told once that its role's worker died", async () => {
  await using connection = await troupe.agent("--role", "green");
  const names = ["one", "two"];
  for (const session of names)
    await connection.text("browser_navigate", { url: pages.work(`tok_${session}_`, 1), session });
  const [worker] = troupe
    .processes()
    .filter(({ command }) => /worker\/main.*green|--role green/.test(command));
  process.kill(worker?.pid ?? assert.fail("no worker"), "SIGKILL");
  for (const session of names) {
    const told = await connection.call("browser_snapshot", { session });
    assert.equal(told.error?.type, "WORKER_RESTARTED", told.text);
    assert.match((await followed(connection, told)).text, new RegExp(`Work tok_${session}_ round 1`));
  }
});

/** Carries out the plan of a failed call to the letter. Returns the last reply. */
async function followed(connection: Agent, { error, text }: Reply): Promise<Reply> {
  let last: Reply | undefined;
  for (const { tool, arguments: args = {} } of error?.steps ?? []) {
    if (!tool) continue;
    const ref = error?.candidates[0]?.ref ?? "";
    const entries = Object.entries(args).map(([name, value]) => [name, value === CANDIDATE ? ref : value]);
    last = await connection.call(tool, Object.fromEntries(entries) as JsonObject);
    assert.ok(!last.isError, last.text);
  }
  return last ?? assert.fail(text);
}
