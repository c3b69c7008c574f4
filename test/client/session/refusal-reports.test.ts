// Calls that clients refuse themselves, in the metrics and journal of a real daemon with stand-in workers.
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseAddress } from "../../../client/connection/address.ts";
import { DaemonLink } from "../../../client/connection/daemon-link.ts";
import { connect, TroupeError } from "../../../client/sdk/index.ts";
import { Session } from "../../../client/session/session.ts";
import { stateFiles } from "../../../proto/machine/locations.ts";
import { testDaemon } from "../../harness/daemon.ts";
import { errorOf, McpProcess } from "../../harness/mcp/mcp-process.ts";
import { McpSession } from "../../harness/mcp/mcp-session.ts";
import { runCommand } from "../../harness/program.ts";
import { aborted, StandIn } from "../../harness/stand-in/daemon.ts";

const DEADLINE = { timeout: 40_000 };
const ROLES = { roles: { customer: {}, admin: {} } };

type Troupe = Awaited<ReturnType<typeof testDaemon>>;

/** Returns the journal's calls of a session, once there are so many. Each is journalled before it is logged. */
async function calls(troupe: Troupe, session: string, count: number): Promise<string[]> {
  await troupe.logged(new RegExp(`"session":"${session}".*"msg":"call"`), count);
  const { ok } = await troupe.ask("ListCalls", { session });
  return ok?.calls.map((call) => `${call.tool} ${call.outcome}`) ?? [];
}

async function metricsOf(troupe: Troupe): Promise<string> {
  return (await fetch(`${troupe.daemon.http[0]}/metrics`)).text();
}

const refused = (type: string, tool: string, role: string, count: number) =>
  `troupe_errors_total{type="${type}",category="VALIDATION",tool="${tool}",role="${role}"} ${count}\n`;
const episode = (type: string, role: string, outcome: string) =>
  `troupe_error_episodes_total{type="${type}",role="${role}",outcome="${outcome}"} 1\n`;

test("the shim's refusals are counted, recorded and recovered from like any failure", DEADLINE, async () => {
  await using troupe = await testDaemon(ROLES);
  const address = troupe.daemon.addresses[0] ?? "";
  await using shim = await McpProcess.start(["--address", address, "--session", "shim", "--role", "admin"]);
  const misspelt = await shim.call("browser_clik", { ref: "e5", element: "my-secret" });
  assert.equal(errorOf(misspelt).type, "UNKNOWN_TOOL");
  assert.deepEqual(await calls(troupe, "shim", 1), ["browser_click UNKNOWN_TOOL"]);
  assert.equal((await shim.call("browser_click", { ref: "e5" })).isError, undefined);
  const wrong = await shim.call("browser_click", { rref: "my-secret" });
  assert.equal(errorOf(wrong).type, "INVALID_ARGUMENT");
  await calls(troupe, "shim", 4);
  assert.equal((await shim.call("browser_click", { ref: "e5" })).isError, undefined);
  assert.deepEqual(await calls(troupe, "shim", 5), [
    "browser_click UNKNOWN_TOOL",
    "select_role OK",
    "browser_click OK",
    "browser_click INVALID_ARGUMENT",
    "browser_click OK",
  ]);
  const metrics = await metricsOf(troupe);
  assert.ok(metrics.includes(refused("UNKNOWN_TOOL", "browser_click", "admin", 1)), metrics);
  assert.ok(metrics.includes(refused("INVALID_ARGUMENT", "browser_click", "admin", 1)));
  assert.ok(metrics.includes(episode("UNKNOWN_TOOL", "admin", "recovered")));
  assert.ok(metrics.includes(episode("INVALID_ARGUMENT", "admin", "recovered")));
  assert.doesNotMatch(metrics + troupe.lines.join(""), /my-secret|browser_clik\b/);
});

test("the same refused call again is a repeated error; another call is not", DEADLINE, async () => {
  await using troupe = await testDaemon(ROLES);
  await using client = await connect({ address: troupe.daemon.addresses[0] });
  const { session } = client;
  const wrong = (args: object) =>
    assert.rejects(session.call("browser_click", { ...args }), { type: "INVALID_ARGUMENT" });
  await wrong({ reff: 1 });
  await wrong({ element: "x" });
  await calls(troupe, session.id, 2);
  const repeated = episode("INVALID_ARGUMENT", "customer", "repeated");
  assert.ok(!(await metricsOf(troupe)).includes(repeated));
  await wrong({ reff: 1 });
  await calls(troupe, session.id, 3);
  assert.ok((await metricsOf(troupe)).includes(repeated));
});

test("an unknown tool without a likely meaning is counted, and opens no episode", DEADLINE, async () => {
  await using troupe = await testDaemon(ROLES);
  await using client = await connect({ address: troupe.daemon.addresses[0] });
  const { session } = client;
  const failing = session.call("send_the_mail", {}).catch((error: unknown) => error);
  const error = await failing;
  assert.ok(error instanceof TroupeError && error.type === "UNKNOWN_TOOL");
  assert.deepEqual(await calls(troupe, session.id, 1), [" UNKNOWN_TOOL"]);
  await session.close();
  assert.ok((await metricsOf(troupe)).includes(refused("UNKNOWN_TOOL", "", "customer", 1)));
  assert.ok(!(await metricsOf(troupe)).includes("troupe_error_episodes_total{"));
});

test(
  "the command line reports before it ends, and the daemon's own refusals count once",
  DEADLINE,
  async () => {
    await using troupe = await testDaemon(ROLES);
    const at = ["--address", troupe.daemon.addresses[0] ?? "", "--session", "cli"];
    assert.equal((await runCommand(["call", "browser_clik", "ref=e5", ...at])).code, 64);
    await runCommand(["call", "browser_click", "ref=e5", "--role", "nobody", ...at]);
    assert.deepEqual(await calls(troupe, "cli", 2), [
      "browser_click UNKNOWN_TOOL",
      "browser_click UNKNOWN_ROLE",
    ]);
  },
);

test("reports are bounded, and no call waits for them", DEADLINE, async () => {
  await using daemon = await StandIn.start({ ReportRefusal: ({ signal }) => aborted(signal) });
  await using shim = await McpSession.start(daemon.address);
  await shim.call("browser_press_key", { key: "a" });
  for (let each = 0; each < 20; each++)
    assert.equal(errorOf(await shim.call("browser_clik", { ref: `e${each}` })).type, "UNKNOWN_TOOL");
  // It comes behind all calls sent before it.
  await shim.call("browser_press_key", { key: "b" });
  assert.equal(daemon.callsOf("ReportRefusal").length, 8);
});

test("a report starts no daemon, and changes no answer without one", DEADLINE, async () => {
  let started = 0;
  const files = stateFiles({ cwd: "/", env: {} });
  const link = new DaemonLink({
    addresses: () => [parseAddress("unix:/nowhere/daemon.sock", "/", files)],
    start: async () => void started++,
  });
  const session = new Session({ link, id: "alone", profile: "core" });
  await assert.rejects(session.call("browser_clik", { ref: "e5" }), { type: "UNKNOWN_TOOL" });
  await session.close(AbortSignal.timeout(5000));
  link.close();
  assert.equal(started, 0);
});
