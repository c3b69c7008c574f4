import assert from "node:assert/strict";
import { test } from "node:test";
import { openBridge } from "../../harness/page.ts";

const bridge = await openBridge();

/** Opens a page and begins to edit the element on the text's line. */
async function edit(html: string, text: string) {
  await bridge.open(`<!doctype html><body>${html}`);
  return await bridge.call("beginEdit", await bridge.refOf(text));
}

/** Types over the selection and returns the text of the page's focused element. */
async function typed(text: string): Promise<unknown> {
  await bridge.page.keyboard.sendCharacter(text);
  return await bridge.run(`(() => {
    let el = document.activeElement;
    while (el.shadowRoot?.activeElement) el = el.shadowRoot.activeElement;
    return el.value ?? el.textContent;
  })()`);
}

const fields: [what: string, html: string, kind: string][] = [
  ["a text input", "<input aria-label=F value='old text'>", "text"],
  ["an email input", "<input type=email aria-label=F value=a@b.c>", "text"],
  ["a number input", "<input type=number aria-label=F value=12>", "text"],
  ["a textarea", "<textarea aria-label=F>old\ntext</textarea>", "text"],
  ["a contenteditable", "<div contenteditable aria-label=F><p>old</p><p>text</p></div>", "rich"],
  [
    "a field in a shadow root",
    "<div><template shadowrootmode=open><input aria-label=F value=old></template></div>",
    "text",
  ],
  [
    "an editor in a shadow root",
    "<div><template shadowrootmode=open><div contenteditable aria-label=F>old</div></template></div>",
    "rich",
  ],
];
for (const [what, html, kind] of fields) {
  test(`${what} is focused with all it holds selected`, async () => {
    const begun = await edit(html, "F");
    assert.equal(begun.state === "ready" && begun.kind, kind, JSON.stringify(begun));
    assert.equal(begun.state === "ready" && begun.empty, false);
    assert.equal(await typed("7"), "7");
  });
}

test("an empty field is reported as empty", async () => {
  const begun = await edit("<input aria-label=F>", "F");
  assert.equal(begun.state === "ready" && begun.empty, true);
});

test("a wrapper's only field takes the text", async () => {
  const begun = await edit(
    "<div role=combobox tabindex=0 aria-label=Country><input value=old></div>",
    "Country",
  );
  assert.equal(begun.state === "ready" && begun.kind, "text");
  assert.equal(await typed("x"), "x");
});

test("a field without typed text reports how its value is set", async () => {
  for (const [html, kind] of [
    ["<input type=date aria-label=F>", "value"],
    ["<input type=range aria-label=F>", "value"],
    ["<input type=color aria-label=F>", "value"],
    ["<select aria-label=F><option>a</select>", "select"],
  ] as const) {
    const begun = await edit(html, "F");
    assert.equal(begun.state === "ready" && begun.kind, kind, html);
  }
});

test("an element that cannot be edited is refused with the reason", async () => {
  for (const html of ["<button>F</button>", "<input type=checkbox aria-label=F>"]) {
    const refused = await edit(html, "F");
    assert.ok(refused.state === "not-editable" && !refused.file, html);
  }
  const file = await edit("<input type=file aria-label=F>", "F");
  assert.ok(file.state === "not-editable" && file.file);
  assert.equal((await edit("<input aria-label=F readonly>", "F")).state, "readonly");
  assert.equal((await edit("<input aria-label=F disabled>", "F")).state, "disabled");
  assert.equal((await bridge.call("beginEdit", "e99")).state, "unknown");
});

test("without a ref, the focused element is edited", async () => {
  await bridge.open("<input aria-label=A><input id=b aria-label=B value=old><button id=c>C</button>");
  assert.deepEqual(await bridge.call("beginEdit", undefined), { state: "nothing-focused" });
  await bridge.page.focus("#b");
  const begun = await bridge.call("beginEdit", undefined);
  assert.equal(begun.state === "ready" && begun.element.ref, "e1");
  assert.equal(await typed("new"), "new");
  await bridge.page.focus("#c");
  assert.equal((await bridge.call("beginEdit", undefined)).state, "not-editable");
});

test("a focus inside an iframe is reported with the iframe's ref", async () => {
  await bridge.open("<iframe title=P srcdoc='<input autofocus>'></iframe>");
  const frame = bridge.page.frames()[1];
  await frame?.focus("input");
  assert.deepEqual(await bridge.call("beginEdit", undefined), { state: "in-frame", ref: "e1" });
});

