// Tests decisions at the daemon: who sees what waits, who may decide, and how a wait ends.
import assert from "node:assert/strict";
import { test } from "node:test";
import { testDaemon } from "../../harness/daemon.ts";
import { sha256 } from "../../harness/tokens.ts";

const DEADLINE = { timeout: 60_000 };
const as = (name: string) => ({ headers: { authorization: `Bearer ${name}-token` } });

/** A daemon with agents and persons, in which nothing waits yet. */
async function daemon() {
  const tokens = (["agent/none", "reader/read", "ann/write", "bob/write"] as const).map((each) => {
    const [name, control] = each.split("/") as [string, "none" | "read" | "write"];
    return { name, sha256: sha256(`${name}-token`), control };
  });
  const troupe = await testDaemon({
    listen: ["127.0.0.1:0"],
    tokens: [
      ...tokens,
      { name: "elsewhere", sha256: sha256("elsewhere-token"), control: "write", roles: ["other"] },
    ],
    roles: { buyer: {}, other: {} },
  });
  const asks = (id: string, { what = "POST https://shop.example/pay", times = 1, who = "agent" } = {}) =>
    troupe.open(`http://do/ask-approval?${new URLSearchParams({ id, what, times: String(times) })}`, {
      session: "s1",
      role: "buyer",
      ...as(who),
    });
  const list = async (who: string) => (await troupe.ask("ListApprovals", {}, as(who))).ok?.approvals ?? [];
  const decide = (who: string, id: string, deny = false) =>
    troupe.ask("DecideApproval", { id, deny }, as(who));
  return { troupe, asks, list, decide, [Symbol.asyncDispose]: () => troupe[Symbol.asyncDispose]() };
}

test("an action that waits is seen by its client and by readers, without secrets", DEADLINE, async () => {
  await using stage = await daemon();
  await stage.asks("a1", { what: "POST https://user:secret@shop.example/pay?card=4111#end" });
  await stage.asks("a2", { who: "reader" });
  assert.deepEqual(
    (await stage.list("agent")).map(({ id }) => id),
    ["a1"],
  );
  const [first] = await stage.list("reader");
  assert.ok(first);
  const { role, client, session, what, page } = first;
  assert.deepEqual(
    { role, client, session, what, page },
    {
      role: "buyer",
      client: "agent",
      session: "s1",
      what: "POST https://shop.example/pay",
      page: "https://shop.example/pay",
    },
  );
  assert.deepEqual(await stage.list("elsewhere"), []);
});

test("a decision takes the right to write, and a role of the client", DEADLINE, async () => {
  await using stage = await daemon();
  await stage.asks("a1");
  for (const who of ["agent", "reader"])
    assert.equal((await stage.decide(who, "a1")).error?.type, "PERMISSION_DENIED");
  assert.equal((await stage.decide("elsewhere", "a1")).error?.type, "INVALID_ARGUMENT");
  assert.equal((await stage.list("ann")).length, 1);
  const { ok } = await stage.decide("ann", "a1", true);
  assert.equal(ok?.outcome, "APPROVAL_OUTCOME_DENIED");
  assert.deepEqual(await stage.list("ann"), []);
});

test("of two people at once one decides, and the other is told who", DEADLINE, async () => {
  await using stage = await daemon();
  await stage.asks("a1");
  const both = await Promise.all([stage.decide("ann", "a1"), stage.decide("bob", "a1", true)]);
  assert.equal(both.filter(({ ok }) => ok).length, 1);
  const refused = both.find(({ error }) => error)?.error;
  assert.match(String(refused?.details.problem), /waits no more: (?:ann has approved|bob has denied) it/);
  assert.match(
    String((await stage.decide("bob", "nothing")).error?.details.problem),
    /no action of that id waits/,
  );
});

test("what waits is over when its worker dies, and its words are bounded", DEADLINE, async () => {
  await using stage = await daemon();
  await stage.asks("a1", { what: "<b>\u202eW", times: 250_000 });
  const [waiting] = await stage.list("ann");
  assert.ok(waiting);
  assert.ok(waiting.what.length < 5_000, `${waiting.what.length}`);
  assert.doesNotMatch(waiting.what, /\u202e/);
  await stage.troupe.open("http://do/die", { session: "s1", role: "buyer", ...as("agent") });
  await stage.troupe.open("http://a.test/", { session: "s1", role: "buyer", ...as("agent") });
  assert.deepEqual(await stage.list("ann"), []);
  assert.match(
    String((await stage.decide("ann", "a1")).error?.details.problem),
    /its page has given it up, or is gone/,
  );
});
