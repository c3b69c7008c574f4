// The daemons run, and `peers` keeps them from reaching each other: operators see the reason, and clients no address.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { skipWithoutPostgres as skip } from "../../harness/servers/postgres.ts";
import { tempDir } from "../../harness/temp-dir.ts";
import { authority, validNow } from "../../site/certificates.ts";
import { type Daemons, daemonsOf } from "./daemons.ts";

const UNREACHED = "this daemon cannot reach it: compare `peers` of both";
const DAY_MS = 86_400_000;
const EXPIRED = { notBefore: new Date(Date.now() - 2 * DAY_MS), notAfter: new Date(Date.now() - DAY_MS) };

type Issue = (tls: Daemons["tls"]) => { cert: string | Buffer; key?: string | Buffer };
const others = authority("Others");

const WRONG: [what: string, issue: Issue, reason: RegExp][] = [
  [
    "is of another authority",
    () => others.issue({ host: "troupe-peer", ...validNow() }),
    /verify the first certificate/,
  ],
  ["is for another name", (tls) => tls("other.test"), /altnames/],
  ["has expired", (tls) => tls("troupe-peer", EXPIRED), /certificate has expired/],
];

for (const [what, issue, reason] of WRONG)
  test(`an owner whose certificate ${what} is reported, and the client learns that \`peers\` is wrong`, {
    skip,
  }, async (t) => {
    const daemons = await daemonsOf(t);
    const owner = await daemons.open({ peers: withCertificate(daemons, issue, t) });
    await owner.open("https://a.test/");
    const other = await daemons.open();
    const { error } = await other.open("https://b.test/", { deadlineMs: 5_000 });
    assert.equal(error?.type, "STORE_UNAVAILABLE");
    assert.equal(error?.details.effect, "none");
    assert.match(JSON.stringify(error?.steps), /`peers`/);
    assert.doesNotMatch(JSON.stringify(error), /127\.0\.0\.1|database/);
    await other.logged(UNREACHED);
    await other.open("https://b.test/", { deadlineMs: 5_000 });
    const lines = other.lines.filter((each) => each.includes(UNREACHED));
    assert.equal(lines.length, 1);
    assert.match(String(lines), reason);
    const { ok } = await other.ask("GetStatus", {});
    assert.match(String(ok?.warnings), reason);
  });

function withCertificate({ peers, tls }: Daemons, issue: Issue, t: TestContext) {
  const temp = tempDir();
  t.after(() => temp[Symbol.dispose]());
  const file = (name: string, content: string | Buffer = "") => {
    const written = path.join(temp.dir, name);
    writeFileSync(written, content, { mode: 0o600 });
    return written;
  };
  const { cert, key } = issue(tls);
  return { ...peers, tls: { ...peers.tls, cert: file("peer.crt", cert), key: file("peer.key", key) } };
}

test("a daemon without `peers` warns once another one uses its database", { skip }, async (t) => {
  const { open } = await daemonsOf(t);
  const alone = await open({ peers: undefined });
  assert.deepEqual((await alone.ask("GetStatus", {})).ok?.warnings, []);
  const other = await open();
  await alone.logged(/another daemon uses the database/);
  assert.match(String((await alone.ask("GetStatus", {})).ok?.warnings), /`peers`/);
  assert.deepEqual((await other.ask("GetStatus", {})).ok?.warnings, []);
});
