// A link, and the turn that began with it, need the right of the link's maker as it is now.
import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "../../../daemon/core/clock.ts";
import { openLink, Person } from "../../harness/browser/person-at-work.ts";
import { testDaemon } from "../../harness/daemon.ts";
import { AUDIENCE, inSeconds, oidcIssuer } from "../../harness/oidc-issuer.ts";
import { sha256 } from "../../harness/tokens.ts";

const token = (name: string, more: object = {}) => ({ name, sha256: sha256(`${name}-secret`), ...more });
const as = (name: string) => ({ headers: { authorization: `Bearer ${name}-secret` } });
const BASE = { listen: ["127.0.0.1:0"], roles: { visitor: {}, customer: {} } };
const CI = token("ci");
const BOSS = token("boss", { control: "write" });
const DEADLINE = { timeout: 30_000 };

type Troupe = Awaited<ReturnType<typeof testDaemon>>;

async function stage(tokens: object[] = [CI, BOSS]) {
  const troupe = await testDaemon({ ...BASE, tokens });
  for (const role of ["visitor", "customer"])
    assert.equal((await troupe.open("http://a.test/", { ...as("ci"), role })).error, undefined);
  return troupe;
}

async function linkOf(troupe: Troupe, given: object, role = "visitor", session = "s1"): Promise<string> {
  const { ok, error } = await troupe.ask("TakeOver", { session, role }, given);
  assert.ok(ok, JSON.stringify(error));
  return ok.url;
}

async function isOpen(troupe: Troupe): Promise<boolean> {
  return (await troupe.open("http://a.test/", as("ci"))).ok !== undefined;
}

test(
  "a token that is removed ends its turn and its unopened links, and the agent goes on",
  DEADLINE,
  async () => {
    await using troupe = await stage();
    await using person = await Person.takeOver(await linkOf(troupe, as("boss")));
    const unopened = await linkOf(troupe, as("boss"), "customer");
    troupe.reload({ ...BASE, tokens: [CI, token("another", { control: "write" })] });
    assert.equal(await person.ends(), "rights");
    assert.deepEqual((await openLink(unopened)).status, 410);
    assert.ok(await isOpen(troupe));
    const lines = troupe.lines.filter((line) => /does not hold any more/.test(line));
    assert.equal(lines.length, 2);
    for (const line of lines) {
      const { session, client, by, reason } = JSON.parse(line);
      assert.deepEqual([session, client, by], ["s1", "ci", "boss"]);
      assert.match(reason, /none that is configured/);
    }
  },
);

test("a token that is replaced by another of its name loses its turn", DEADLINE, async () => {
  await using troupe = await stage();
  await using person = await Person.takeOver(await linkOf(troupe, as("boss")));
  troupe.reload({ ...BASE, tokens: [CI, { ...BOSS, sha256: sha256("a-fresh-secret") }] });
  assert.equal(await person.ends(), "rights");
});

for (const [what, rights] of [
  ["the right control: write", { control: "read" }],
  ["the role", { control: "write", roles: ["customer"] }],
] as const)
  test(`a token that has lost ${what} ends its turn and its unopened links`, DEADLINE, async () => {
    await using troupe = await stage();
    await using person = await Person.takeOver(await linkOf(troupe, as("boss")));
    const unopened = await linkOf(troupe, as("boss"));
    troupe.reload({ ...BASE, tokens: [CI, token("boss", rights)] });
    assert.equal(await person.ends(), "rights");
    assert.equal((await openLink(unopened)).status, 410);
  });

test("turns and links go on while their makers keep their rights", DEADLINE, async () => {
  await using troupe = await stage();
  await using own = await Person.takeOver(await linkOf(troupe, as("ci")));
  const unopened = await linkOf(troupe, as("boss"), "customer");
  troupe.reload({ ...BASE, tokens: [token("boss", { control: "write", roles: ["customer"] }), CI] });
  await using others = await Person.takeOver(unopened);
  await own.handBack();
  await others.handBack();
});

test("the link of an agent that asks for a person ends with the agent's token", DEADLINE, async () => {
  await using troupe = await stage();
  const { ok } = await troupe.tool("AskPerson", { why: "a code" }, { ...as("ci"), role: "visitor" });
  troupe.reload({ ...BASE, tokens: [BOSS] });
  assert.equal((await openLink(ok?.url ?? "")).status, 410);
});

test("a JWT that expires ends neither link nor turn; a grant that is taken away does", DEADLINE, async () => {
  let laterMs = 0;
  const clock = { ...systemClock, now: () => systemClock.now() + laterMs };
  await using issuer = await oidcIssuer({});
  const oidc = { issuer: issuer.issuer, audience: AUDIENCE, roles: "groups" };
  const grants = [{ value: "ops", control: "write" }];
  await using troupe = await testDaemon({ ...BASE, tokens: [CI], oidc: { ...oidc, grants } }, { clock });
  assert.ok(await isOpen(troupe));
  const jwt = await issuer.signed({ groups: ["ops"], exp: inSeconds(30) });
  const given = { headers: { authorization: `Bearer ${jwt}` } };
  const unopened = await linkOf(troupe, given);
  await using person = await Person.takeOver(await linkOf(troupe, given));
  laterMs = 120_000;
  assert.equal((await troupe.ask("ListSessions", {}, given)).error?.type, "UNAUTHENTICATED");
  troupe.reload({ ...BASE, tokens: [CI], oidc: { ...oidc, grants }, log: { level: "info" } });
  await person.handBack();
  await using next = await Person.takeOver(unopened);
  troupe.reload({ ...BASE, tokens: [CI], oidc: { ...oidc, grants: [{ value: "ops", control: "read" }] } });
  assert.equal(await next.ends(), "rights");
});
