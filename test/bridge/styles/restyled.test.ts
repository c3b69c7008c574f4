// Tests style sheets that are edited in place, together with other changes. Only the other changes make mutation
// records.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openBridge } from "../../harness/page.ts";

const bridge = await openBridge();

const PAGE = `<!doctype html>
  <style id=plain>.a { color: red } .z { color: blue }</style>
  <style id=printed media=print>.a { display: none }</style>
  <style id=grouped>@media all { .b { color: red } } @supports (color: red) { .c { color: red } } .d { color: red; .e { color: red } } .z { color: red }</style>
  <p class=a>Aa</p><p class=b>Bb</p><p class=c>Cc</p><div class=d><p class=e>Ee</p></div><p id=text>text</p>`;

const EDITS: [what: string, script: string, shown: RegExp][] = [
  ["a declaration in a rule", "plain.sheet.cssRules[0].style.display = 'none'", /^(?!.*Aa)/s],
  ["a pointer cursor in a rule", "plain.sheet.cssRules[0].style.cursor = 'pointer'", /\[ref=e\d+\]: Aa/],
  ["a whole declaration block", "plain.sheet.cssRules[0].style.cssText = 'visibility: hidden'", /^(?!.*Aa)/s],
  [
    "a rule in the place of another",
    "plain.sheet.deleteRule(0); plain.sheet.insertRule('.a { display: none }', 0)",
    /^(?!.*Aa)/s,
  ],
  ["a rule before others", "plain.sheet.insertRule('.a { display: none }', 0)", /^(?!.*Aa)/s],
  [
    "a rule's selector",
    "plain.sheet.cssRules[0].style.display = 'none'; plain.sheet.cssRules[0].selectorText = '.b'",
    /Aa(?!.*Bb)/s,
  ],
  ["a sheet's medium", "printed.sheet.media.mediaText = 'all'", /^(?!.*Aa)/s],
  [
    "a sheet's being disabled",
    "plain.sheet.insertRule('.b { display: none }', 2); plain.sheet.disabled = true",
    /Bb/,
  ],
  ["a rule under a medium", "grouped.sheet.cssRules[0].cssRules[0].style.display = 'none'", /Aa(?!.*Bb)/s],
  [
    "a rule that comes under a medium",
    "grouped.sheet.cssRules[0].insertRule('.a { display: none }', 0)",
    /^(?!.*Aa)/s,
  ],
  [
    "the medium of rules",
    "grouped.sheet.cssRules[0].cssRules[0].style.display = 'none'; grouped.sheet.cssRules[0].media.mediaText = 'print'",
    /Bb/,
  ],
  [
    "a rule under a condition",
    "grouped.sheet.cssRules[1].cssRules[0].style.visibility = 'hidden'",
    /Bb(?!.*Cc)/s,
  ],
  ["a rule in a rule", "grouped.sheet.cssRules[2].cssRules[0].style.display = 'none'", /Cc(?!.*Ee)/s],
  [
    "a rule that comes into a rule",
    "grouped.sheet.cssRules[2].cssRules[0].insertRule('& { display: none }', 0)",
    /Cc(?!.*Ee)/s,
  ],
  [
    "an adopted sheet",
    "(() => { const sheet = new CSSStyleSheet(); sheet.replaceSync('.a { display: none }'); document.adoptedStyleSheets = [sheet]; })()",
    /^(?!.*Aa)/s,
  ],
];

for (const [what, script, shown] of EDITS) {
  test(`${what} is noticed, whatever else changes with it`, async () => {
    await bridge.open(PAGE);
    await bridge.tree();
    await bridge.run(`${script}; document.getElementById("text").firstChild.data = "changed"`);
    const text = await bridge.tree();
    assert.match(text, /changed/);
    assert.match(text, shown);
  });
}

