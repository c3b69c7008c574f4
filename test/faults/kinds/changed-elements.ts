// Elements that the page has replaced or given another meaning since their delivery.
import { refOf } from "../../harness/troupe.ts";
import type { Fault } from "../stage/fault.ts";
import type { Stage } from "../stage/fault-harness.ts";
import { onPage, when } from "./on-page.ts";

/** A change that the page makes when the test calls `made`, after the agent has read the page. */
function changeOf({ site }: Stage, script: string) {
  const [begins, over] = [site.hold(), site.hold()];
  return {
    script: when(begins, `${script}; fetch('${over.url}')`),
    /** Resolves when the page has changed. */
    async made(): Promise<void> {
      for (const each of [over, begins]) each.release();
      await over.asked();
    },
  };
}

export const changedElements: Fault[] = [
  onPage({
    name: "a button that the page has rendered anew",
    type: "STALE_REF",
    recovers: "yes",
    html: ({ done }) => `<div id=box><button onclick="${done}">Save</button></div>
      <button onclick="box.innerHTML = box.innerHTML">Render</button>`,
    first: ["button", "Render"],
    on: ["button", "Save"],
  }),
  onPage({
    name: "a field that the page has rendered anew",
    type: "STALE_REF",
    recovers: "yes",
    html: ({ done }) => `<div id=box><input aria-label=City oninput="if (value === 'Oslo') ${done}"></div>
      <button onclick="box.innerHTML = box.innerHTML">Render</button>`,
    first: ["button", "Render"],
    on: ["textbox", "City"],
    tool: "browser_type",
    args: { text: "Oslo" },
  }),
  {
    name: "a row's button among look-alikes, rendered anew",
    type: "STALE_REF",
    recovers: "yes",
    async arrange(stage) {
      const agent = await stage.agent();
      const deleted = stage.beacon();
      const row = (who: string, script = "") => `<li>${who} <button onclick="${script}">Delete</button></li>`;
      const html = `<ul id=list>${row("Ada")}${row("Bob", deleted.tell)}${row("Cleo")}</ul>
        <button onclick="list.innerHTML = list.innerHTML">Render</button>`;
      const page = await agent.open(html);
      const bob = /Bob[\s\S]*?\[ref=(\w+)\]/.exec(page)?.[1] ?? "";
      await agent.text("browser_click", { ref: refOf(page, "button", "Render") });
      return { agent, tool: "browser_click", args: { ref: bob }, reached: deleted.toldOnce };
    },
  },
  onPage({
    name: "a long text for a field that the page has rendered anew",
    type: "STALE_REF",
    recovers: "yes",
    html: ({ done }) =>
      `<div id=box><textarea aria-label=Letter oninput="if (value.length === 2500) ${done}"></textarea></div>
      <button onclick="box.innerHTML = box.innerHTML">Render</button>`,
    first: ["button", "Render"],
    on: ["textbox", "Letter"],
    tool: "browser_type",
    args: { text: "Dear Ada. ".repeat(250) },
  }),
  onPage({
    name: "a button in a frame of another site, rendered anew",
    type: "STALE_REF",
    recovers: "yes",
    html({ doneUrl, site }) {
      const inner =
        site.page(`<div id=box><button onclick="fetch('${doneUrl}', {mode: 'no-cors'})">Pay</button></div>
        <button onclick="box.innerHTML = box.innerHTML">Render</button>`);
      return `<iframe src="${site.elsewhere(inner)}"></iframe>`;
    },
    first: ["button", "Render"],
    on: ["button", "Pay"],
  }),
  {
    name: "a row that is gone for good, among look-alikes",
    type: "STALE_REF",
    recovers: "asks",
    async arrange(stage) {
      const agent = await stage.agent();
      const wrong = stage.beacon();
      const html = `<ul><li id=ada>Ada <button>Delete</button></li><li>Bob <button onclick="${wrong.tell}">Delete</button></li></ul>
        <button onclick="ada.remove()">Forget</button>`;
      const page = await agent.open(html);
      const ada = /Ada[\s\S]*?\[ref=(\w+)\]/.exec(page)?.[1] ?? "";
      await agent.text("browser_click", { ref: refOf(page, "button", "Forget") });
      return { agent, tool: "browser_click", args: { ref: ada }, unharmed: wrong.untold };
    },
  },
  {
    name: "a recycled row that shows another record, the one meant further down",
    type: "ELEMENT_CHANGED",
    recovers: "yes",
    async arrange(stage) {
      const agent = await stage.agent();
      const bought = stage.beacon();
      const sorting = changeOf(
        stage,
        "one.textContent = 'Buy milk'; two.textContent = 'Buy tea'; two.onclick = one.onclick; one.onclick = null",
      );
      const html = `<ul><li><button id=one>Buy tea</button></li><li><button id=two>Buy milk</button></li></ul>
        <script>${sorting.script};
        one.onclick = () => ${bought.tell}</script>`;
      const page = await agent.open(html);
      await sorting.made();
      const args = { ref: refOf(page, "button", "Buy tea") };
      return { agent, tool: "browser_click", args, reached: bought.toldOnce };
    },
  },
  {
    name: "a recycled row that shows another record, the one meant nowhere",
    type: "ELEMENT_CHANGED",
    recovers: "asks",
    async arrange(stage) {
      const agent = await stage.agent();
      const wrong = stage.beacon();
      const sorting = changeOf(stage, "one.textContent = 'Delete Bob'");
      const html = `<ul><li><button id=one onclick="${wrong.tell}">Delete Ada</button></li></ul>
        <script>${sorting.script}</script>`;
      const page = await agent.open(html);
      await sorting.made();
      const args = { ref: refOf(page, "button", "Delete Ada") };
      return { agent, tool: "browser_click", args, unharmed: wrong.untold };
    },
  },
];