const EVENTS = `<script>log=[];for(const t of['input','change'])addEventListener(t,e=>log.push(t+' '+e.target.value),true)</script>`;
const events = () => bridge.run("window.log.splice(0)");

test("a set value sends input and change, and a malformed value returns the expected format", async () => {
  await edit(`${EVENTS}<input type=date aria-label=F value=2026-01-01 min=2020-01-01>`, "F");
  assert.deepEqual(await bridge.call("setValue", "e1", "2026-03-31"), { state: "ready" });
  assert.deepEqual(await events(), ["input 2026-03-31", "change 2026-03-31"]);
  assert.deepEqual(await bridge.call("setValue", "e1", "31.3.2026"), {
    state: "malformed",
    expected: "YYYY-MM-DD, as in 2026-03-31, min 2020-01-01",
  });
  assert.deepEqual(await events(), []);
  assert.match(await bridge.tree(), /: 2026-03-31$/);
  assert.deepEqual(await bridge.call("setValue", undefined, ""), { state: "ready" });
  assert.deepEqual(await bridge.call("setValue", "e9", "x"), { state: "unknown" });
});

test("times, months, colours and sliders are set in the same way", async () => {
  for (const [type, good, bad] of [
    ["time", "14:30", "2 pm"],
    ["month", "2026-03", "March"],
    ["week", "2026-W14", "14"],
    ["datetime-local", "2026-03-31T14:30", "now"],
    ["color", "#FF8800", "orange"],
    ["range", "30", "loud"],
  ] as const) {
    await edit(`<input type=${type} aria-label=F>`, "F");
    assert.equal((await bridge.call("setValue", "e1", bad)).state, "malformed", type);
    assert.equal((await bridge.call("setValue", "e1", good)).state, "ready", type);
    const value = await bridge.run("document.querySelector('input')?.value");
    assert.equal(value, good.toLowerCase().replace("t14", "T14").replace("w14", "W14"));
  }
});

const SELECT = `${EVENTS}<select aria-label=Size><option value=s>Small<option value=m selected>Medium<option value=l>Large
  <option disabled>Huge<optgroup disabled label=Old><option>Tiny</optgroup></select>`;

test("an option is chosen by its text or value, without regard to case", async () => {
  await edit(SELECT, "Size");
  assert.deepEqual(await bridge.call("choose", "e1", ["Large"]), { state: "ready", chosen: ["Large"] });
  assert.deepEqual(await events(), ["input l", "change l"]);
  assert.deepEqual(await bridge.call("choose", "e1", ["s"]), { state: "ready", chosen: ["Small"] });
  assert.deepEqual(await bridge.call("choose", "e1", ["  mEDIUM "]), { state: "ready", chosen: ["Medium"] });
  await events();
  assert.deepEqual(await bridge.call("choose", "e1", ["Medium"]), { state: "ready", chosen: ["Medium"] });
  assert.deepEqual(await events(), []);
  assert.deepEqual(await bridge.call("choose", undefined, ["Small"]), { state: "ready", chosen: ["Small"] });
});

test("an impossible choice is refused with the possible options", async () => {
  await edit(SELECT, "Size");
  const options = ["Small", "Medium", "Large"];
  const refused = (missing: string) => ({ state: "no-option", missing, options });
  assert.deepEqual(await bridge.call("choose", "e1", ["Giant"]), refused("Giant"));
  for (const there of ["Huge", "Tiny"])
    assert.deepEqual(await bridge.call("choose", "e1", [there]), { ...refused(there), disabled: true });
  assert.deepEqual(await bridge.call("choose", "e1", ["Small", "Large"]), { state: "not-multiple", options });
  assert.deepEqual(await bridge.call("choose", "e9", ["x"]), { state: "unknown" });
  await bridge.treeOf("<button>B</button>");
  assert.deepEqual(await bridge.call("choose", "e1", ["x"]), { state: "not-select" });
});

test("a multiple select ends with exactly the named options", async () => {
  await edit("<select multiple aria-label=F><option selected>a<option>b<option>c</select>", "listbox");
  assert.deepEqual(await bridge.call("choose", "e1", ["b", "c"]), { state: "ready", chosen: ["b", "c"] });
  assert.deepEqual(await bridge.call("choose", "e1", []), { state: "ready", chosen: [] });
});
