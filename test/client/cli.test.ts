import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { main } from "../../client/cli/program.ts";
import { fail } from "../../proto/errors/catalogue.ts";
import { CLI } from "../harness/mcp/mcp-process.ts";
import { type Answer, aborted, StandIn, snapshotParts } from "../harness/stand-in/daemon.ts";

const DEADLINE = { timeout: 60_000 };
const ROLE = {
  name: "customer",
  state: "ROLE_STATE_READY",
  workerPid: 12,
  browserPid: 13,
  browserVersion: "Chromium 156.0",
  browserSource: "machine",
  sandbox: "on",
  sessions: 2,
  restarts: 1,
  login: "logged in",
  readySince: { seconds: 1_795_000_000 },
};
const ANSWERS: Record<string, Answer> = {
  GetStatus: () => ({
    version: "0.1.0",
    pid: 11,
    startedAt: { seconds: 1_795_000_000 },
    addresses: ["unix:/s/daemon.sock"],
    http: ["http://127.0.0.1:7421"],
    stateDir: "/s",
    roles: [ROLE],
    sessions: 2,
    callsUnderWay: 1,
    warnings: ["The sandbox is off"],
  }),
  ListRoles: () => ({ roles: [ROLE, { name: "admin", state: "ROLE_STATE_FAILED", reason: "no browser" }] }),
  ListSessions: () => ({
    sessions: [
      {
        id: "mcp-1",
        client: "local",
        name: "buyer",
        program: "claude-code/2.0",
        door: "socket",
        currentRole: "customer",
        usedAt: { seconds: 1_795_000_000 },
        roles: [{ role: "customer", tabs: [{ id: "t1", url: "https://x/", title: "X", current: true }] }],
      },
    ],
  }),
  GetFailures: () => ({
    failures: {
      incidents: [{ kind: "worker-crashed", error: "SIGKILL", timestamp: { seconds: 1_795_000_000 } }],
    },
  }),
  ClearFailures: ({ request }) => {
    if (request.role === "customer") return {};
    throw fail("UNKNOWN_ROLE", { role: String(request.role), roles: ["customer"], nearest: "customer" });
  },
  RestartRole: ({ request }) => {
    if (request.name === "customer") return { role: { ...ROLE, restarts: 2 } };
    throw fail("UNKNOWN_ROLE", { role: String(request.name), roles: ["customer"], nearest: "customer" });
  },
  Drain: () => ({ calls: 1 }),
  Click: ({ request, headers }) => {
    if (request.ref === "e5")
      return { text: `Clicked e5 as ${headers["x-troupe-role"]}`, page: { tab: "t1" } };
    throw fail("UNKNOWN_REF", { ref: String(request.ref), cause: "unseen" });
  },
  Snapshot: () => snapshotParts("- main"),
  TakeScreenshot: () => ({ text: "The page", image: Buffer.from("png"), mimeType: "image/png" }),
};

/** Runs a command line in this process. */
async function troupe(args: string[], env: Record<string, string> = {}) {
  const written = { out: "", err: "" };
  const code = await main(args, {
    cwd: "/",
    env,
    print: (text) => {
      written.out += text;
    },
    complain: (text) => {
      written.err += text;
    },
  });
  return { code, ...written, json: () => JSON.parse(written.out) };
}

