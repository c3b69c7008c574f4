import assert from "node:assert/strict";
import { test } from "node:test";
import type { Need, Point, Readiness } from "../../../worker/bridge/api/bridge-api.ts";
import { openBridge } from "../../harness/page.ts";

const bridge = await openBridge();

/** Opens a page and asks for the element on the line with the text. */
async function ready(html: string, text: string, need: Need = "click"): Promise<Readiness> {
  await bridge.open(`<!doctype html><body>${html}`);
  return await bridge.call("ready", await bridge.refOf(text), need);
}

async function pointOf(readiness: Readiness): Promise<Point> {
  assert.equal(readiness.state, "ready", JSON.stringify(readiness));
  return (readiness as Extract<Readiness, { state: "ready" }>).point;
}

/** Returns the id of the element at a point of the viewport, or else its tag. */
async function idAt({ x, y }: Point): Promise<unknown> {
  return await bridge.run(`(({ id, tagName }) => id || tagName)(document.elementFromPoint(${x}, ${y}))`);
}

test("an element in view is ready at its centre, without scrolling", async () => {
  const readiness = await ready(
    "<button style='position:absolute;left:100px;top:50px;width:80px;height:40px'>A</button>",
    "A",
  );
  assert.deepEqual(readiness, {
    state: "ready",
    element: { ref: "e1", role: "button", name: "A", tag: "button" },
    point: { x: 140, y: 70 },
    box: { x: 100, y: 50, width: 80, height: 40 },
  });
});

test("an element out of view is scrolled into view, even in nested scrollers", async () => {
  const html = `<div style='height:2000px'></div><div style='height:200px;overflow:auto'><div style='height:900px'></div>
    <button id=far>Far</button><div style='height:900px'></div></div><div style='height:2000px'></div>`;
  assert.equal(await idAt(await pointOf(await ready(html, "Far"))), "far");
});

test("a page with smooth scrolling is scrolled at once", async () => {
  const html =
    "<style>html{scroll-behavior:smooth}</style><div style='height:9000px'></div><button id=far>Far</button>";
  assert.equal(await idAt(await pointOf(await ready(html, "Far"))), "far");
});

test("a sticky header does not cover an element that was scrolled into view", async () => {
  const html = `<header style='position:sticky;top:0;height:80px;background:#ccc'>Head</header><div style='height:300px'></div>
    <button id=b>B</button><div style='height:5000px'></div>`;
  await bridge.open(`<!doctype html><body>${html}`);
  const ref = await bridge.refOf("B");
  await bridge.run("scrollTo(0, 340)");
  assert.equal(await idAt(await pointOf(await bridge.call("ready", ref, "click"))), "b");
});

test("the point includes transforms and zoom", async () => {
  const html = `<div style='transform:translate(200px,100px) scale(2) rotate(20deg);width:100px'><button id=b>B</button></div>`;
  assert.equal(await idAt(await pointOf(await ready(html, "B"))), "b");
  assert.equal(
    await idAt(await pointOf(await ready(`<div style='zoom:3'><button id=b>B</button></div>`, "B"))),
    "b",
  );
});

const COVER = "position:fixed;inset:0;background:#0008";

test("a cover is named as the whole dialog", async () => {
  const html = `<button>Buy</button><div style='${COVER}'><div role=dialog aria-label=Cookies style='width:100%;height:100%'><p>We use cookies</p></div></div>`;
  assert.deepEqual(await ready(html, "Buy"), {
    state: "covered",
    element: { ref: "e1", role: "button", name: "Buy", tag: "button" },
    by: { ref: "e2", role: "dialog", name: "Cookies", tag: "div" },
  });
  assert.equal((await bridge.call("ready", "e1", "hover")).state, "covered");
  assert.equal((await bridge.call("ready", "e1", "visible")).state, "ready");
});

test("a cover without a role is named by its text", async () => {
  const covered = await ready(`<button>Buy</button><div style='${COVER}'>Please wait</div>`, "Buy");
  assert.deepEqual("by" in covered && covered.by, {
    ref: "e2",
    role: "generic",
    name: "Please wait",
    tag: "div",
  });
});

test("a half-covered element is ready at a free point", async () => {
  const html = `<button id=b style='position:absolute;left:0;top:0;width:200px;height:40px'>B</button>
    <div style='position:absolute;left:60px;top:0;width:140px;height:40px;background:red'></div>`;
  assert.equal(await idAt(await pointOf(await ready(html, "B"))), "b");
});

