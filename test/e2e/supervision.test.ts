// Any process may die. Other sessions notice nothing, its session gets one error and continues, and no process is left
// over.
import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { test } from "node:test";
import { SMALL_HEAP } from "../../proto/machine/small-heap.ts";
import { allGone } from "../harness/proc.ts";
import { shared } from "../harness/shared.ts";
import { type Process, refOf, startTroupe } from "../harness/troupe.ts";

const troupe = shared(await startTroupe());

const workerOf = (role: string): Process => {
  const found = troupe
    .processes()
    .find(({ command }) => command.includes("worker/main.ts") && command.includes(role));
  assert.ok(found, `no worker of ${role}`);
  return found;
};

test("kill -9 of a worker gives its session one error, and the other role notices nothing", async () => {
  await using agent = await troupe.agent();
  await agent.text("browser_navigate", { url: `${troupe.shopUrl}/product/42`, role: "customer" });
  await agent.text("browser_tabs", { action: "new", url: `${troupe.shopUrl}/cart`, role: "customer" });
  const admin = await agent.text("browser_snapshot", { role: "admin" });
  const browser = troupe.processes().filter(({ parent }) => parent === workerOf("customer").pid);

  process.kill(workerOf("customer").pid, "SIGKILL");
  const adminAfter = await agent.call("browser_click", {
    role: "admin",
    ref: refOf(admin, "link", "Orders"),
  });
  assert.ok(!adminAfter.isError, adminAfter.text);

  const told = await agent.call("browser_snapshot", { role: "customer" });
  assert.equal(told.error?.type, "WORKER_RESTARTED");
  assert.equal(told.error?.recoverable, true);
  const back = await agent.text("browser_snapshot", { role: "customer" });
  assert.match(back, /Your cart/);
  assert.match(back, /My account/, "the login is back");
  const tabs = await agent.text("browser_tabs", { action: "list", role: "customer" });
  assert.match(tabs, /^t1 ".*" .*\/product\/42$/m);
  assert.match(tabs, /^t2 \(current\) ".*" .*\/cart$/m);
  const alive = new Set(troupe.processes().map(({ pid }) => pid));
  assert.deepEqual(
    browser.filter(({ pid }) => alive.has(pid)),
    [],
    "Chrome of the dead worker",
  );
});

test("a restart's error names the typed text and the place of its call's element now", async () => {
  await using agent = await troupe.agent("--role", "customer");
  const shop = await agent.text("browser_navigate", { url: `${troupe.shopUrl}/` });
  await agent.text("browser_type", { ref: refOf(shop, "searchbox", "Search the products"), text: "lamp" });
  process.kill(workerOf("customer").pid, "SIGKILL");
  const told = await agent.call("browser_click", { ref: refOf(shop, "link", "Cart (0)") });
  assert.equal(told.error?.type, "WORKER_RESTARTED", told.text);
  assert.deepEqual(told.error?.details.lost, ['searchbox "Search the products"']);
  const [now] = told.error?.candidates ?? [];
  assert.deepEqual([now?.role, now?.name], ["link", "Cart (0)"], told.text);
  assert.match(told.text, /Likely the same element now: e\d+ link "Cart \(0\)"/);
  assert.equal(told.error?.steps.at(-1)?.tool, undefined);
  assert.match(await agent.text("browser_click", { ref: now?.ref ?? "" }), /Your cart/);
});

test("kill -9 of a role's Chrome fails the next call, and the one after that works", async () => {
  await using agent = await troupe.agent("--role", "visitor");
  await agent.text("browser_snapshot");
  const worker = workerOf("visitor");
  const chrome = troupe.processes().find(({ parent }) => parent === worker.pid);
  assert.match(String(chrome?.command), /chrom/);
  process.kill(Number(chrome?.pid), "SIGKILL");
  const told = await agent.call("browser_snapshot");
  assert.ok(
    ["WORKER_RESTARTED", "BROWSER_CRASHED", "WORKER_UNAVAILABLE"].includes(String(told.error?.type)),
    told.text,
  );
  assert.match(await agent.text("browser_snapshot"), /Harbour Goods/);
});

test("a stopped worker is replaced: its call fails before its deadline, and the next one works", async () => {
  await using agent = await troupe.agent("--role", "visitor");
  await agent.text("browser_navigate", { url: `${troupe.shopUrl}/` });
  const { pid } = workerOf("visitor");
  process.kill(pid, "SIGSTOP");
  const told = await agent.call("browser_snapshot");
  assert.equal(told.error?.type, "WORKER_RESTARTED", told.text);
  assert.match(told.text, /gave no sign of life for 5 s/);
  assert.match(await agent.text("browser_snapshot"), /Harbour Goods/);
});

test("daemon and workers start with heaps that stay near what they hold", async () => {
  await using agent = await troupe.agent("--role", "visitor");
  await agent.text("browser_snapshot");
  const daemon = troupe.processes().find(({ pid }) => pid === troupe.daemon.pid);
  for (const each of [daemon, workerOf("visitor")]) {
    const { command = "" } = each ?? {};
    assert.ok(command.includes(SMALL_HEAP.join(" ")), command);
  }
});

test("restarts and failures are counted", async () => {
  const metrics = await (await fetch(`${troupe.http}/metrics`)).text();
  assert.match(metrics, /troupe_worker_restarts_total\{role="customer",reason="[\w-]+"\} [1-9]/);
  assert.match(
    metrics,
    /troupe_errors_total\{type="WORKER_RESTARTED",category="CRASH",tool="browser_snapshot",role="customer"\} 1/,
  );
  assert.match(metrics, /^troupe_worker_up\{role="customer"\} 1$/m);
});

test("kill -9 of the daemon leaves none of its processes", async () => {
  await using other = await startTroupe();
  await using agent = await other.agent("--role", "customer");
  await agent.text("browser_snapshot");
  const processes = other.processes();
  assert.ok(processes.some(({ command }) => command.includes("worker/main.ts")));
  assert.ok(processes.some(({ command }) => /--type=renderer/.test(command)));
  process.kill(Number(other.daemon.pid), "SIGKILL");
  await allGone(processes.map(({ pid }) => pid));
});

test("SIGTERM ends the daemon with exit code 0 and leaves no process, socket or profile", async () => {
  await using other = await startTroupe();
  await using agent = await other.agent("--role", "visitor");
  await agent.text("browser_snapshot");
  const worker = other.processes().find(({ command }) => command.includes("worker/main.ts"));
  const temporary = /\0TMPDIR=([^\0]+)/.exec(String(worker?.environment))?.[1];
  assert.ok(temporary && existsSync(temporary));
  other.daemon.kill("SIGTERM");
  const [code] = (await once(other.daemon, "exit")) as [number | null];
  assert.equal(code, 0);
  assert.deepEqual(other.processes(), []);
  assert.ok(!existsSync(temporary));
  const files = await readdir(other.stateDir);
  assert.deepEqual(
    files.filter((name) => /\.sock$|daemon\.json/.test(name)),
    [],
  );
});