test("each command shows the daemon's answer in words", DEADLINE, async () => {
  await using daemon = await StandIn.start(ANSWERS);
  const env = { TROUPE_ADDRESS: daemon.address };
  const cases: [string[], RegExp][] = [
    [
      ["status"],
      /0\.1\.0, process 11[\s\S]*7421[\s\S]*2 sessions, 1 call under way[\s\S]*customer +READY +logged in[\s\S]*- The sandbox is off/,
    ],
    [["roles"], /customer +READY[\s\S]*admin +FAILED[\s\S]*admin: no browser/],
    [
      ["sessions", "--role", "customer"],
      /mcp-1 +local +customer +customer \(1\) .* ago +buyer +claude-code\/2\.0 by socket[\s\S]*t1 \(current\) +"X" +https:\/\/x\//,
    ],
    [
      ["failures", "customer"],
      /^Failures of role customer .*:\n\nCrashes, hangs and restarts:\n- 2026-11-\S+ \S+ worker-crashed: SIGKILL\n$/,
    ],
    [["failures", "customer", "--clear"], /^The failures of role customer are cleared\.\n$/],
    [["restart", "customer"], /customer +READY +logged in +- +2 +0 +2/],
    [["drain"], /Draining: 1 call under way/],
    [["call", "browser_click", "ref=e5", "--role", "customer"], /^Clicked e5 as customer\n$/],
    [["call", "browser_snapshot"], /^- main\n$/],
  ];
  for (const [args, text] of cases) {
    const { code, out, err } = await troupe(args, env);
    assert.deepEqual([code, err], [0, ""], args.join(" "));
    assert.match(out, text);
  }
  const session = daemon.callsOf("Click")[0]?.headers["x-troupe-session"] ?? "";
  assert.match(session, /^cli-[0-9a-f]{12}$/);
  assert.equal(daemon.callsOf("Snapshot")[0]?.headers["x-troupe-session"], session);
  assert.equal(daemon.callsOf("ListSessions")[0]?.request.role, "customer");
});

test("--json shows the protocol's own shapes, with times and enums as text", DEADLINE, async () => {
  await using daemon = await StandIn.start(ANSWERS);
  const run = async (...args: string[]) =>
    (await troupe([...args, "--json", "--address", daemon.address])).json();
  const status = await run("status");
  assert.equal(status.startedAt, new Date(1_795_000_000_000).toISOString());
  assert.deepEqual([status.roles[0].state, status.roles[0].retryAt], ["ROLE_STATE_READY", null]);
  assert.equal((await run("roles")).roles.length, 2);
  assert.equal((await run("sessions")).sessions[0].roles[0].tabs[0].id, "t1");
  assert.equal((await run("failures", "customer")).failures.incidents[0].kind, "worker-crashed");
  assert.equal((await run("restart", "customer")).role.restarts, 2);
  assert.deepEqual(await run("drain"), { calls: 1, heldBy: [] });
  const click = await run("call", "browser_click", "ref=e5");
  assert.deepEqual([click.success, click.text, click.page.tab], [true, "Clicked e5 as undefined", "t1"]);
});

test("an unforeseen error is reported on standard error with its stack", DEADLINE, async () => {
  await using daemon = await StandIn.start({
    Snapshot: () => [],
    GetStatus: () => Promise.reject(new Error()),
  });
  for (const args of [["call", "browser_snapshot"], ["status"]]) {
    const { err } = await troupe([...args, "--json"], { TROUPE_ADDRESS: daemon.address });
    assert.match(err, /^troupe: report [\w-]+: .*\n +at /);
  }
});

test("a tool that fails shows its plan and ends with 1", DEADLINE, async () => {
  await using daemon = await StandIn.start(ANSWERS);
  const args = ["call", "browser_click", "ref=e99", "--address", daemon.address];
  const human = await troupe(args);
  assert.equal(human.code, 1);
  assert.match(human.out, /^❌ Unknown Element Reference[\s\S]*1\. Call browser_snapshot/);
  const machine = await troupe([...args, "--json"]);
  assert.equal(machine.code, 1);
  assert.deepEqual([machine.json().success, machine.json().error.type], [false, "UNKNOWN_REF"]);
  assert.equal(`${machine.json().text}\n`, human.out);
});

test("a picture is written to the file of --output", DEADLINE, async () => {
  await using daemon = await StandIn.start(ANSWERS);
  const file = path.join(daemon.dir, "page.png");
  const call = ["call", "browser_take_screenshot", "--address", daemon.address];
  assert.equal((await troupe([...call, "--output", file])).code, 0);
  assert.equal(await readFile(file, "utf8"), "png");
  assert.match((await troupe(call)).err, /image\/png, 3 bytes: --output FILE/);
  assert.equal((await troupe([...call, "--json"])).json().data.image, Buffer.from("png").toString("base64"));
});

