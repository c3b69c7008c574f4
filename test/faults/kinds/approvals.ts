// Actions that wait for a person's approval.
import assert from "node:assert/strict";
import { testClient } from "../../harness/daemon.ts";
import { refOf } from "../../harness/troupe.ts";
import type { Fault } from "../stage/fault.ts";
import type { Stage, StageAgent } from "../stage/fault-harness.ts";

export const approvals: Fault[] = [
  {
    name: "a form that waits for a person, who approves it",
    type: "APPROVAL_PENDING",
    recovers: "yes",
    async arrange(stage) {
      const { agent, pay, sent } = await form(stage);
      return {
        agent: await stage.inHaste(agent),
        tool: "browser_click",
        args: { ref: pay },
        failed: () => decide(stage, agent, false),
        reached: () => sent() === 1,
      };
    },
  },
  {
    name: "a checkbox that is clicked while a form waits for a person",
    type: "APPROVAL_PENDING",
    recovers: "yes",
    async arrange(stage) {
      const { agent, pay, later, sent } = await form(stage);
      await (await stage.inHaste(agent)).call("browser_click", { ref: pay });
      return {
        agent: await stage.inHaste(agent),
        tool: "browser_click",
        args: { ref: later },
        failed: () => decide(stage, agent, false),
        reached: async () =>
          (await agent.text("browser_snapshot", { full: true })).includes('"Later" [checked]'),
        unharmed: () => sent() === 1,
      };
    },
  },
  {
    name: "a form that a person has denied",
    type: "APPROVAL_DENIED",
    recovers: "no",
    async arrange(stage) {
      const { agent, pay } = await form(stage);
      await (await stage.inHaste(agent)).call("browser_click", { ref: pay });
      await decide(stage, agent, true);
      return { agent, tool: "browser_snapshot", args: {} };
    },
  },
];

/** A page whose form is sent by a script, so that the page stays. */
async function form({ site, agent: begin }: Stage) {
  const to = site.route((_request, response) => response.end("Paid"));
  const agent = await begin({ role: "asking" });
  const page = await agent.open(`
    <button onclick="fetch('${to}', { method: 'POST' }).then((r) => r.text()).then((t) => document.body.append(t))">Pay</button>
    <label><input type=checkbox>Later</label>`);
  const [pay, later] = [refOf(page, "button", "Pay"), refOf(page, "checkbox", "Later")];
  return { agent, pay, later, sent: () => site.count(to) };
}

/** Decides about what waits in the agent's session. */
async function decide({ troupe }: Stage, { session }: StageAgent, deny: boolean): Promise<void> {
  const person = testClient(troupe.address);
  try {
    const { ok } = await person.ask("ListApprovals", {});
    const waiting = ok?.approvals.find((each) => each.session === session);
    assert.ok(waiting, "something waits in the session");
    assert.ok((await person.ask("DecideApproval", { id: waiting.id, deny })).ok);
  } finally {
    person.close();
  }
}
