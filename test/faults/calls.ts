// Calls that are wrong before anything is done: arguments, tools, roles, tabs and refs that there are not.
import { refOf } from "../e2e/troupe.ts";
import { type Fault, shows } from "./fault.ts";
import type { Heard } from "./literal-agent.ts";
import { onPage } from "./on-page.ts";

export const calls: Fault[] = [
  {
    name: "an argument's name is misspelt",
    type: "INVALID_ARGUMENT",
    recovers: "yes",
    async arrange(stage) {
      const agent = await stage.agent();
      const saved = stage.beacon();
      const ref = refOf(await agent.open(`<button onclick="${saved.tell}">Save</button>`), "button", "Save");
      return { agent, tool: "browser_click", args: { reff: ref }, reached: saved.toldOnce };
    },
  },
  onPage({
    name: "a word of a closed list is misspelt",
    type: "INVALID_ARGUMENT",
    recovers: "yes",
    html: ({ done }) => `<button oncontextmenu="${done}">Menu</button>`,
    on: ["button", "Menu"],
    args: { button: "rigth" },
  }),
  {
    name: "a wait is asked for that is longer than any call",
    type: "INVALID_ARGUMENT",
    recovers: "yes",
    async arrange(stage) {
      const agent = await stage.agent();
      await agent.open(
        "<script>setTimeout(() => (document.body.innerHTML = '<h1>Ready</h1>'), 500)</script>",
      );
      const args = { text: "Ready", time: 600 };
      return { agent, tool: "browser_wait_for", args, reached: ({ isError }) => !isError };
    },
  },
  {
    name: "a key's name is misspelt",
    type: "INVALID_ARGUMENT",
    recovers: "yes",
    async arrange(stage) {
      const agent = await stage.agent();
      const sent = stage.beacon();
      await agent.open(
        `<input autofocus aria-label=Word onkeydown="if (event.key === 'Enter') ${sent.tell}">`,
      );
      return { agent, tool: "browser_press_key", args: { key: "Entre" }, reached: sent.toldOnce };
    },
  },
  {
    name: "a pattern is no regular expression",
    type: "INVALID_ARGUMENT",
    recovers: "yes",
    async arrange(stage) {
      const agent = await stage.agent();
      await agent.open("<p>Total (EUR): 42</p>");
      const args = { regex: "Total (EUR" };
      return { agent, tool: "browser_find", args, reached: shows("42") };
    },
  },
  {
    name: "a required argument is missing",
    type: "INVALID_ARGUMENT",
    recovers: "asks",
    async arrange(stage) {
      return { agent: await stage.agent(), tool: "browser_click", args: {} };
    },
  },
  {
    name: "an address is none",
    type: "INVALID_ARGUMENT",
    recovers: "asks",
    async arrange(stage) {
      return { agent: await stage.agent(), tool: "browser_navigate", args: { url: "http://" } };
    },
  },
  {
    name: "two things are waited for at once",
    type: "INVALID_ARGUMENT",
    recovers: "yes",
    async arrange(stage) {
      const agent = await stage.agent();
      await agent.open("<h1>Ready</h1><p>Loading</p>");
      const args = { text: "Ready", textGone: "Loading" };
      return { agent, tool: "browser_wait_for", args, reached: ({ isError }) => !isError };
    },
  },
  {
    name: "a pattern that never ends",
    type: "INVALID_ARGUMENT",
    recovers: "asks",
    async arrange(stage) {
      const agent = await stage.agent();
      await agent.open(`<p>${"a".repeat(40)}!</p>`);
      return { agent, tool: "browser_find", args: { regex: "(a+)+$" } };
    },
  },
  {
    name: "a date is written as no date field takes it",
    type: "INVALID_ARGUMENT",
    recovers: "asks",
    async arrange(stage) {
      const agent = await stage.agent();
      const page = await agent.open("<input type=date aria-label=Day>");
      const args = { ref: /\[ref=(\w+)\]/.exec(page)?.[1] ?? "", text: "tomorrow" };
      return { agent, tool: "browser_type", args };
    },
  },
  onPage({
    name: "a word is typed into a number field",
    type: "INVALID_ARGUMENT",
    recovers: "asks",
    html: () => "<input type=number aria-label=Count>",
    on: ["spinbutton", "Count"],
    tool: "browser_type",
    args: { text: "three" },
  }),
  onPage({
    name: "two options of a select that takes one",
    type: "INVALID_ARGUMENT",
    recovers: "asks",
    html: () => "<select aria-label=Colour><option>Red<option>Blue</select>",
    on: ["combobox", "Colour"],
    tool: "browser_select_option",
    args: { values: ["Red", "Blue"] },
  }),
  onPage({
    name: "a tool's name is misspelt",
    type: "UNKNOWN_TOOL",
    recovers: "yes",
    html: ({ done }) => `<button onclick="${done}">Save</button>`,
    on: ["button", "Save"],
    tool: "browser_clik",
  }),
  {
    name: "a tool of a larger profile",
    type: "UNKNOWN_TOOL",
    recovers: "yes",
    async arrange(stage) {
      const agent = await stage.agent({ profile: "small" });
      await agent.open("<h1>What it looks like</h1>");
      const reached = shows("What it looks like");
      return { agent, profile: "small", tool: "browser_take_screenshot", args: { fullPage: true }, reached };
    },
  },
  {
    name: "a role's name is misspelt where the current one is chosen",
    type: "UNKNOWN_ROLE",
    recovers: "yes",
    async arrange(stage) {
      const agent = await stage.agent();
      const reached = async () => (await agent.text("list_current_roles")).includes("visitor (current)");
      return { agent, tool: "select_role", args: { role: "vistor" }, reached };
    },
  },
  {
    name: "a role's name is misspelt in a call of its own",
    type: "UNKNOWN_ROLE",
    recovers: "yes",
    async arrange(stage) {
      const agent = await stage.agent();
      const url = stage.site.page("<h1>Here</h1>");
      const reached = () => stage.site.count(url) === 1;
      return { agent, tool: "browser_navigate", args: { url, role: "sites" }, reached };
    },
  },
  {
    name: "a role that is like no other",
    type: "UNKNOWN_ROLE",
    recovers: "asks",
    async arrange(stage) {
      return { agent: await stage.agent(), tool: "select_role", args: { role: "treasurer" } };
    },
  },
  {
    name: "a tab that was closed, where one is open",
    type: "UNKNOWN_TAB",
    recovers: "yes",
    async arrange(stage) {
      const agent = await stage.agent();
      await agent.open("<h1>The one that is left</h1>");
      await agent.text("browser_tabs", { action: "new" });
      await agent.text("browser_tabs", { action: "close" });
      const reached = shows("The one that is left");
      return { agent, tool: "browser_snapshot", args: { tab: "t2", full: true }, reached };
    },
  },
  {
    name: "a tab that never was, where several are open",
    type: "UNKNOWN_TAB",
    recovers: "asks",
    async arrange(stage) {
      const agent = await stage.agent();
      for (let tab = 1; tab <= 3; tab++) await agent.text("browser_tabs", { action: "new" });
      return { agent, tool: "browser_snapshot", args: { tab: "t9" } };
    },
  },
  {
    name: "a ref that was given for an earlier page",
    type: "UNKNOWN_REF",
    recovers: "yes",
    async arrange(stage) {
      const agent = await stage.agent();
      const saved = stage.beacon();
      const url = stage.site.page(`<a href="#">Help</a> <button onclick="${saved.tell}">Save</button>`);
      await agent.open("<button>One</button><button>Two</button><button>Save</button>");
      const ref = refOf(await agent.text("browser_snapshot", { full: true }), "button", "Save");
      await agent.text("browser_navigate", { url });
      return { agent, tool: "browser_click", args: { ref }, reached: saved.toldOnce };
    },
  },
  {
    name: "a ref of an earlier page that has no like on this one",
    type: "UNKNOWN_REF",
    recovers: "asks",
    async arrange(stage) {
      const agent = await stage.agent();
      const ref = refOf(await agent.open("<p>One</p><button>Buy</button>"), "button", "Buy");
      await agent.open("<p>No button at all</p>");
      return { agent, tool: "browser_click", args: { ref } };
    },
  },
  {
    name: "a ref that was never given out",
    type: "UNKNOWN_REF",
    recovers: "asks",
    async arrange(stage) {
      const agent = await stage.agent();
      await agent.open("<button>Save</button>");
      return { agent, tool: "browser_click", args: { ref: "e99" } };
    },
  },
  {
    name: "a selector in place of a ref",
    type: "UNKNOWN_REF",
    recovers: "asks",
    async arrange(stage) {
      const agent = await stage.agent();
      await agent.open("<button id=save>Save</button>");
      return { agent, tool: "browser_click", args: { ref: "#save" } };
    },
  },
  {
    name: "back on the first page of a tab that another one opened",
    type: "NO_HISTORY",
    recovers: "yes",
    async arrange(stage) {
      const agent = await stage.agent();
      const popup = stage.site.page("<h1>Details</h1>");
      const page = await agent.open(`<h1>The list</h1><a href="${popup}" target=_blank>Details</a>`);
      await agent.text("browser_click", { ref: refOf(page, "link", "Details") });
      const reached = shows("The list");
      return { agent, tool: "browser_navigate_back", args: {}, reached };
    },
  },
  {
    name: "back on the first page of all",
    type: "NO_HISTORY",
    recovers: "asks",
    async arrange(stage) {
      const agent = await stage.agent();
      await agent.text("browser_tabs", { action: "new" });
      return { agent, tool: "browser_navigate_back", args: {} };
    },
  },
  {
    name: "a dialog is answered that has gone",
    type: "NO_DIALOG",
    recovers: "yes",
    async arrange(stage) {
      const agent = await stage.agent();
      await agent.open("<h1>Nothing is asked here</h1>");
      const reached = ({ isError }: Heard) => !isError;
      return { agent, tool: "browser_handle_dialog", args: { accept: true }, reached };
    },
  },
];