test("wrong tools, arguments and roles are usage errors that name the nearest", DEADLINE, async () => {
  await using daemon = await StandIn.start(ANSWERS);
  const at = ["--address", daemon.address];
  const cases: [string[], RegExp][] = [
    [
      ["call", "browser_clik", "ref=e5", "doubleClick=true", "--role", "customer", ...at],
      /Call browser_click\(ref: "e5", doubleClick: true, role: "customer"\) instead/,
    ],
    [
      ["call", "browser_select_options", "ref=e5", "values=Red", "values=Blue", "--json", ...at],
      /"arguments": \{\s+"ref": "e5",\s+"values": \[\s+"Red",\s+"Blue"\s+\]\s+\}/,
    ],
    [["call", "browser_clik", "e5", ...at], /write key=value\n/],
    [["call", "browser_click", "reff=e5", ...at], /ref/],
    [["call", "browser_click", "e5", ...at], /write key=value, such as ref=e5/],
    [["call", "browser_click", "ref=e5", "--session", "a b", ...at], /visible ASCII/],
    [["restart", "custmer", ...at], /customer/],
    [["sessions", "--close", ...at], /--close takes the session's id/],
    [["sessions", "s1", "--close", "--role", "customer", ...at], /--role means nothing with --close/],
    [["failures", "custmer", "--clear", ...at], /Unknown Role[\s\S]*customer/],
    [["status", "--address", "nonsense"], /no address/],
    [["status", "--address", "10.0.0.1"], /no address/],
    [["tools", "--profile", "big"], /small, core, full, debug/],
    [["stats"], /Did you mean status/],
    [["status", "--jsn"], /Did you mean --json/],
    [["status", "more"], /too many arguments/],
    [["failures"], /missing required argument 'role'/],
    [["mcp", "--max-tokens", "many"], /--max-tokens/],
    [["mcp", "--profle", "core"], /Did you mean --profile/],
  ];
  for (const [args, text] of cases) {
    const { code, out, err } = await troupe(args);
    assert.equal(code, 64, args.join(" "));
    assert.match(out + err, text);
  }
});

test("without a daemon a command says how to start one, and ends with 69", DEADLINE, async () => {
  const env = { TROUPE_STATE_DIR: "/nowhere/at/all" };
  for (const args of [
    ["status"],
    ["roles"],
    ["restart", "x"],
    ["call", "browser_snapshot", "--no-autostart"],
  ]) {
    const { code, out, err } = await troupe(args, env);
    assert.deepEqual([code, out], [69, ""]);
    assert.match(
      err,
      /No Troupe daemon answers at unix:default: nothing listens there\nLooked in the state folder \/nowhere\/at\/all;.*\nStart one with: troupe daemon/,
    );
  }
  const { code, json } = await troupe(["status", "--json"], env);
  assert.deepEqual([code, json().error.type], [69, "DAEMON_UNREACHABLE"]);
});

test("a call whose daemon is lost during it may have taken effect, and gets a plan", DEADLINE, async () => {
  await using daemon = await StandIn.start();
  daemon.answers = {
    Click: ({ signal }) => {
      daemon.breakConnections();
      return aborted(signal);
    },
    // The daemon dies while it reads. The client's next connection is refused.
    Snapshot: async ({ signal }) => {
      await daemon.stop();
      return aborted(signal);
    },
  };
  const { code, out, err } = await troupe(["call", "browser_click", "ref=e5"], {
    TROUPE_ADDRESS: daemon.address,
  });
  assert.deepEqual([code, err], [74, ""]);
  assert.match(out, /^❌ Daemon Unreachable\n[\s\S]*\nThe call: was under way and may have taken effect\n/);
  assert.match(out, /\n1\. Call browser_snapshot\(\)[\s\S]*\n2\. browser_click may have taken effect/);
  const read = await troupe(["call", "browser_snapshot"], { TROUPE_ADDRESS: daemon.address });
  assert.deepEqual([read.code, read.err], [69, ""]);
  assert.match(read.out, /\n1\. Call browser_snapshot\(\) after \d+ ms\n/);
  const after = await troupe(["call", "browser_snapshot"], { TROUPE_ADDRESS: daemon.address });
  assert.match(after.err, /\nStart one with: troupe daemon\n/);
});

test("the advice to start a daemon repeats the flags that were given", DEADLINE, async () => {
  await using folder = await StandIn.start({});
  const config = path.join(folder.dir, "it's mine.yaml");
  await writeFile(config, "roles: {}\n");
  const { err } = await troupe(["status", "--config", config, "--state-dir", "/nowhere/at/all"]);
  const quoted = `'${config.replace("'", "'\\''")}'`;
  assert.ok(
    err.includes(`Start one with: troupe daemon --config ${quoted} --state-dir /nowhere/at/all\n`),
    err,
  );
});

test("tools needs no daemon", async () => {
  const { code, out } = await troupe(["tools", "--profile", "small"]);
  assert.equal(code, 0);
  assert.match(out, /browser_click +small +ref/);
  assert.doesNotMatch(out, /browser_tabs/);
  assert.ok(
    (await troupe(["tools", "--json"]))
      .json()
      .tools.some(({ name }: { name: string }) => name === "browser_tabs"),
  );
});

test("every command has help with examples", async () => {
  const { code, out } = await troupe(["--help"]);
  assert.equal(code, 0);
  const names = [
    "mcp",
    "status",
    "roles",
    "sessions",
    "failures",
    "tools",
    "call",
    "restart",
    "drain",
    "login",
  ];
  for (const name of [...names, "daemon"]) assert.match(out, new RegExp(`^  ${name}\\b`, "m"));
  for (const name of names) {
    const help = await troupe([name, "--help"]);
    assert.equal(help.code, 0);
    assert.match(help.out, new RegExp(`Examples:\n  troupe ${name}[\\s\\S]*Exit codes: `), name);
    assert.match(help.out, /--state-dir/);
  }
  assert.equal((await troupe([])).code, 64);
});

test("the program prints its version, and exits with its command's code", DEADLINE, () => {
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [CLI, ...args], { encoding: "utf8", timeout: 10_000 });
  const version = run("--version");
  assert.deepEqual([version.status, version.stderr], [0, ""]);
  assert.match(version.stdout, /^\d+\.\d+\.\d+\n$/);
  assert.equal(run("stats").status, 64);
});

