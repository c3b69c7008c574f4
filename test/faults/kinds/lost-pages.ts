// Pages that end between two calls: crashed, closed for their memory, or lost with a replaced worker.
import { connect } from "../../../client/sdk/index.ts";
import { WorkerLink } from "../../../daemon/worker-process/worker-link.ts";
import { refOf } from "../../harness/troupe.ts";
import { clickOf, named } from "../stage/choices.ts";
import { type Fault, shows } from "../stage/fault.ts";
import type { Stage } from "../stage/fault-harness.ts";
import type { Choice } from "../stage/literal-agent.ts";
import { kill, killWorker, renderersOf, workerOf } from "../stage/processes.ts";
import { doneWhen } from "./pages.ts";

/** Without its ref the call would have another effect, or send the form without the typed text. */
const form = (sent: string, empty: string) =>
  `<label>Amount <input id=amount></label>
   <button onclick="if (amount.value === '100') ${sent}; else ${empty}">Order now</button>`;

export const lostPages: Fault[] = [
  {
    name: "a page that crashed since the last call, before a look",
    type: "PAGE_CRASHED",
    recovers: "yes",
    async arrange(stage) {
      const { role, agent } = await stage.ownRole();
      await agent.open("<h1>Here again</h1>");
      await crashPages(stage, role);
      return { agent, tool: "browser_snapshot", args: {}, reached: shows("Here again") };
    },
  },
  {
    name: "a page that crashed with what was typed into it, before a click",
    type: "PAGE_CRASHED",
    recovers: "asks",
    arrange: (stage) => typedInto(stage, crashPages),
  },
  {
    name: "a page that crashed with what was typed into it, before a second click",
    type: "UNKNOWN_REF",
    recovers: "asks",
    async arrange(stage) {
      const situation = await typedInto(stage, crashPages);
      await situation.agent.call(situation.tool, situation.args);
      return situation;
    },
  },
  {
    name: "a tab that was closed for its memory, before a look",
    type: "TAB_CLOSED",
    recovers: "yes",
    async arrange(stage) {
      const { role, agent } = await stage.ownRole();
      await agent.open("<h1>Large</h1>");
      await closeTab(stage, role);
      return { agent, tool: "browser_snapshot", args: { full: true }, reached: shows("Large") };
    },
  },
  {
    name: "a tab that was closed for its memory, before another page is opened in it",
    type: "TAB_CLOSED",
    recovers: "yes",
    async arrange(stage) {
      const { role, agent } = await stage.ownRole();
      await agent.open("<h1>Large</h1>");
      await closeTab(stage, role);
      const url = stage.site.page("<h1>Elsewhere</h1>");
      return { agent, tool: "browser_navigate", args: { url }, reached: shows("Elsewhere") };
    },
  },
  {
    name: "a tab that is not the current one and was closed for its memory",
    type: "TAB_CLOSED",
    recovers: "yes",
    async arrange(stage) {
      const { role, agent } = await stage.ownRole();
      await agent.open("<script>held = new Array(3e6).fill(1.5)</script><h1>Large</h1>");
      await agent.text("browser_tabs", { action: "new", url: stage.site.page("<h1>Other</h1>") });
      await closeTab(stage, role);
      return { agent, tool: "browser_tabs", args: { action: "select", tab: "t1" }, reached: shows("Large") };
    },
  },
  {
    name: "a tab that is closed for its memory while something is waited for",
    type: "TAB_CLOSED",
    recovers: "yes",
    async arrange(stage) {
      const { role, agent } = await stage.ownRole();
      const held = stage.site.hold();
      await agent.open(`<p id=out></p>${doneWhen(held)}`);
      return {
        agent,
        tool: "browser_wait_for",
        args: { text: "Done" },
        during: () => closeTab(stage, role),
        failed: () => held.release(),
        reached: shows("Done"),
      };
    },
  },
  {
    name: "a tab that was closed for its memory, before a click",
    type: "TAB_CLOSED",
    recovers: "asks",
    arrange: (stage) => typedInto(stage, closeTab),
  },
  {
    name: "a worker that was replaced with what was typed in it, before a click",
    type: "WORKER_RESTARTED",
    recovers: "asks",
    arrange: (stage) => typedInto(stage, replaceWorker),
  },
  {
    name: "an element of before a worker was replaced",
    type: "UNKNOWN_REF",
    recovers: "yes",
    async arrange(stage) {
      const { role, agent } = await stage.ownRole();
      const pressed = stage.beacon();
      const page = await agent.open(`<p>Text</p><button onclick="${pressed.tell}">Go on</button>`);
      await replaceWorker(stage, role);
      const args = { ref: refOf(page, "button", "Go on") };
      return { agent, tool: "browser_click", args, reached: pressed.toldOnce };
    },
  },
  {
    name: "an element of before a worker died, once that is known",
    type: "UNKNOWN_REF",
    recovers: "yes",
    async arrange(stage) {
      const { role, agent } = await stage.ownRole();
      const pressed = stage.beacon();
      const page = await agent.open(`<p>Text</p><button onclick="${pressed.tell}">Go on</button>`);
      await killWorker(stage, role);
      await agent.call("browser_wait_for", { text: "Text" });
      const args = { ref: refOf(page, "button", "Go on") };
      return { agent, tool: "browser_click", args, reached: pressed.toldOnce };
    },
  },
];

/** A filled-in form whose page ends before its button is clicked. */
async function typedInto(stage: Stage, lose: (stage: Stage, role: string) => Promise<void>) {
  const { role, agent } = await stage.ownRole();
  const [sent, empty] = [stage.beacon(), stage.beacon()];
  const page = await agent.open(form(sent.tell, empty.tell));
  await agent.text("browser_type", { ref: refOf(page, "textbox", "Amount"), text: "100" });
  await lose(stage, role);
  return {
    agent,
    tool: "browser_click",
    args: { ref: refOf(page, "button", "Order now") },
    intent: [
      (_newest, all) => ["browser_type", { ref: named(all, "textbox", "Amount"), text: "100" }],
      clickOf("button", "Order now"),
    ] satisfies Choice[],
    reached: sent.toldOnce,
    unharmed: empty.untold,
  };
}

/** Resolves when the crash is in the failure log. */
async function crashPages({ troupe }: Stage, role: string): Promise<void> {
  const recorded = troupe.output.next("page-crashed");
  renderersOf(troupe, role).forEach(kill);
  await recorded;
}

/** Does the same as the daemon does if a role holds too much memory. */
async function closeTab({ troupe }: Stage, role: string): Promise<void> {
  const [, socket = ""] = /--socket (\S+)/.exec(workerOf(troupe, role).command) ?? [];
  using link = new WorkerLink(socket);
  await link.ask("CloseLargestTab", { reason: "told to" }, 10_000);
}

/** Does the same as the daemon does between calls if a worker is too old. */
async function replaceWorker({ troupe }: Stage, role: string): Promise<void> {
  await using client = await connect({ address: troupe.address });
  await client.restart(role);
}
