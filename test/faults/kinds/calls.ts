// Calls that are wrong before any action: arguments, tools, roles, tabs and refs that do not exist.
import { refOf } from "../../harness/troupe.ts";
import { clickOf, named } from "../stage/choices.ts";
import { type Fault, shows } from "../stage/fault.ts";
import type { Choice, Heard } from "../stage/literal-agent.ts";
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
      const agent = await stage.agent();
      const saved = stage.beacon();
      await agent.open(`<button onclick="${saved.tell}">Save</button>`);
      const intent = [clickOf("button", "Save")];
      return { agent, tool: "browser_click", args: {}, intent, reached: saved.toldOnce };
    },
  },
  {
    name: "an address is none",
    type: "INVALID_ARGUMENT",
    recovers: "asks",
    async arrange(stage) {
      const url = stage.site.page("<h1>Meant</h1>");
      const intent: Choice[] = [() => ["browser_navigate", { url }]];
      const reached = () => stage.site.count(url) === 1;
      return {
        agent: await stage.agent(),
        tool: "browser_navigate",
        args: { url: "http://" },
        intent,
        reached,
      };
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
      const intent: Choice[] = [() => ["browser_find", { text: "aaaa" }]];
      return { agent, tool: "browser_find", args: { regex: "(a+)+$" }, intent, reached: shows("aaaa") };
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
      const intent: Choice[] = [() => ["browser_type", { ...args, text: "2026-11-22" }]];
      return { agent, tool: "browser_type", args, intent, reached: ({ isError }) => !isError };
    },
  },
  onPage({
    name: "a word is typed into a number field",
    type: "INVALID_ARGUMENT",
    recovers: "asks",
    intent: [(_newest, all) => ["browser_type", { ref: named(all, "spinbutton", "Count"), text: "3" }]],
    html: ({ done }) => `<input type=number aria-label=Count oninput="if (value === '3') ${done}">`,
    on: ["spinbutton", "Count"],
    tool: "browser_type",
    args: { text: "three" },
  }),
  onPage({
    name: "two options of a select that takes one",
    type: "INVALID_ARGUMENT",
    recovers: "asks",
    intent: [
      (_newest, all) => [
        "browser_select_option",
        { ref: named(all, "combobox", "Colour"), values: ["Blue"] },
      ],
    ],
    html: ({ done }) =>
      `<select aria-label=Colour onchange="if (value === 'Blue') ${done}"><option>Red<option>Blue</select>`,
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
      const agent = await stage.agent();
      const intent: Choice[] = [() => ["select_role", { role: "visitor" }]];
      const reached = ({ isError }: Heard) => !isError;
      return { agent, tool: "select_role", args: { role: "treasurer" }, intent, reached };
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
      const intent: Choice[] = [() => ["browser_snapshot", { tab: "t2" }]];
      const reached = ({ isError }: Heard) => !isError;
      return { agent, tool: "browser_snapshot", args: { tab: "t9" }, intent, reached };
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
      const bought = stage.beacon();
      const page = await agent.open(`<p>One</p><button onclick="${bought.tell}">Buy</button>`);
      await agent.open("<p>No button at all</p>");
      const args = { ref: refOf(page, "button", "Buy") };
      const intent: Choice[] = [() => ["browser_navigate_back", {}], clickOf("button", "Buy")];
      return { agent, tool: "browser_click", args, intent, reached: bought.toldOnce };
    },
  },
  {
    name: "a ref that was never given out",
    type: "UNKNOWN_REF",
    recovers: "asks",
    async arrange(stage) {
      const agent = await stage.agent();
      const saved = stage.beacon();
      await agent.open(`<button onclick="${saved.tell}">Save</button>`);
      const intent = [clickOf("button", "Save")];
      return { agent, tool: "browser_click", args: { ref: "e99" }, intent, reached: saved.toldOnce };
    },
  },
  {
    name: "a selector in place of a ref",
    type: "UNKNOWN_REF",
    recovers: "asks",
    async arrange(stage) {
      const agent = await stage.agent();
      const saved = stage.beacon();
      await agent.open(`<button id=save onclick="${saved.tell}">Save</button>`);
      const intent = [clickOf("button", "Save")];
      return { agent, tool: "browser_click", args: { ref: "#save" }, intent, reached: saved.toldOnce };
    },
  },
  ...["Save", "button:Save", 'button "Save"'].map(
    (ref): Fault => ({
      name: `the label ${ref} in place of a ref`,
      type: "UNKNOWN_REF",
      recovers: "yes",
      async arrange(stage) {
        const agent = await stage.agent();
        const saved = stage.beacon();
        await agent.open(`<h1>Save</h1><a href="#">Cancel</a> <button onclick="${saved.tell}">Save</button>`);
        return { agent, tool: "browser_click", args: { ref }, reached: saved.toldOnce };
      },
    }),
  ),
  {
    name: "a label in place of a ref that two elements have",
    type: "UNKNOWN_REF",
    recovers: "asks",
    async arrange(stage) {
      const agent = await stage.agent();
      const [opened, wrong] = [stage.beacon(), stage.beacon()];
      await agent.open(
        `<a href="#" onclick="${wrong.tell}">Orders</a> <button onclick="${opened.tell}">Orders</button>`,
      );
      const intent = [clickOf("button", "Orders")];
      const args = { ref: "Orders" };
      return { agent, tool: "browser_click", args, intent, reached: opened.toldOnce, unharmed: wrong.untold };
    },
  },
  {
    name: "a ref of another role, whose name was forgotten",
    type: "UNKNOWN_REF",
    recovers: "yes",
    async arrange(stage) {
      const agent = await stage.agent();
      const paid = stage.beacon();
      await agent.open("<h1>Nothing here</h1>");
      const url = stage.site.page(
        `<a href="#">One</a> <a href="#">Two</a> <button onclick="${paid.tell}">Pay</button>`,
      );
      const page = await agent.text("browser_navigate", { url, role: "walled" });
      const args = { ref: refOf(page, "button", "Pay") };
      return { agent, tool: "browser_click", args, reached: paid.toldOnce };
    },
  },
  {
    name: "a ref of another tab, whose name was forgotten",
    type: "UNKNOWN_REF",
    recovers: "yes",
    async arrange(stage) {
      const agent = await stage.agent();
      const paid = stage.beacon();
      const page = await agent.open(`<a href="#">One</a> <button onclick="${paid.tell}">Pay</button>`);
      const url = stage.site.page("<h1>Nothing here</h1>");
      await agent.text("browser_tabs", { action: "new", url });
      const args = { ref: refOf(page, "button", "Pay") };
      return { agent, tool: "browser_click", args, reached: paid.toldOnce };
    },
  },
  {
    name: "a combination of keys that is joined otherwise",
    type: "INVALID_ARGUMENT",
    recovers: "yes",
    async arrange(stage) {
      const agent = await stage.agent();
      const pressed = stage.beacon();
      await agent.open(
        `<input autofocus aria-label=Word onkeydown="if (event.key === 'a' && event.ctrlKey) ${pressed.tell}">`,
      );
      return { agent, tool: "browser_press_key", args: { key: "Ctrl-A" }, reached: pressed.toldOnce };
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
      const url = stage.site.page("<h1>Meant</h1>");
      const intent: Choice[] = [() => ["browser_navigate", { url }]];
      return { agent, tool: "browser_navigate_back", args: {}, intent, reached: shows("Meant") };
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
