// Tests that a script which hears of a control's colours has its say in the reply.
import assert from "node:assert/strict";
import { test } from "node:test";
import { stage } from "../../../harness/worker.ts";
import { clicked, page } from "./slow-pages.ts";

const { worker, site } = await stage();

const STYLE = `<style>#go { background: white; transition: background-color .4s } #go.on { background: red }</style>`;

for (const [where, go] of [
  ["on the control", "go.addEventListener('transitionend', () => show('coloured'));"],
  ["on an attribute", "go.setAttribute('ontransitionend', 'show(\"coloured\")');"],
  ["on the document", "document.addEventListener('transitionend', () => show('coloured'), true);"],
  ["on the window", "addEventListener('transitionend', () => show('coloured'));"],
  ["on its beginning", "addEventListener('transitionstart', () => setTimeout(() => show('coloured'), 400));"],
] as const)
  test(`a reply has what a listener ${where} does`, async () => {
    await using session = worker.session();
    const shown = await session.open(page(site, `${go} go.onclick = () => go.classList.add("on");`, STYLE));
    assert.match(await clicked(session, shown), /coloured/);
  });

test("a reply has what a listener does that the click itself adds", async () => {
  await using session = worker.session();
  const go = `let times = 0;
    go.onclick = () => {
      go.classList.toggle("on");
      if (++times === 2) go.addEventListener("transitionend", () => show("coloured"));
    };`;
  const shown = await session.open(page(site, go, STYLE));
  assert.doesNotMatch(await clicked(session, shown), /coloured/);
  assert.match(await clicked(session, shown), /coloured/);
});

for (const [how, go] of [
  [
    "its promise",
    "Promise.all(go.getAnimations().map(({ finished }) => finished)).then(() => show('coloured'));",
  ],
  ["its event", "go.getAnimations()[0].onfinish = () => show('coloured');"],
] as const)
  test(`a reply has what a script does that follows a transition by ${how}`, async () => {
    await using session = worker.session();
    const clicks = `go.onclick = () => { go.classList.add("on"); ${go} };`;
    const shown = await session.open(page(site, clicks, STYLE));
    assert.match(await clicked(session, shown), /coloured/);
  });
