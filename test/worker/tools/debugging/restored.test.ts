// Tests that breakpoints outlast the worker, the tab's page and hibernation.
import assert from "node:assert/strict";
import { test } from "node:test";
import { refOf, stage, startWorker } from "../../../harness/worker.ts";
import { keeper } from "../../session/hibernation-keeper.ts";
import { ADDING, debugged, pausedAt } from "./paused-page.ts";

const { worker, site } = await stage({ debugger: true });
const { rest, records } = keeper(worker);

test("another worker sets the breakpoints again before the restored page runs", async () => {
  await using session = worker.session();
  const { url } = await debugged(session, site, ADDING);
  await session.do("debugger_breakpoint", { action: "set", url, line: 4 });
  await session.do("debugger_breakpoint", { action: "set", url, line: 5, condition: "false" });
  await session.do("debugger_pause_on_exceptions", { state: "uncaught" });
  await rest(session);
  const record = records.get(session.id);
  assert.ok(record);
  assert.equal(record.debugger?.exceptions, "uncaught");
  await using another = await startWorker({ debugger: true, sessions: [record] });
  const restored = another.session(session.id);
  const page = await restored.read();
  const { text } = await restored.do("debugger_breakpoint", { action: "list" });
  assert.match(text, /^b1 \S+:4\. It is at \S+:4:3\.\nb2 \S+:5 if false\. /);
  const clicked = await restored.do("browser_click", { ref: refOf(page, "Add") });
  assert.match(clicked.text, /Paused at \d+:4 in add \(breakpoint b1\)/);
  await restored.do("debugger_execution", { action: "resume" });
  const next = await restored.do("debugger_breakpoint", { action: "set", url, line: 6 });
  assert.match(next.text, /^Set breakpoint b3 /);
});

test("a role that no longer allows the debugger restores its sessions without breakpoints", async () => {
  await using session = worker.session();
  const { url } = await debugged(session, site, ADDING);
  await session.do("debugger_breakpoint", { action: "set", url, line: 4 });
  await rest(session);
  const record = records.get(session.id);
  assert.ok(record?.debugger);
  await using another = await startWorker({ debugger: false, sessions: [record] });
  const restored = another.session(session.id);
  const clicked = await restored.do("browser_click", { ref: refOf(await restored.read(), "Add") });
  assert.doesNotMatch(clicked.text, /Paused/);
  await restored.refuse("PERMISSION_DENIED", "debugger_execution", { action: "resume" });
});

test("a paused session is spared from hibernation, and its pause is named as lost", async () => {
  await using session = worker.session();
  await pausedAt(session, site, 4);
  const losses = await rest(session);
  assert.equal(losses.length, 1);
  assert.match(String(losses[0]), /^the pause at \d+:4 in add \(breakpoint b1\)$/);
  await session.do("debugger_execution", { action: "resume" });
  assert.deepEqual(await rest(session), []);
});
