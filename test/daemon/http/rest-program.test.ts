// The program that uses a session over REST, as operators see it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { testDaemon } from "../../harness/daemon.ts";
import { restClient } from "../../harness/rest.ts";

test("a session shows the program that called last, if the program says what it is", async () => {
  await using troupe = await testDaemon({ roles: { one: {} } });
  const rest = restClient(troupe.daemon.http[0] ?? "", troupe.config.state.token);
  const programAfter = async (headers: Record<string, string>) => {
    await rest.call("list_roles", {}, { headers: { "x-troupe-session": "shown", ...headers } });
    const sessions = (await troupe.ask("ListSessions", {})).ok?.sessions ?? [];
    const { program, door } = sessions.find(({ id }) => id === "shown") ?? {};
    return [program, door];
  };
  assert.deepEqual(await programAfter({}), ["", "http"]);
  assert.deepEqual(await programAfter({ "user-agent": "curl/8.5" }), ["curl/8.5", "http"]);
  const named = { "user-agent": "curl/8.5", "x-troupe-program": "nightly/1" };
  assert.deepEqual(await programAfter(named), ["nightly/1", "http"]);
  assert.deepEqual(await programAfter({ "user-agent": "\u009bodd" }), ["", "http"]);
});
