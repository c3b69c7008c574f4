// The official conformance suites against the daemon. Each scenario that tests the protocol itself passes.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { before, test } from "node:test";
import { promisify } from "node:util";
import { testDaemon } from "../../../harness/daemon.ts";
import { shared } from "../../../harness/shared.ts";
import { tempDir } from "../../../harness/temp-dir.ts";
import { mcpUrl } from "./mcp-url.ts";

const PACKAGE = "@modelcontextprotocol/conformance";
/** The installation and the suites take their time on a busy machine. */
const DEADLINE = { timeout: 600_000 };
const OUTPUT_BYTES_MAX = 64 * 2 ** 20;
const run = promisify(execFile);

/** The reasons for which a scenario cannot pass here: it calls what only the suite's own sample server has. */
const REASONS = {
  tools: "calls the suite's sample tools, such as test_simple_text",
  prompts: "needs the suite's sample prompts; Troupe has no prompts",
  resources: "needs the suite's sample resources; Troupe has no resources",
  completion: "completes arguments of the suite's sample prompts",
  logging: "needs the capability logging, which the newer protocol deprecates",
  tasks: "needs the tasks extension, which no revision of the protocol requires",
} as const;
type Reason = keyof typeof REASONS;

/** Scenarios of both eras. */
const PROMPTS = [
  "prompts-list",
  "prompts-get-simple",
  "prompts-get-with-args",
  "prompts-get-embedded-resource",
  "prompts-get-with-image",
];
const RESOURCES = [
  "resources-list",
  "resources-read-text",
  "resources-read-binary",
  "resources-templates-read",
];

const OLDER: Record<string, Reason> = {
  "logging-set-level": "logging",
  "completion-complete": "completion",
  ...each("tools", [
    "tools-call-image",
    "tools-call-audio",
    "tools-call-embedded-resource",
    "tools-call-mixed-content",
    "tools-call-with-logging",
    "tools-call-with-progress",
    "tools-call-sampling",
    "tools-call-elicitation",
    "elicitation-sep1034-defaults",
    "elicitation-sep1330-enums",
  ]),
  ...each("resources", [...RESOURCES, "resources-subscribe", "resources-unsubscribe"]),
  ...each("prompts", PROMPTS),
};

const NEWER: Record<string, Reason> = {
  "completion-complete": "completion",
  ...each("tools", [
    // One check calls test_missing_capability; all others pass.
    "server-stateless",
    "tools-call-image",
    "tools-call-audio",
    "tools-call-embedded-resource",
    "tools-call-mixed-content",
    "tools-call-with-progress",
    "input-required-result-basic-elicitation",
    "input-required-result-basic-sampling",
    "input-required-result-basic-list-roots",
    "input-required-result-request-state",
    "input-required-result-multiple-input-requests",
    "input-required-result-multi-round",
    "input-required-result-result-type",
    "input-required-result-tampered-state",
    "input-required-result-capability-check",
    "json-schema-2020-12",
  ]),
  ...each("resources", [
    // The checks of tools/list and server/discover pass.
    "caching",
    ...RESOURCES,
  ]),
  ...each("prompts", [...PROMPTS, "input-required-result-non-tool-request"]),
  ...each("tasks", [
    "tasks-lifecycle",
    "tasks-capability-negotiation",
    "tasks-wire-fields",
    "tasks-request-state-removal",
    "tasks-mrtr-input",
    "tasks-request-headers",
    "tasks-dispatch-and-envelope",
    "tasks-required-task-error",
    "tasks-mrtr-composition",
  ]),
};

/** Checks of listed scenarios that the sample tools do not explain would be faults of ours. */
const NEWER_CHECKS: Record<string, number> = { "server-stateless": 26, caching: 4 };

const temp = shared(tempDir());
const troupe = shared(await testDaemon({ roles: { one: { sessions: 100 } } }));
const proxy = shared(await tokenProxy(troupe.daemon.http[0] ?? ""));

