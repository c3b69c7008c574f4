// Tests how a page hides its secrets for a picture, and that it is as before afterwards.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openBridge } from "../../harness/page.ts";

const bridge = await openBridge();

const SECRET = "correct-horse";
/** The ways in which an element may show the secret. Each is to have the id `out`. */
const SHOWN: Record<string, string> = {
  "a button": `<button id=out>Go on as ${SECRET}</button>`,
  "a link with transitions": `<style>* { transition: all 60s }</style><a href="#x" id=out>${SECRET}</a>`,
  "a field": `<input id=out aria-label="Copy" value="${SECRET}">`,
  "a field with a style of its own": `<input id=out style="color: red; visibility: visible !important;" value="${SECRET}">`,
  "a list": `<select id=out aria-label="Which"><option>${SECRET}</option></select>`,
  "an element without a box": `<p><b id=out style="display: contents;">${SECRET}</b></p>`,
  "a modal dialog": `<dialog id=out><button>${SECRET}</button></dialog><script>out.showModal(); document.activeElement.blur()</script>`,
  "a form with a field named style": `<form id=out>${SECRET}</form><input name=style form=out>`,
  "visible text in hidden text": `<p id=out style="visibility: hidden;"><b style="visibility: visible;">${SECRET}</b></p>`,
};

const html = () => bridge.run("document.documentElement.outerHTML");
const deepest =
  "(() => { let el = out; while (el.firstElementChild) el = el.firstElementChild; return el })()";
const visibility = () => bridge.run(`getComputedStyle(${deepest}).visibility`);

const twoFrames = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))";

/** Returns the document's text, and the place of the secret in it. */
async function shownSecret(): Promise<{ text: string | undefined; parts: [number, number][] }> {
  const { text } = await bridge.call("shownText");
  const from = text?.indexOf(SECRET) ?? -1;
  assert.ok(from >= 0, String(text));
  return { text, parts: [[from, from + SECRET.length]] };
}

for (const [what, content] of Object.entries(SHOWN))
  for (const isWhole of [false, true])
    test(`${what} with a secret is hidden at once when ${isWhole ? "all" : "it"} is, and is there at once afterwards`, async () => {
      await bridge.open(`<!doctype html><title>Echo</title>${content}<p>More</p>`);
      const before = { html: await html(), tree: await bridge.tree() };
      const { text, parts } = await shownSecret();
      await bridge.call("veil", isWhole ? undefined : parts, [], false);
      assert.equal(await visibility(), "hidden");
      assert.deepEqual(await bridge.call("shownText"), { text, holds: true });
      await bridge.call("unveil");
      assert.equal(await visibility(), "visible");
      assert.deepEqual({ html: await html(), tree: await bridge.tree() }, before);
    });

test("an element with the focus keeps it while its secret is hidden, and the page hears nothing", async () => {
  await bridge.open(`<!doctype html><input id=out aria-label="Code" value="${SECRET}">
    <script>heard = []; for (const each of ["focus", "blur"]) addEventListener(each, () => heard.push(each), true)</script>`);
  await bridge.run("out.focus()");
  const { parts } = await shownSecret();
  await bridge.call("veil", parts, [], false);
  await bridge.run(twoFrames);
  assert.equal((await bridge.call("shownText")).holds, true);
  await bridge.call("unveil");
  assert.deepEqual(await bridge.run("[document.activeElement.id, ...heard]"), ["out", "focus"]);
});

test("a change that is under way elsewhere goes on while a secret is hidden", async () => {
  await bridge.open(`<!doctype html><style>div { transition: all 600s linear } .moved { margin-left: 600px; visibility: hidden }</style>
    <div id=panel>Menu</div><p id=out>${SECRET}</p><script>ended = []; for (const each of ["transitionend", "transitioncancel"])
    addEventListener(each, ({ propertyName }) => ended.push(propertyName)); panel.getBoundingClientRect(); panel.className = "moved"</script>`);
  const { parts } = await shownSecret();
  await bridge.call("veil", parts, [], false);
  await bridge.call("unveil");
  assert.deepEqual(await bridge.run(`${twoFrames}.then(() => ended)`), []);
  assert.equal(await bridge.run("panel.getAnimations().length"), 2);
});
