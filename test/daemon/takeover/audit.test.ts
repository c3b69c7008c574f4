// The log says of each link who made it for which session, and what became of it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openLink, Person } from "../../harness/browser/person-at-work.ts";
import { testDaemon } from "../../harness/daemon.ts";
import { sha256 } from "../../harness/tokens.ts";

const DEADLINE = { timeout: 30_000 };
const MADE = "a link to take a session over is made";
const OPENED = "a person takes a session over";
const REFUSED = "a link to take a session over is refused";

test(
  "each line of a link has its session, the session's client, the role and its maker",
  DEADLINE,
  async () => {
    const token = (name: string, more: object = {}) => ({ name, sha256: sha256(`${name}-secret`), ...more });
    const as = (name: string) => ({ headers: { authorization: `Bearer ${name}-secret` } });
    await using troupe = await testDaemon({
      listen: ["127.0.0.1:0"],
      tokens: [token("ci"), token("boss", { control: "write" }), token("eve")],
    });
    await troupe.open("http://a.test/", as("ci"));
    const link = async () => (await troupe.ask("TakeOver", { session: "ci/s1" }, as("boss"))).ok?.url ?? "";
    const [first, second] = [await link(), await link()];
    await using person = await Person.takeOver(first);
    assert.equal((await openLink(second)).status, 409);
    await person.handBack();
    for (let times = 0; times < 15; times++) assert.equal((await openLink(first)).status, 410);
    await troupe.ask("TakeOver", { session: "ci/s1" }, as("eve"));
    const lines = troupe.lines.map((line) => JSON.parse(line));
    const about = lines.filter(({ msg }) => [MADE, OPENED, REFUSED].includes(msg));
    assert.deepEqual(
      about.slice(0, 5).map(({ msg, why }) => [msg, why]),
      [
        [MADE, undefined],
        [MADE, undefined],
        [OPENED, undefined],
        [REFUSED, "taken"],
        [REFUSED, "used"],
      ],
    );
    assert.equal(about.length, 14, "refusals of one link do not fill the log");
    for (const { session, client, role, by } of about)
      assert.deepEqual([session, client, role, by], ["s1", "ci", "default", "boss"]);
    const control = lines.filter(({ msg, rpc }) => msg === "control" && rpc === "TakeOver");
    assert.deepEqual(
      control.map(({ client, session, outcome }) => [client, session, outcome]),
      [
        ["boss", "ci/s1", "OK"],
        ["boss", "ci/s1", "OK"],
        ["eve", "ci/s1", "SESSION_EXPIRED"],
      ],
    );
  },
);
