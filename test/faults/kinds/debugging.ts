// Faults of the debugger, in its profile.
import { refOf } from "../../harness/troupe.ts";
import { type Fault, shows } from "../stage/fault.ts";
import type { Stage } from "../stage/fault-harness.ts";

const DEBUG = { role: "debugged", profile: "debug" } as const;
const PAGE = "<h1>Sum</h1><button onclick='add(2)'>Add</button>";
const SCRIPT = "<script>\nfunction add(n) {\n  const total = n + 1;\n  return total;\n}\n</script>";

export const debugging: Fault[] = [
  {
    name: "a breakpoint before the debugger is on",
    type: "DEBUGGER_NOT_ENABLED",
    recovers: "yes",
    async arrange(stage) {
      const agent = await stage.agent(DEBUG);
      const url = stage.site.page(PAGE + SCRIPT);
      await agent.text("browser_navigate", { url });
      return {
        agent,
        profile: "debug",
        tool: "debugger_breakpoint",
        args: { action: "set", url, line: 3 },
        reached: shows("Set breakpoint b1"),
      };
    },
  },
  {
    name: "a debugger in a role that does not allow one",
    type: "PERMISSION_DENIED",
    recovers: "no",
    async arrange(stage) {
      const agent = await stage.agent({ profile: "debug" });
      return { agent, profile: "debug", tool: "debugger_enable", args: {} };
    },
  },
  {
    name: "a call stack of a page that runs",
    type: "EXECUTION_NOT_PAUSED",
    recovers: "asks",
    async arrange(stage) {
      const agent = await stage.agent(DEBUG);
      await agent.open(PAGE + SCRIPT);
      await agent.text("debugger_enable");
      return {
        agent,
        profile: "debug",
        tool: "debugger_call_stack",
        args: {},
        intent: [() => ["browser_click", { ref: "e1" }], () => ["debugger_call_stack", {}]],
        reached: shows("Call stack:"),
      };
    },
  },
  {
    name: "a pause of a page that is paused",
    type: "EXECUTION_ALREADY_PAUSED",
    recovers: "yes",
    async arrange(stage) {
      const agent = await paused(stage, PAGE);
      return {
        agent,
        profile: "debug",
        tool: "debugger_execution",
        args: { action: "pause" },
        reached: shows("Call stack:"),
      };
    },
  },
  {
    name: "a click on a page that is paused",
    type: "EXECUTION_PAUSED",
    recovers: "yes",
    async arrange(stage) {
      const saved = stage.beacon();
      const agent = await paused(stage, `<button onclick="${saved.tell}">Save</button>${PAGE}`);
      return { agent, profile: "debug", tool: "browser_click", args: { ref: "e1" }, reached: saved.toldOnce };
    },
  },
  {
    name: "a breakpoint that was never set",
    type: "BREAKPOINT_NOT_FOUND",
    recovers: "asks",
    async arrange(stage) {
      const agent = await paused(stage, PAGE);
      return {
        agent,
        profile: "debug",
        tool: "debugger_breakpoint",
        args: { action: "remove", id: "b9" },
        intent: [() => ["debugger_breakpoint", { action: "remove", id: "b1" }]],
        reached: shows("Removed b1"),
      };
    },
  },
  {
    name: "an expression that throws on a paused page",
    type: "SCRIPT_FAILED",
    recovers: "asks",
    async arrange(stage) {
      const agent = await paused(stage, PAGE);
      return {
        agent,
        profile: "debug",
        tool: "debugger_evaluate",
        args: { expression: "m * 100" },
        intent: [() => ["debugger_evaluate", { expression: "n * 100" }]],
        reached: shows("200"),
      };
    },
  },
];

/** Returns an agent whose page is paused in line 3 of its script. */
async function paused(stage: Stage, html: string) {
  const agent = await stage.agent(DEBUG);
  const url = stage.site.page(html + SCRIPT);
  const page = await agent.text("browser_navigate", { url });
  await agent.text("debugger_enable");
  await agent.text("debugger_breakpoint", { action: "set", url, line: 3 });
  await agent.text("browser_click", { ref: refOf(page, "button", "Add") });
  return agent;
}
