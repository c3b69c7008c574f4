/**
 * Measures what an open console costs the daemon: 200 sessions make 100 calls a second, with and without a page. It
 * prints the shares of a core. `node test/bench/console-cost.ts [SECONDS]`
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import path from "node:path";
import { setInterval } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { testClient } from "../harness/daemon.ts";
import { Lines } from "../harness/events/lines.ts";
import { cpuSeconds } from "../harness/proc.ts";
import { tempDir } from "../harness/temp-dir.ts";

const SESSIONS = 200;
const CALLS_A_SECOND = 100;
const PAGES = 5;
const ROUNDS = 4;
const seconds = Number(process.argv[2] ?? 15);
const program = fileURLToPath(new URL("../harness/run-daemon.ts", import.meta.url));

using temp = tempDir();
const config = path.join(temp.dir, "troupe.yaml");
const stateDir = path.join(temp.dir, "s");
writeFileSync(
  config,
  JSON.stringify({ http: "127.0.0.1:0", log: { level: "warn" }, roles: { visitor: { sessions: SESSIONS } } }),
);
const daemon = spawn(process.execPath, [program, "--config", config, "--state-dir", stateDir]);
const lines = new Lines();
lines.read(daemon.stdout);
lines.read(daemon.stderr);
await lines.have("ready", 1, 60_000);
const { pid = 0 } = daemon;
const [address = ""] = JSON.parse(readFileSync(path.join(stateDir, "daemon.json"), "utf8")).http;
const token = readFileSync(path.join(stateDir, "token"), "utf8").trim();
const client = testClient(`unix:${path.join(stateDir, "daemon.sock")}`);
const cookie = await logIn();

let made = 0;
const callOnce = () => client.open("http://shop.example/?title=Shop", { session: `s${made++ % SESSIONS}` });
for (let session = 0; session < SESSIONS; session++) await callOnce();
await load(3);

const costs: Record<"closed" | "open", number[]> = { closed: [], open: [] };
for (let round = 0; round < ROUNDS; round++) {
  costs.closed.push(await load(seconds));
  const pages = Array.from({ length: PAGES }, openPage);
  costs.open.push(await load(seconds));
  for (const page of pages) page.destroy();
}
client.close();
daemon.kill("SIGTERM");
await once(daemon, "exit");
const mean = (list: number[]) => list.reduce((sum, each) => sum + each, 0) / list.length;
for (const [name, list] of Object.entries(costs))
  console.log(
    `${name.padEnd(6)} ${list.map((each) => each.toFixed(1)).join("  ")}  mean ${mean(list).toFixed(1)}% of a core`,
  );
console.log(
  `difference ${(mean(costs.open) - mean(costs.closed)).toFixed(1)}% of a core, with ${PAGES} pages`,
);

/** Makes the calls for so long. Resolves with the daemon's share of a core in percent. */
async function load(forSeconds: number): Promise<number> {
  const calls: Promise<unknown>[] = [];
  const before = cpuSeconds(pid);
  const startedMs = performance.now();
  for await (const _ of setInterval(10)) {
    const due = Math.floor(((performance.now() - startedMs) / 1000) * CALLS_A_SECOND);
    while (calls.length < due) calls.push(callOnce());
    if (performance.now() - startedMs >= forSeconds * 1000) break;
  }
  await Promise.all(calls);
  return (100 * (cpuSeconds(pid) - before)) / ((performance.now() - startedMs) / 1000);
}

function openPage() {
  const page = request(new URL("/console/events", address), { headers: { cookie }, agent: false }, (reply) =>
    reply.resume(),
  );
  page.on("error", () => undefined);
  page.end();
  return page;
}

async function logIn(): Promise<string> {
  const reply = await fetch(`${address}/console/login`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: address, "x-troupe-console": "1" },
    body: JSON.stringify({ token }),
  });
  return reply.headers.get("set-cookie")?.split(";")[0] ?? "";
}