test("an element that lets the pointer through covers nothing", async () => {
  const point = await pointOf(
    await ready(`<button id=b>B</button><div style='${COVER};pointer-events:none'></div>`, "B"),
  );
  assert.equal(await idAt(point), "b");
});

test("a card with a button in it is clicked beside the button", async () => {
  const html = `<div id=card onclick='x()' style='width:300px;height:100px;position:relative'>Card
    <button id=inner style='position:absolute;left:100px;top:30px;width:100px;height:40px'>Inner</button></div>`;
  assert.equal(await idAt(await pointOf(await ready(html, "generic"))), "card");
});

test("a part of a link is clicked as the link", async () => {
  const html =
    "<style>#l{position:relative}#l::after{content:'';position:absolute;inset:0}</style><a id=l href=/x><b id=t>Text</b></a>";
  await bridge.open(html);
  await bridge.tree();
  await bridge.call("find", { text: "text", limit: 1 });
  assert.equal(await idAt(await pointOf(await bridge.call("ready", "e1", "click"))), "l");
});

test("a stretched link over another button covers it", async () => {
  const html = `<style>.c{position:relative;width:200px;height:60px}a::after{content:'';position:absolute;inset:0}</style>
    <div class=c><button>Del</button><a id=l href=/x>Open</a></div>`;
  const covered = await ready(html, "Del");
  assert.equal("by" in covered && covered.by.name, "Open");
});

test("an invisible checkbox is clicked by its label", async () => {
  const html = `<style>input{position:absolute;opacity:0;width:1px;height:1px;clip-path:inset(50%)}</style>
    <input type=checkbox id=c><label id=l for=c>Agree</label>`;
  assert.equal(await idAt(await pointOf(await ready(html, "Agree"))), "l");
});

test("a label over its own field does not cover it", async () => {
  const html = `<div style='position:relative'><input id=i style='width:200px'><label for=i style='position:absolute;left:0;top:0;width:200px;height:30px'>Name</label></div>`;
  assert.equal((await ready(html, "Name", "click")).state, "ready");
});

test("the hit test looks into shadow roots and slots", async () => {
  const html =
    "<div id=h><template shadowrootmode=open><button><slot></slot></button></template><span>Go</span></div>";
  assert.equal((await ready(html, "Go")).state, "ready");
});

test("an element is refused if it, a fieldset or aria-disabled on an ancestor disables it", async () => {
  for (const html of [
    "<button disabled>B</button>",
    "<fieldset disabled><button>B</button></fieldset>",
    "<button aria-disabled=true>B</button>",
    "<div aria-disabled=true><div role=button tabindex=0>B</div></div>",
  ]) {
    assert.equal((await ready(html, "B")).state, "disabled", html);
    assert.equal((await bridge.call("ready", "e1", "hover")).state, "ready", html);
  }
});

test("an element that has become invisible is reported as hidden", async () => {
  for (const style of ["display:none", "visibility:hidden"]) {
    await bridge.open("<button id=b>B</button>");
    await bridge.tree();
    await bridge.run(`document.getElementById("b").setAttribute("style", "${style}")`);
    assert.deepEqual(await bridge.call("ready", "e1", "click"), {
      state: "hidden",
      element: { ref: "e1", role: "button", name: "B", tag: "button" },
    });
  }
});

test("an element that cannot be brought into the viewport is reported as hidden", async () => {
  assert.equal((await ready("<button style='position:fixed;left:-500px'>B</button>", "B")).state, "hidden");
  assert.equal(
    (await ready("<button style='position:fixed;left:-500px'>B</button>", "B", "visible")).state,
    "ready",
  );
});

test("a moving element is awaited until it is stable", async () => {
  const html = `<style>@keyframes m{from{left:0}to{left:300px}}#b{position:absolute;animation:m .3s forwards}</style><button id=b>B</button>`;
  const readiness = await ready(html, "B");
  assert.equal(readiness.state === "ready" && readiness.box.x, 300);
});

test("an element that is never stable is pressed at its present position", async () => {
  for (const html of [
    `<style>@keyframes m{from{left:0}to{left:300px}}#b{position:absolute;animation:m .3s infinite alternate linear}</style><button id=b>B</button>`,
    `<button id=b style="position:absolute">B</button><script>let x = 0; (function step() { b.style.left = (x++ % 100) + "px"; requestAnimationFrame(step); })()</script>`,
  ])
    assert.equal((await ready(html, "B")).state, "ready");
});

