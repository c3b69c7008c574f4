// A person leaves at once when the role's worker is replaced or the role is removed, so that nothing waits for them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Person } from "../../harness/browser/person-at-work.ts";
import { testDaemon } from "../../harness/daemon.ts";

const DEADLINE = { timeout: 30_000 };
/** A wait for the person would last longer than any call of these tests. */
const LIMITS = { drain: "60s" };
const CONFIG = { limits: LIMITS, roles: { visitor: {}, customer: {} } };

async function stage() {
  const troupe = await testDaemon(CONFIG);
  await troupe.open("http://a.test/", { role: "visitor" });
  const { ok, error } = await troupe.ask("TakeOver", { session: "s1", role: "visitor" });
  assert.ok(ok, JSON.stringify(error));
  return { troupe, person: await Person.takeOver(ok.url) };
}

test("a restart of the role does not wait for the person, who is told", DEADLINE, async () => {
  const { troupe, person } = await stage();
  await using _troupe = troupe;
  await using _person = person;
  const { ok, error } = await troupe.ask("RestartRole", { name: "visitor" });
  assert.equal(ok?.role?.state, "ROLE_STATE_READY", JSON.stringify(error));
  assert.equal(await person.ends(), "restart");
});

test("a reload that restarts the role does not wait for the person", DEADLINE, async () => {
  const { troupe, person } = await stage();
  await using _troupe = troupe;
  await using _person = person;
  troupe.reload({ ...CONFIG, roles: { visitor: { startUrl: "http://new.test/" }, customer: {} } });
  assert.equal(await person.ends(), "restart");
  assert.match((await troupe.open("http://do/state", { role: "visitor" })).ok ?? "", /new\.test/);
});

test(
  "a reload that removes the role does not wait for the person, who is told, and nothing is left to hand back",
  DEADLINE,
  async () => {
    const { troupe, person } = await stage();
    await using _troupe = troupe;
    await using _person = person;
    const ended = troupe.logged(/"role":"visitor".*"STOPPED"/);
    troupe.reload({ ...CONFIG, roles: { customer: {} } });
    assert.equal(await person.ends(), "role");
    await ended;
    for (const role of ["visitor", ""]) {
      const { ok, error } = await troupe.ask("HandBack", { session: "s1", role });
      assert.equal(ok?.wasAtWork, false, JSON.stringify(error));
    }
    assert.equal(
      (await troupe.ask("HandBack", { session: "s1", role: "visitr" })).error?.type,
      "UNKNOWN_ROLE",
    );
  },
);

test("a link to a role that was removed opens nothing, even if the role is put back", DEADLINE, async () => {
  const { troupe, person } = await stage();
  await using _troupe = troupe;
  await using _person = person;
  const { ok } = await troupe.ask("TakeOver", { session: "s1", role: "visitor" });
  troupe.reload({ ...CONFIG, roles: { customer: {} } });
  troupe.reload(CONFIG);
  await assert.rejects(Person.takeOver(ok?.url ?? ""), /410|invalid/);
});
