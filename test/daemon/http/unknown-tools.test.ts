// HTTP calls of unknown tools: their cost to a client's rate, and their roles.
import assert from "node:assert/strict";
import { test } from "node:test";
import { testDaemon } from "../../harness/daemon.ts";
import { type RestReply, restClient } from "../../harness/rest.ts";
import { sha256 } from "../../harness/tokens.ts";

const said = ({ status, json }: RestReply) => [status, json.error?.type];

test("calls of unknown tools count against the client's rate, and use only the client's roles", async () => {
  const token = "slow-token-4d";
  const digest = sha256(token);
  await using limited = await testDaemon({
    roles: { one: {}, two: {} },
    tokens: [{ name: "slow", sha256: digest, roles: ["one"], rate: "2/h", control: "read" }],
  });
  const { call } = restClient(limited.daemon.http[0] ?? "", limited.config.state.token);
  const made = (session: string, role?: string) =>
    call(
      "browser_clik",
      {},
      {
        headers: {
          authorization: `Bearer ${token}`,
          "x-troupe-session": session,
          "x-troupe-role": role,
        },
      },
    );
  assert.deepEqual(said(await made("foreign", "two")), [404, "UNKNOWN_TOOL"]);
  assert.deepEqual(said(await made("own", "one")), [404, "UNKNOWN_TOOL"]);
  const busy = await made("too-many");
  assert.deepEqual(said(busy), [429, "BUSY"]);
  assert.ok(busy.headers["retry-after"]);
  const { ok } = await limited.ask("ListSessions", {});
  assert.deepEqual(
    ok?.sessions.map(({ id }) => id),
    ["own"],
  );
  limited.daemon.drain();
  assert.deepEqual(said(await made("late")), [503, "DAEMON_DRAINING"]);
});