test("a cover that is disappearing is awaited, and a cover that stays is not", async () => {
  const cover = (css: string, end: string) => `<button>B</button>
    <style>@keyframes fade{to{opacity:0}}#veil{position:fixed;inset:0;background:#fff;${css}}</style><div id=veil>Veil</div>
    <script>${end}</script>`;
  const removed = "veil.onanimationend = () => setTimeout(() => veil.remove(), 30)";
  assert.equal((await ready(cover("animation:fade .3s forwards", removed), "B")).state, "ready");
  assert.equal((await ready(cover("animation:fade .1s forwards", ""), "B")).state, "covered");
  assert.equal((await ready(cover("animation:fade .1s infinite", ""), "B")).state, "covered");
  assert.equal((await ready(cover("", ""), "B")).state, "covered");
});

test("a hidden control is clicked through its own wrapper, but not through one that holds other controls", async () => {
  const hidden = "position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0 0 0 0);margin:-1px";
  const radio = `<input type=radio aria-label=B style="${hidden}">`;
  const box = (more: string) =>
    `<div style="position:relative;width:200px;height:30px">${radio}<span style="position:absolute;inset:0">dot</span>${more}</div>`;
  const { state } = await ready(box(""), "B");
  assert.equal(state, "ready");
  assert.equal((await ready(box("<button>Other</button>"), "B")).state, "covered");
  assert.equal(
    (
      await ready(
        `<div style="position:relative"><button style="width:99px">B</button><span style="position:absolute;inset:0">Loading</span></div>`,
        "B",
      )
    ).state,
    "covered",
  );
});

test("a pulse that moves nothing does not count as movement", async () => {
  const html =
    "<style>@keyframes p{to{opacity:.5}}#b{animation:p .2s infinite alternate}</style><button id=b>B</button>";
  assert.equal((await ready(html, "B")).state, "ready");
});

test("an edit needs a field that takes text", async () => {
  const states: [html: string, state: string][] = [
    ["<input aria-label=B>", "ready"],
    ["<textarea aria-label=B></textarea>", "ready"],
    ["<div contenteditable aria-label=B></div>", "ready"],
    ["<input aria-label=B readonly>", "readonly"],
    ["<input aria-label=B aria-readonly=true>", "readonly"],
    ["<input aria-label=B disabled>", "disabled"],
    ["<button>B</button>", "not-editable"],
    ["<input type=checkbox aria-label=B>", "not-editable"],
    ["<a href=/x>B</a>", "not-editable"],
  ];
  for (const [html, state] of states) assert.equal((await ready(html, "B", "edit")).state, state, html);
});

test("the box is that of the element, or undefined if it has none", async () => {
  await bridge.open("<button style='position:absolute;left:5px;top:6px;width:70px;height:20px'>A</button>");
  await bridge.tree();
  assert.deepEqual(await bridge.call("box", "e1"), { x: 5, y: 6, width: 70, height: 20 });
  assert.equal(await bridge.call("box", "e9"), undefined);
});

test("an iframe's content box counts border, padding and scale, and brings the point into view", async () => {
  await bridge.open(`<!doctype html><body style='margin:0'><div style='height:3000px'></div>
    <iframe title=P style='border:5px solid;padding:10px;width:200px;height:100px;transform:scale(2);transform-origin:0 0' srcdoc='x'></iframe>
    <div style='height:3000px'></div>`);
  const ref = await bridge.refOf("iframe");
  const box = await bridge.call("frameBox", ref, { x: 50, y: 50 });
  assert.equal(box.state, "ready", JSON.stringify(box));
  if (box.state !== "ready") return;
  assert.deepEqual([box.x, box.scaleX, box.scaleY], [30, 2, 2]);
  assert.equal(await idAt({ x: box.x + 100, y: box.y + 100 }), "IFRAME");
});

test("a cover over an iframe's point is named", async () => {
  await bridge.open(
    `<iframe title=P srcdoc='x'></iframe><div role=dialog aria-label=Stop style='${COVER}'>Stop</div>`,
  );
  const box = await bridge.call("frameBox", await bridge.refOf("iframe"), { x: 5, y: 5 });
  assert.equal(box.state === "covered" && box.by.name, "Stop");
});

test("numbered boxes appear over the elements in view and are removed again", async () => {
  await bridge.open("<button>A</button><div style='height:5000px'></div><button>Far</button>");
  await bridge.tree();
  assert.deepEqual(await bridge.call("mark"), [{ ref: "e1", role: "button", name: "A" }]);
  assert.equal(await bridge.run("document.documentElement.children.length"), 3);
  assert.equal(await bridge.tree(), `- button "A" [ref=e1]\n- button "Far" [ref=e2]`);
  await bridge.call("unmark");
  assert.equal(await bridge.run("document.documentElement.children.length"), 2);
});