test("--role sets a tool's own role argument if it has one", DEADLINE, async () => {
  const answers = { ...ANSWERS, GetFailures: () => ({ text: "none" }) };
  await using daemon = await StandIn.start(answers);
  const at = ["--address", daemon.address];
  await troupe(["call", "get_failures", "--role", "member", ...at]);
  await troupe(["call", "get_failures", "role=other", "--role", "member", ...at]);
  const asked = daemon.callsOf("GetFailures").map(({ request }) => request.role);
  assert.deepEqual(asked, ["member", "other"]);
});

test("an unknown session ends the command with an exit code of its own", DEADLINE, async () => {
  await using daemon = await StandIn.start({ ...ANSWERS, ListCalls: () => ({ calls: [] }) });
  const { code, out } = await troupe(["sessions", "nope", "--address", daemon.address]);
  assert.deepEqual([code, out], [1, 'No calls of a session "nope" are kept.\n']);
});

test("a token without control does not show the doors as closed", DEADLINE, async () => {
  const own = { version: "0.1.0", pid: 11, roles: [ROLE], sessions: 1 };
  await using daemon = await StandIn.start({ ...ANSWERS, GetStatus: () => own });
  const { out } = await troupe(["status", "--address", daemon.address]);
  assert.doesNotMatch(out, /gRPC|HTTP|config/);
  assert.match(out, /this token's control does not let it see/);
});

test("version shows the client's version", DEADLINE, async () => {
  const { code, out } = await troupe(["version"]);
  assert.deepEqual([code, out], [0, "0.1.0\n"]);
});