test("a replaced text of an adopted sheet is noticed, also for elements that came since", async () => {
  await bridge.open(PAGE);
  await bridge.run(
    "globalThis.sheet = new CSSStyleSheet(); sheet.replaceSync('.q { color: red }'); document.adoptedStyleSheets = [sheet]",
  );
  await bridge.tree();
  await bridge.run("sheet.replaceSync('.q { cursor: pointer }')");
  await bridge.tree();
  await bridge.run("text.outerHTML = '<div class=q>Came</div>'");
  assert.match(await bridge.tree(), /generic \[ref=e\d+\]: Came/);
});

test("a changed medium is noticed when the page changes, too", async () => {
  await bridge.open(PAGE);
  assert.match(await bridge.tree(), /Aa/);
  await bridge.page.emulateMediaType("print");
  await bridge.run("text.firstChild.data = 'changed'");
  const printed = await bridge.tree();
  await bridge.page.emulateMediaType("screen");
  await bridge.run("text.firstChild.data = 'again'");
  assert.match(printed, /changed/);
  assert.doesNotMatch(printed, /Aa/);
  assert.match(await bridge.tree(), /Aa/);
});

test("moved styles of another document make a page read again only if its own rules require it", async () => {
  await bridge.open(PAGE);
  const { snapshot } = await bridge.call("tree", {});
  const look = (styleMoved: boolean | "elsewhere") => bridge.call("tree", { styleMoved });
  // A pass over everything makes another tree, whatever it finds.
  assert.equal((await look("elsewhere")).snapshot, snapshot);
  assert.notEqual((await look(true)).snapshot, snapshot);
  await bridge.run("plain.sheet.cssRules[0].style.display = 'none'");
  assert.doesNotMatch((await look("elsewhere")).text, /Aa/);
  await bridge.page.hover("#text");
  await bridge.run("document.querySelector('.d').attachShadow({ mode: 'open' }).innerHTML = '<p>Shadow</p>'");
  assert.match((await look("elsewhere")).text, /Shadow/);
});

const LIMITS = { maxDepth: 1, maxSiblings: 1, maxDescendants: 1 };

test("a change read in between explains moved styles, but not a rule that was edited with it", async () => {
  await bridge.open(PAGE);
  await bridge.tree();
  await bridge.run("text.firstChild.data = 'changed'");
  await bridge.call("resolveContainer", "e1", LIMITS);
  const seen = await bridge.call("newestTree");
  assert.equal((await bridge.call("tree", { styleMoved: true })).snapshot, seen);
  assert.notEqual((await bridge.call("tree", { styleMoved: true })).snapshot, seen);
  await bridge.run("plain.sheet.cssRules[0].style.display = 'none'; text.firstChild.data = 'again'");
  await bridge.call("resolveContainer", "e1", LIMITS);
  assert.doesNotMatch(await bridge.tree({ styleMoved: true }), /Aa/);
});

test("rules without relevant properties are not asked for their values again", async () => {
  await bridge.open(PAGE);
  await bridge.tree();
  await bridge.inWorld(`{
    const { getPropertyValue } = CSSStyleDeclaration.prototype;
    globalThis.asked = 0;
    CSSStyleDeclaration.prototype.getPropertyValue = function (name) { globalThis.asked++; return getPropertyValue.call(this, name); };
  }`);
  await bridge.run("text.firstChild.data = 'changed'");
  assert.match(await bridge.tree({ styleMoved: true }), /changed/);
  // One rule sets `display`. It is asked for the relevant properties, at most for all of their list.
  const asked = (await bridge.inWorld("asked")) as number;
  assert.ok(asked > 0 && asked <= 9, `${asked} values were asked for`);
});

for (const [property, from, to] of [
  ["float", "left", "none"],
  ["content-visibility", "hidden", "visible"],
  ["-webkit-text-security", "disc", "none"],
]) {
  test(`while an animation of ${property} runs, each snapshot reads the whole page`, async () => {
    await bridge.open(
      `<!doctype html><style>@keyframes k { from { ${property}: ${from} } to { ${property}: ${to} } } p { animation: k 60s }</style><p>Moving</p><b id=text>text</b>`,
    );
    const { snapshot } = await bridge.call("tree", {});
    const again = await bridge.call("tree", { styleMoved: "elsewhere" });
    assert.notEqual(again.snapshot, snapshot);
  });
}
