// Tests that looks whose questions leave in one write show the page as it is.
import assert from "node:assert/strict";
import { test } from "node:test";
import { stage } from "../../harness/worker.ts";
import { clicked } from "../actions/settling/slow-pages.ts";

const { worker, site } = await stage();

test("a page whose styles move all the time is shown as it is at each look", async () => {
  await using session = worker.session();
  const url =
    site.page(`<style>@keyframes turn { to { rotate: 1turn } } i { animation: turn 1s infinite; display: block }
    #late { visibility: hidden } body:has(#go:hover) #late { visibility: visible }</style>
    <i></i><button id=go>Go</button><p id=late>Late</p>`);
  const shown = await session.open(url);
  assert.doesNotMatch(shown, /Late/);
  const go = /button "Go" \[ref=(e\d+)\]/.exec(shown)?.[1] ?? "";
  await session.do("browser_hover", { ref: go });
  for (let times = 0; times < 3; times++) assert.match(await session.read(), /Late/);
});

test("listeners that come with a click are known in its reply", async () => {
  await using session = worker.session();
  const shown = await session.open(
    site.page(`<button id=go>Add</button><div id=list></div><script>
      go.onclick = () => {
        const row = document.createElement("div");
        row.textContent = "Row";
        row.onclick = () => { row.textContent = "Pressed" };
        list.append(row);
      };</script>`),
  );
  const reply = await clicked(session, shown, "Add");
  assert.match(reply, /Row.*\[ref=e\d+\]|\[ref=e\d+\].*Row/);
});

test("a listener that comes between the load and the first look is known in it", async () => {
  await using session = worker.session();
  const url = site.page(`<div id=row>Row</div><script>
    addEventListener("load", () => setTimeout(() => { row.onclick = () => { row.textContent = "Pressed" } }, 20));</script>`);
  assert.match(await session.open(url), /Row.*\[ref=e\d+\]|\[ref=e\d+\].*Row/);
});