/** The versions of the suite, each in a folder of its own. They are large, and nothing else needs them. */
const VERSIONS = { older: "0.1.16", newer: "0.2.0-alpha.12" } as const;
before(async () => {
  for (const [era, version] of Object.entries(VERSIONS)) {
    const folder = path.join(temp.dir, era);
    mkdirSync(folder);
    writeFileSync(path.join(folder, "package.json"), "{}");
    const quick = ["--no-audit", "--no-fund", "--no-save", "--ignore-scripts", "--loglevel=error"];
    await run("npm", ["install", ...quick, `${PACKAGE}@${version}`], { cwd: folder });
  }
}, DEADLINE);

test("0.1.16: what the revision 2025-11-25 requires", DEADLINE, async (t) => {
  const results = await suite("older", []);
  compare(results, OLDER);
  t.diagnostic(summaryOf(results, OLDER));
});

test("0.2.0-alpha.12: what the revision 2026-07-28 requires", DEADLINE, async (t) => {
  const results = await suite("newer", ["--requirements", "2026-07-28"]);
  compare(results, NEWER);
  for (const [name, passed] of Object.entries(NEWER_CHECKS))
    assert.ok(
      (results.get(name)?.passed ?? 0) >= passed,
      `${name}: ${results.get(name)?.passed} checks passed`,
    );
  t.diagnostic(summaryOf(results, NEWER));
});

interface Result {
  passed: number;
  failed: number;
}

/** Runs a suite and returns the result of each scenario. */
async function suite(era: keyof typeof VERSIONS, flags: string[]): Promise<Map<string, Result>> {
  const program = path.join(temp.dir, era, "node_modules/.bin/conformance");
  const args = [program, "server", "--url", proxy.url, "-o", path.join(temp.dir, era, "results"), ...flags];
  const settings = { cwd: temp.dir, maxBuffer: OUTPUT_BYTES_MAX };
  // It ends with 1 if any scenario fails.
  const { stdout } = await run(process.execPath, args, settings).catch((error: { stdout: string }) => error);
  const summary = stdout.slice(stdout.indexOf("=== SUMMARY ==="));
  const lines = summary.matchAll(/^[✓✗] ([\w-]+): (\d+) passed, (\d+) failed/gm);
  return new Map(
    [...lines].map(([, name = "", passed, failed]) => [
      name,
      { passed: Number(passed), failed: Number(failed) },
    ]),
  );
}

/** A listed scenario that passes must leave the list, so that the list stays true. */
function compare(results: ReadonlyMap<string, Result>, listed: Readonly<Record<string, Reason>>): void {
  const failed = [...results].filter(([, result]) => result.failed > 0).map(([name]) => name);
  assert.deepEqual(failed.toSorted(), Object.keys(listed).toSorted());
}

function summaryOf(results: ReadonlyMap<string, Result>, listed: Readonly<Record<string, Reason>>): string {
  const passed = results.size - Object.keys(listed).length;
  const reasons = Object.entries(REASONS).map(([reason, words]) => {
    const count = Object.values(listed).filter((given) => given === reason).length;
    return count > 0 ? `${count}: ${words}` : undefined;
  });
  return [`${passed} of ${results.size} scenarios pass`, ...reasons.filter(Boolean)].join("\n");
}

function each(reason: Reason, names: readonly string[]): Record<string, Reason> {
  return Object.fromEntries(names.map((name) => [name, reason]));
}

/** A proxy on this machine that adds the token, because the suite sends none. All else passes as it is. */
async function tokenProxy(address: string) {
  const { token } = mcpUrl(address, troupe.config.state.token);
  const { hostname, port } = new URL(address);
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` };
    const { method, url } = incoming;
    const sent = request({ hostname, port, method, path: url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    sent.on("error", () => outgoing.destroy());
    outgoing.on("close", () => sent.destroy());
    incoming.pipe(sent);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    [Symbol.dispose]: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
