// The right to read evidence: a client has it for its own sessions in its roles, an operator for all.
import assert from "node:assert/strict";
import { test } from "node:test";
import { RECORD } from "../../../proto/wire/metadata.ts";
import { testClient, testDaemon } from "../../harness/daemon.ts";
import { sha256 } from "../../harness/tokens.ts";

const STALE = JSON.stringify({ ref: "e5", role: "button", name: "Submit", tag: "button", candidates: [] });
const TIME = { timeout: 60_000 };
const token = (name: string, more: object = {}) => ({ name, sha256: sha256(`${name}-token`), ...more });
const bearer = (name: string) => ({ authorization: `Bearer ${name}-token` });

test(
  "evidence is its client's, or its operator's, and only of the roles that they may use",
  TIME,
  async () => {
    await using troupe = await testDaemon({
      listen: ["unix:default", "127.0.0.1:0"],
      tokens: [
        token("ci", { control: "none" }),
        token("other", { control: "none" }),
        token("reader", { control: "read" }),
        token("narrow", { control: "read", roles: ["admin"] }),
      ],
      roles: { visitor: { record: true }, admin: {} },
    });
    const client = testClient(troupe.daemon.addresses[1] ?? "");
    const given = (name: string, session = "s1") => ({ session, headers: bearer(name) });
    await client.open("http://a.test/", given("ci"));
    await client.open("http://a.test/", { ...given("ci"), role: "admin" });
    await client.open("http://a.test/", {
      ...given("ci"),
      role: "admin",
      headers: { ...bearer("ci"), [RECORD]: "1" },
    });
    await client.open(`http://do/fail?type=STALE_REF&data=${encodeURIComponent(STALE)}`, given("other"));
    const read = async (name: string, session: string, more: object = {}) => {
      const { ok, error } = await client.ask("ReadEvidence", { session, ...more }, { headers: bearer(name) });
      return error?.type ?? ok?.calls.map(({ call }) => `${call?.role} ${call?.outcome}`);
    };
    const own = ["visitor OK", "admin OK"];
    assert.deepEqual(await read("ci", "s1"), own);
    assert.deepEqual(await read("ci", "ci/s1"), own);
    assert.deepEqual(await read("other", "ci/s1"), []);
    assert.deepEqual(await read("other", "s1"), ["visitor STALE_REF"]);
    assert.deepEqual(await read("reader", "ci/s1"), own);
    assert.equal(await read("reader", "s1"), "INVALID_ARGUMENT");
    assert.deepEqual(await read("reader", "unknown"), []);
    assert.deepEqual(await read("narrow", "ci/s1"), ["admin OK"]);
    assert.equal(await read("narrow", "ci/s1", { role: "visitor" }), "PERMISSION_DENIED");
    client.close();
    assert.equal((await troupe.ask("ReadEvidence", { session: "ci/s1" })).ok?.calls.length, 2);
    // Evidence does not go with its session.
    await troupe.ask("CloseSession", { session: "ci/s1" });
    assert.equal((await troupe.ask("ReadEvidence", { session: "ci/s1" })).ok?.calls.length, 2);
  },
);
