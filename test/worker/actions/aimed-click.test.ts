// Tests presses that would meet another element than intended. The page does not hear of them, and they are aimed
// again. The pages move elements as the pointer arrives, which is after the aim and before the press.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../../proto/wire/struct.ts";
import { refOf, stage } from "../../harness/worker.ts";

const { worker, site } = await stage();

/**
 * Records in the page which events of a click its document heard, and for which element. It listens before all
 * elements.
 */
const RECORDER = `<output id=heard style="position:fixed;bottom:0;pointer-events:none"></output><script>
  for (const type of "pointerdown mousedown pointerup mouseup click auxclick dblclick contextmenu".split(" "))
    document.addEventListener(type, (event) => { heard.textContent += type + ">" + event.target.id + ";"; }, true);
</script>`;

const BUTTONS = `<style>button { position: absolute; top: 60px; width: 100px; height: 40px } .left { left: 0 } .right { left: 300px }</style>
  <button id=save class=left>Save</button><button id=delete class=right>Delete</button>`;
const SWAP = `for (const each of [save, document.getElementById("delete")]) { each.classList.toggle("left"); each.classList.toggle("right"); }`;
const SWAPPED_ONCE = `${BUTTONS}<script>save.addEventListener("mousemove", () => { ${SWAP} }, { once: true });</script>`;

