// Questions about links and turns that were never made keep no person from a session.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { openLink, Person } from "../../harness/browser/person-at-work.ts";
import { skipWithoutPostgres as skip } from "../../harness/servers/postgres.ts";
import { daemonsOf } from "./daemons.ts";

const FLOOD = 120;
const UNMARKED = `${"x".repeat(22)}.${"y".repeat(43)}`;

test("a flood of unknown links and turns keeps no link or turn of another daemon out", {
  skip,
}, async (t) => {
  const { origin, hash, stopThird } = await daemonsWithLink(t);
  await stopThird();
  const link = `${origin}/takeover${hash}`;
  const unknown = () => openLink(`${origin}/takeover#${UNMARKED}`);
  const turn = () => openTurn(origin, "0123456789abcdef", "z".repeat(43));
  const floods = [unknown, turn].map((ask) => Array.from({ length: FLOOD }, ask));
  for (const flood of floods) assert.equal((await Promise.race(flood)).status, 503);
  const { status, body, cookie } = await openLink(link);
  assert.equal(status, 200, JSON.stringify(body));
  await using person = new Person(origin, body.id ?? "", cookie);
  await person.sees(({ isReady }) => isReady, "the session is the person's");
  const [, secret = ""] = cookie.split("=");
  assert.equal((await openTurn(origin, body.id ?? "", secret)).status, 200, "its page is loaded again");
  await Promise.all(floods.flat());
});

test("a link is asked for at the daemon that made it alone, and one with another's mark nowhere", {
  skip,
}, async (t) => {
  const { one, origin, hash, stopThird } = await daemonsWithLink(t);
  const at = (token: string) => `${origin}/takeover#${token}`;
  await one.tool("Close", {});
  await stopThird();
  const ended = await openLink(at(hash.slice(1)));
  assert.deepEqual([ended.status, ended.body], [410, { state: "invalid", why: "unknown" }]);
  const mark = hash.slice(1).split(".").slice(2).join(".");
  for (const wrong of [
    `${UNMARKED}.${mark}`,
    `${hash.slice(1)}x`,
    `${UNMARKED}.${"m".repeat(36)}.${"s".repeat(22)}`,
  ])
    assert.equal((await openLink(at(wrong))).status, 410, wrong);
});

/** Opens a session at one daemon, with a link of hash `hash`. `origin` is another daemon's, and a third can be stopped. */
async function daemonsWithLink(t: TestContext) {
  const { open, start } = await daemonsOf(t);
  const [one, other, third] = [await open(), await open(), await start()];
  await one.open("https://a.test/");
  const { ok } = await one.ask("TakeOver", { session: "s1" });
  const stopThird = async () => {
    // The other daemon reads which daemons there are.
    await other.ask("ListSessions", {});
    third.child.kill("SIGSTOP");
    t.after(() => third.child.kill("SIGCONT"));
  };
  const { origin } = new URL(other.daemon.http[0] ?? "");
  return { one, origin, hash: new URL(ok?.url ?? "").hash, stopThird };
}

/** Loads the page of a turn again. */
async function openTurn(origin: string, id: string, secret: string): Promise<{ status: number }> {
  return await fetch(`${origin}/takeover/open`, {
    method: "POST",
    headers: { "content-type": "application/json", origin, cookie: `troupe_takeover_${id}=${secret}` },
    body: JSON.stringify({ turn: id }),
  });
}
