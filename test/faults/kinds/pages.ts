// Dialogs, frames that go, waits that end, pages that crash or hang.
import { refOf } from "../../harness/troupe.ts";
import type { Held } from "../../site/serve.ts";
import { type Fault, shows } from "../stage/fault.ts";
import type { Heard } from "../stage/literal-agent.ts";
import { kill, renderersOf } from "../stage/processes.ts";
import { onPage } from "./on-page.ts";

/** The page shows Done when the server has answered. It sends its request after the snapshot. */
export const doneWhen = ({ url }: Held) =>
  `<script>setTimeout(() => fetch('${url}').then(() => (out.textContent = "Done")), 300)</script>`;

export const pages: Fault[] = [
  onPage({
    name: "a dialog that an earlier action opened",
    type: "DIALOG_OPEN",
    recovers: "yes",
    html: ({ done }) =>
      `<button onclick="alert('Mind this')">Ask</button> <button onclick="${done}">Save</button>`,
    first: ["button", "Ask"],
    on: ["button", "Save"],
  }),
  {
    name: "a page that asks before it is left",
    type: "DIALOG_OPEN",
    recovers: "yes",
    async arrange(stage) {
      const agent = await stage.agent();
      const page = await agent.open(
        `<input aria-label=Draft><script>onbeforeunload = (event) => event.preventDefault()</script>`,
      );
      await agent.text("browser_type", { ref: refOf(page, "textbox", "Draft"), text: "unsaved" });
      const url = stage.site.page("<h1>Elsewhere</h1>");
      const reached = () => stage.site.count(url) === 1;
      return { agent, tool: "browser_navigate", args: { url }, reached };
    },
  },
  {
    name: "a page that asks something as it loads",
    type: "DIALOG_OPEN",
    recovers: "yes",
    async arrange(stage) {
      const agent = await stage.agent();
      const url = stage.site.page("<script>confirm('Over 18?')</script><h1>Welcome in</h1>");
      const reached = shows("Welcome in");
      return { agent, tool: "browser_navigate", args: { url }, reached };
    },
  },
  {
    name: "a page that asks something as it loads, in a tab of its own",
    type: "DIALOG_OPEN",
    recovers: "yes",
    async arrange(stage) {
      const agent = await stage.agent();
      await agent.open("<h1>Before</h1>");
      const url = stage.site.page("<script>confirm('Over 18?')</script><h1>Welcome in</h1>");
      const shown = shows("Welcome in");
      const reached = (last: Heard) => shown(last) && stage.site.count(url) === 1;
      return { agent, tool: "browser_tabs", args: { action: "new", url }, reached };
    },
  },
  {
    name: "a dialog that an earlier action opened, before another page is opened",
    type: "DIALOG_OPEN",
    recovers: "yes",
    async arrange(stage) {
      const agent = await stage.agent();
      const page = await agent.open(`<button onclick="alert('Mind this')">Ask</button>`);
      await agent.call("browser_click", { ref: refOf(page, "button", "Ask") });
      const url = stage.site.page("<h1>Elsewhere</h1>");
      return { agent, tool: "browser_navigate", args: { url }, reached: () => stage.site.count(url) === 1 };
    },
  },
  {
    name: "a dialog while the page is read",
    type: "DIALOG_OPEN",
    recovers: "yes",
    async arrange(stage) {
      const agent = await stage.agent();
      const page = await agent.open(`<h1>The page</h1><button onclick="prompt('Your name?')">Ask</button>`);
      await agent.call("browser_click", { ref: refOf(page, "button", "Ask") });
      const reached = shows("The page");
      return { agent, tool: "browser_snapshot", args: { full: true }, reached };
    },
  },
  {
    name: "a text that comes later than it was waited for",
    type: "TIMEOUT",
    recovers: "yes",
    async arrange(stage) {
      const agent = await stage.agent();
      const held = stage.site.hold();
      await agent.open(`<p id=out>Working</p>${doneWhen(held)}`);
      const reached = shows("Done");
      const args = { text: "Done", time: 1 };
      return { agent, tool: "browser_wait_for", args, failed: () => held.release(), reached };
    },
  },
  {
    name: "a server that does not answer, and does the next time",
    type: "TIMEOUT",
    recovers: "yes",
    async arrange(stage) {
      const agent = await stage.agent();
      const held = stage.site.hold();
      const failed = () => held.release("<h1>Here at last</h1>");
      const reached = shows("Here at last");
      return {
        agent: await stage.inHaste(agent),
        tool: "browser_navigate",
        args: { url: held.url },
        failed,
        reached,
      };
    },
  },
  {
    name: "a page that holds its process with a script, while it is read",
    type: "PAGE_UNRESPONSIVE",
    recovers: "yes",
    async arrange(stage) {
      const agent = await stage.agent();
      const held = stage.site.hold();
      const said = stage.site.hold();
      await agent.open(`<h1>Still here</h1><script>
        setTimeout(() => fetch('${held.url}').then(() => { fetch('${said.url}'); for (;;); }), 300)</script>`);
      held.release();
      await said.asked();
      const reached = shows("Still here");
      return { agent: await stage.inHaste(agent), tool: "browser_snapshot", args: { full: true }, reached };
    },
  },
  {
    name: "a click that makes the page hang",
    type: "PAGE_UNRESPONSIVE",
    recovers: "asks",
    async arrange(stage) {
      const agent = await stage.agent();
      const page = await agent.open(`<button onclick="for (;;);">Hang</button>`);
      return {
        agent: await stage.inHaste(agent),
        tool: "browser_click",
        args: { ref: refOf(page, "button", "Hang") },
      };
    },
  },
  {
    name: "a page whose process dies while it is waited for",
    type: "PAGE_CRASHED",
    recovers: "yes",
    async arrange(stage) {
      const { role, agent } = await stage.ownRole();
      const held = stage.site.hold();
      await agent.open(`<h1>Here again</h1><p id=out></p>${doneWhen(held)}`);
      const reached = shows("Done");
      const during = () => renderersOf(stage.troupe, role).forEach(kill);
      return {
        agent,
        tool: "browser_wait_for",
        args: { text: "Done" },
        during,
        failed: () => held.release(),
        reached,
      };
    },
  },
  onPage({
    name: "a frame that was made anew",
    type: "FRAME_DETACHED",
    recovers: "yes",
    html({ done, site }) {
      const inner = site.page(`<button onclick="${done}">Pay</button>`);
      return `<div id=box><iframe src="${inner}"></iframe></div>
        <button onclick="box.innerHTML = box.innerHTML">Render</button>`;
    },
    first: ["button", "Render"],
    on: ["button", "Pay"],
  }),
  onPage({
    name: "a frame that was taken away",
    type: "FRAME_DETACHED",
    recovers: "asks",
    html({ site }) {
      const inner = site.page("<button>Pay</button>");
      return `<div id=box><iframe src="${inner}"></iframe></div> <button onclick="box.remove()">Remove</button>`;
    },
    first: ["button", "Remove"],
    on: ["button", "Pay"],
  }),
  {
    name: "a frame that has not answered, read by itself",
    type: "FRAME_INJECTION_FAILED",
    recovers: "yes",
    async arrange(stage) {
      const agent = await stage.agent();
      const held = stage.site.hold();
      const page = await agent.open(`<h1>Around</h1><iframe title=Slow src="${held.url}"></iframe>`);
      const failed = () => held.release("<h1>Inside at last</h1>");
      const args = { ref: refOf(page, "iframe", "Slow") };
      const reached = shows("Inside at last");
      return { agent, tool: "browser_snapshot", args, failed, reached };
    },
  },
];