const page = (body: string) => site.page(`<!doctype html><body style="margin:0">${RECORDER}${body}`);
/** The events that the page has heard, as its text shows them. */
const heardIn = (text: string) => /[a-z]+>[^"\n]*;/.exec(text)?.[0] ?? "";
const clickOf = (id: string) =>
  ["pointerdown", "mousedown", "pointerup", "mouseup", "click"].map((type) => `${type}>${id};`).join("");

test("a click meets its target though another element takes its place as the pointer arrives", async () => {
  await using session = worker.session();
  const text = await session.open(page(SWAPPED_ONCE));
  const { text: reply } = await session.do("browser_click", { ref: refOf(text, '"Save"') });
  assert.match(reply, /^Clicked e\d+ button "Save"/);
  assert.equal(heardIn(await session.read()), clickOf("save"));
});

test("double clicks, right clicks, middle clicks and clicks with modifiers meet their target too", async () => {
  const ways: JsonObject[] = [
    { doubleClick: true },
    { button: "right" },
    { button: "middle" },
    { modifiers: ["shift"] },
    { button: "right", doubleClick: true },
  ];
  for (const args of ways) {
    await using session = worker.session();
    const text = await session.open(page(SWAPPED_ONCE));
    await session.do("browser_click", { ref: refOf(text, '"Save"'), ...args });
    const heard = heardIn(await session.read());
    assert.match(heard, /pointerdown>save.*mousedown>save.*mouseup>save/, JSON.stringify(args));
    assert.doesNotMatch(heard, /delete/, JSON.stringify(args));
    const last = args.button ? "auxclick" : args.doubleClick ? "dblclick" : "click";
    assert.match(heard, new RegExp(`${last}>save;`), JSON.stringify(args));
  }
});

test("a click waits for a cover that comes with the pointer to go", async () => {
  await using session = worker.session();
  const text = await session.open(
    page(`${BUTTONS}<div id=veil hidden style="position:fixed;inset:0"></div><script>
      save.addEventListener("mousemove", () => {
        veil.hidden = false;
        requestAnimationFrame(() => { veil.hidden = true; });
      }, { once: true });</script>`),
  );
  await session.do("browser_click", { ref: refOf(text, '"Save"') });
  assert.equal(heardIn(await session.read()), clickOf("save"));
});

test("an element that always evades the pointer is refused as moving, and nothing is clicked", async () => {
  await using session = worker.session();
  const text = await session.open(
    page(`${BUTTONS}<script>save.addEventListener("mousemove", () => { ${SWAP} });</script>`),
  );
  const ref = refOf(text, '"Save"');
  const refusal = await session.refuse("ELEMENT_NOT_VISIBLE", "browser_click", { ref });
  assert.match(refusal.text, /kept moving/);
  assert.equal(heardIn(await session.read()), "");
});

test("a cover that comes with the pointer and stays is named and not clicked", async () => {
  await using session = worker.session();
  const text = await session.open(
    page(`${BUTTONS}<div id=veil hidden role=dialog aria-label=Veil style="position:fixed;inset:0">Veil</div><script>
      save.addEventListener("mousemove", () => { veil.hidden = false; });</script>`),
  );
  const ref = refOf(text, '"Save"');
  const refusal = await session.refuse("ELEMENT_COVERED", "browser_click", { ref });
  assert.match(refusal.text, /dialog "Veil"/);
  assert.equal(heardIn(await session.read()), "");
});

test("after a press that missed, the page hears all later input", async () => {
  await using session = worker.session();
  const text = await session.open(
    page(`${BUTTONS}<script>const dodge = () => { ${SWAP} }; addEventListener("mousemove", dodge);
      addEventListener("focusin", () => removeEventListener("mousemove", dodge));</script>`),
  );
  await session.refuse("ELEMENT_NOT_VISIBLE", "browser_click", { ref: refOf(text, '"Save"') });
  // The focus moves from the place of the press, past the page's end and to its beginning.
  for (let press = 0; press < 2; press++) await session.do("browser_press_key", { key: "Tab" });
  await session.do("browser_press_key", { key: "Enter" });
  const byKey = heardIn(await session.read());
  assert.match(byKey, /^click>\w+;$/);
  await session.do("browser_click", { ref: refOf(text, '"Delete"') });
  assert.equal(heardIn(await session.read()), byKey + clickOf("delete"));
});

test("a handler's change to the element after the press began is no miss", async () => {
  for (const [what, handler] of Object.entries({
    removed: "this.remove()",
    moved: SWAP.replaceAll('"', "'"),
    replaced: "const other = this.cloneNode(true); other.id = 'other'; this.replaceWith(other)",
  })) {
    await using session = worker.session();
    const text = await session.open(page(BUTTONS.replace("id=save", `id=save onmousedown="${handler}"`)));
    await session.do("browser_click", { ref: refOf(text, '"Save"') });
    const heard = heardIn(await session.read());
    assert.match(heard, /^pointerdown>save;mousedown>save;pointerup>/, what);
    assert.equal(heard.match(/mousedown/g)?.length, 1, what);
  }
});

test("an element that is rebuilt whenever the pointer moves is clicked once", async () => {
  await using session = worker.session();
  const text = await session.open(
    page(`<ul id=list style="margin:0"></ul><script>
      const draw = () => { list.innerHTML = "<li><button id=one>One</button><li><button id=two>Two</button>"; };
      draw();
      addEventListener("mousemove", draw);</script>`),
  );
  await session.do("browser_click", { ref: refOf(text, '"Two"') });
  assert.equal(heardIn(await session.read()), clickOf("two"));
});

/**
 * Rows that are alike but for their name. `change` is done once, as the pointer arrives at a button. Chrome may also
 * report a pointer at the page's corner as it opens.
 */
const rowsThat = (change: string) =>
  page(`<ul id=list style="margin:0"></ul><script>
    for (const name of ["Ada", "Bob", "Cy"])
      list.insertAdjacentHTML("beforeend", "<li><span>" + name + "</span> <button id=" + name + ">Delete</button>");
    list.addEventListener("mousemove", ({ target }) => {
      if (target.localName !== "button" || list.changed) return;
      list.changed = true;
      ${change}
    });</script>`);

test("a row that becomes another one or is disabled as the pointer arrives is not clicked", async () => {
  const changes = {
    ELEMENT_CHANGED: `const spans = [...list.querySelectorAll("span")];
      spans.map((_span, at) => spans[(at + 1) % 3].textContent).forEach((text, at) => { spans[at].textContent = text; });`,
    STALE_REF: "list.children[1].remove();",
    ELEMENT_DISABLED: "Bob.disabled = true;",
  } as const;
  for (const type of ["ELEMENT_CHANGED", "STALE_REF", "ELEMENT_DISABLED"] as const) {
    await using session = worker.session();
    const text = await session.open(rowsThat(changes[type]));
    const bob = /Bob.*\n?.*Delete" \[ref=(e\d+)\]/.exec(text)?.[1] ?? "";
    await session.refuse(type, "browser_click", { ref: bob });
    assert.equal(heardIn(await session.read()), "", type);
  }
});

test("a click meets its target in frames of this and another site, and in shadow roots", async () => {
  const inner = page(SWAPPED_ONCE);
  const shadow = (mode: string) =>
    page(`<div id=save><template shadowrootmode=${mode}>${BUTTONS}<slot></slot></template></div><script>
      const host = document.getElementById("save");
      host.addEventListener("mousemove", () => { host.style.cssText = "position:absolute;left:0;top:200px"; }, { once: true });
    </script><button id=under class=left style="position:absolute;top:60px;width:100px;height:40px">Under</button>
    <style>#save { position: relative; z-index: 1 }</style>`);
  const frame = (url: string) => site.page(`<iframe title=F style="margin:90px" src="${url}"></iframe>`);
  for (const [where, url] of Object.entries({
    "a frame": frame(inner),
    "a frame of another site": frame(site.elsewhere(inner)),
    "an open shadow root": shadow("open"),
    "a closed shadow root": shadow("closed"),
  })) {
    await using session = worker.session();
    const text = await session.open(url);
    await session.do("browser_click", { ref: refOf(text, '"Save"') });
    assert.equal(heardIn(await session.read()), clickOf("save"), where);
  }
});

test("a cover that the outer page lays over a frame as the pointer arrives gets no click", async () => {
  await using session = worker.session();
  const inner = page(
    `${BUTTONS}<script>save.addEventListener("mousemove", () => parent.cover(), { once: true });</script>`,
  );
  const text = await session.open(
    site.page(`<iframe title=F src="${inner}" style="height:200px"></iframe><p id=told>nothing</p><div id=veil hidden style="position:fixed;inset:0"></div><script>
      addEventListener("pointerdown", () => { told.textContent = "heard outside"; }, true);
      function cover() {
        veil.hidden = false;
        requestAnimationFrame(() => { veil.hidden = true; });
      }</script>`),
  );
  await session.do("browser_click", { ref: refOf(text, '"Save"') });
  const after = await session.read();
  assert.equal(heardIn(after), clickOf("save"));
  assert.doesNotMatch(after, /heard outside/);
});

test("a frame that is laid over the element as the pointer arrives is reported as its cover", async () => {
  await using session = worker.session();
  const text = await session.open(
    page(`${BUTTONS}<iframe id=veil title=Veil srcdoc="over" style="display:none;position:fixed;inset:0;width:100%;height:100%"></iframe><script>
      save.addEventListener("mousemove", () => { veil.style.display = "block"; }, { once: true });</script>`),
  );
  const ref = refOf(text, '"Save"');
  const refusal = await session.refuse("ELEMENT_COVERED", "browser_click", { ref });
  assert.match(refusal.text, /iframe "Veil"/);
  assert.equal(heardIn(await session.read()), "");
});

test("an element that is hit through a part, its label or its frame is clicked once", async () => {
  const inner = site.page(
    `<p>inside<script>addEventListener("pointerdown", () => parent.postMessage("press", "*"), true);</script>`,
  );
  const pages: Record<string, string> = {
    "a box around a frame": `<div role=button tabindex=0 aria-label=Target style="width:300px"><iframe src="${inner}" style="border:0"></iframe></div>`,
    "a label over its field": `<div style="position:relative;height:40px"><input aria-label=Target id=i><label for=i style="position:absolute;inset:0">x</label></div>`,
    "a checkbox behind its label": `<input type=checkbox id=c style="position:absolute;opacity:0;width:1px;height:1px"><label for=c>Target</label>`,
    "a link around a button": `<a href="#x" aria-label=Target style="display:block;width:100px"><button style="width:100%">x</button></a>`,
  };
  for (const [what, html] of Object.entries(pages)) {
    await using session = worker.session();
    const text = await session.open(
      site.page(`<output id=out></output>${html}<script>
        let presses = 0;
        const press = () => { out.textContent = "presses: " + ++presses; };
        addEventListener("pointerdown", press, true);
        addEventListener("message", press);</script>`),
    );
    await session.do("browser_click", { ref: refOf(text, "Target") });
    assert.match(await session.read(), /presses: 1(?!\d)/, what);
  }
});

test("a document that was opened again is watched too", async () => {
  await using session = worker.session();
  const counting = SWAPPED_ONCE.replaceAll(
    "<button ",
    `<button onclick="told.textContent += this.id + ';'" `,
  );
  const body = JSON.stringify(`<!doctype html><body><p id=told>told:</p>${counting}`).replaceAll(
    "</",
    "<\\/",
  );
  await session.open(
    site.page(
      `<script>onload = () => { document.open(); document.write(${body}); document.close(); }</script>`,
    ),
  );
  const text = await session.read();
  await session.do("browser_click", { ref: refOf(text, '"Save"') });
  assert.match(await session.read(), /told:save;(?!delete)/);
});

test("a click in a frame runs once, even if its handler makes the outer page replace or cover the frame", async () => {
  const other = (attributes: string) =>
    `const other = document.createElement("iframe"); other.title = "Other"; other.${attributes};`;
  for (const [what, answer] of Object.entries({
    over: `${other('style.cssText = "position:fixed;inset:0;width:100%;height:100%"')} document.body.append(other);`,
    instead: `${other('style.cssText = "height:200px"')} inner.replaceWith(other);`,
  })) {
    await using session = worker.session();
    const inner = site.page(`<button onclick="parent.answer()">Pay</button>`);
    const text = await session.open(
      site.page(`<p id=told>paid:</p><iframe id=inner title=F src="${inner}" style="height:200px"></iframe><script>
        function answer() { told.textContent += " once"; ${answer} }</script>`),
    );
    const { text: reply } = await session.do("browser_click", { ref: refOf(text, '"Pay"') });
    assert.match(reply, /^Clicked f1_e\d+ button "Pay"/, what);
    assert.match(await session.read(), /paid: once(?! once)/, what);
  }
});

test("a click on a box around a frame, which only its own document hears, runs once", async () => {
  await using session = worker.session();
  const inner = site.page(
    `<body style="margin:0;height:100vh"><script>addEventListener("click", () => parent.answer());</script>`,
  );
  const text = await session.open(
    site.page(`<p id=told>paid:</p><div role=button tabindex=0 aria-label=Pay style="width:300px"><iframe src="${inner}" style="border:0"></iframe></div><script>
      function answer() {
        told.textContent += " once";
        const other = document.createElement("iframe");
        other.style.cssText = "position:fixed;inset:0;width:100%;height:100%";
        document.body.append(other);
      }</script>`),
  );
  const { text: reply } = await session.do("browser_click", { ref: refOf(text, '"Pay"') });
  assert.match(reply, /^Clicked e\d+ button "Pay"/);
});

test("a frame that the outer page lays over another as the pointer arrives is reported as its cover", async () => {
  await using session = worker.session();
  const inner = page(`${BUTTONS}<script>save.addEventListener("mousemove", () => parent.cover());</script>`);
  const text = await session.open(
    site.page(`<iframe title=F src="${inner}" style="height:200px"></iframe>
      <iframe id=veil title=Veil srcdoc="over" style="display:none;position:fixed;inset:0;width:100%;height:100%"></iframe>
      <script>function cover() { veil.style.display = "block"; }</script>`),
  );
  const ref = refOf(text, '"Save"');
  const refusal = await session.refuse("ELEMENT_COVERED", "browser_click", { ref });
  assert.match(refusal.text, /iframe "Veil"/);
  assert.equal(heardIn(await session.read()), "");
});

test("a missed press is aimed again, even if the page answers late or begins a navigation without a page", async () => {
  const nothing = site.hold();
  void nothing.asked().then(() => nothing.release("", { status: 204 }));
  for (const [what, then] of Object.entries({
    busy: `let turns = 4;
      const turn = () => {
        for (const until = performance.now() + 700; performance.now() < until; );
        if (--turns > 0) setTimeout(turn);
      };
      setTimeout(turn);`,
    leaving: `location.href = "${nothing.url}";`,
  })) {
    await using session = worker.session();
    const text = await session.open(
      page(
        `${BUTTONS}<script>save.addEventListener("mousemove", () => { ${SWAP} ${then} }, { once: true });</script>`,
      ),
    );
    await session.do("browser_click", { ref: refOf(text, '"Save"') });
    assert.equal(heardIn(await session.read()), clickOf("save"), what);
  }
});

test("a layer over the page is no part of the one control that the page holds", async () => {
  for (const position of ["fixed", "absolute"]) {
    await using session = worker.session();
    const text = await session.open(
      page(`<main><p>Saving takes a while</p><div role=combobox tabindex=0 aria-label=City aria-haspopup=listbox>Bern</div>
        <div id=veil style="position: ${position}; inset: 0; background: #fff8">Saving</div></main>`),
    );
    await session.refuse("ELEMENT_COVERED", "browser_click", { ref: refOf(text, '"City"') });
    assert.equal(heardIn(await session.read()), "");
  }
});
