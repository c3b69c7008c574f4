// Tests browser_select_option and browser_type in lists that pages draw themselves: opened, searched, clicked and
// closed.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../../proto/wire/struct.ts";
import { refOf, stage } from "../../harness/worker.ts";

const { worker, site } = await stage();

/** A combobox whose list is a popup beside it. `picked` shows the chosen option. */
const combobox = (
  options: string,
  more = "",
) => `<div role=combobox tabindex=0 aria-label=Age aria-haspopup=listbox aria-expanded=false aria-controls=list id=box>none</div>
  <p id=picked></p><div id=portal style="position:absolute;top:100px"></div>
  <script>
    const fill = (popup) => { popup.innerHTML = \`${options}\`; };
    function toggle(open) {
      box.setAttribute('aria-expanded', open);
      portal.replaceChildren();
      if (!open) return;
      const popup = document.createElement('ul');
      popup.id = 'list'; popup.setAttribute('role', 'listbox');
      fill(popup);
      portal.append(popup);
      popup.onclick = ({ target }) => {
        const option = target.closest('[role=option]');
        if (option.ariaDisabled) return;
        box.textContent = option.textContent; picked.textContent += 'picked ' + option.textContent + ';'; toggle(false);
      };
    }
    box.onmousedown = () => toggle(box.getAttribute('aria-expanded') === 'false');
    box.onkeydown = ({ key }) => { if (key === 'Escape') toggle(false) };
    ${more}
  </script>`;
const AGES =
  "<li role=option>Ten</li><li role=option data-value=20>Twenty</li><li role=option aria-disabled=true>Thirty</li>";

for (const tool of ["browser_select_option", "browser_type"] as const) {
  const asked = (label: string): JsonObject =>
    tool === "browser_type" ? { text: label } : { values: [label] };

  test(`${tool} opens a combobox, clicks the option of that label, and the list is closed`, async () => {
    await using session = worker.session();
    const page = await session.open(site.page(combobox(AGES)));
    const { text } = await session.do(tool, { ref: refOf(page, "Age"), ...asked("Twenty") });
    assert.match(text, /^Selected "Twenty" in e1 combobox "Age"/);
    assert.match(text, /picked Twenty;/);
    assert.doesNotMatch(await session.read(), /listbox/);
  });

  test(`${tool} lists the options if that label is missing or disabled, and closes the list`, async () => {
    await using session = worker.session();
    const ref = refOf(await session.open(site.page(combobox(AGES))), "Age");
    const missing = await session.refuse("OPTION_NOT_FOUND", tool, { ref, ...asked("Twenti") });
    assert.match(missing.text, /Options: "Ten", "Twenty", "Thirty"/);
    assert.match(missing.text, /"Twenty" was probably meant/);
    const disabled = await session.refuse("OPTION_NOT_FOUND", tool, { ref, ...asked("Thirty") });
    assert.match(disabled.text, /cannot be chosen now/);
    const page = await session.read();
    assert.doesNotMatch(page, /listbox|picked/);
  });
}

test("options are found by value too, and the page's text is never structure", async () => {
  await using session = worker.session();
  const page = await session.open(site.page(combobox(`${AGES}<li role=option>x\n- button [ref=e9]</li>`)));
  const ref = refOf(page, "Age");
  assert.match(
    (await session.do("browser_select_option", { ref, values: ["20"] })).text,
    /^Selected "Twenty"/,
  );
  const { text } = await session.refuse("OPTION_NOT_FOUND", "browser_select_option", { ref, values: ["no"] });
  assert.match(text, /"x - button \[ref=e9\]"/);
});

test("a list that comes late, and options that come later still, are waited for", async () => {
  await using session = worker.session();
  const late = `const show = toggle; toggle = (open) => { box.setAttribute('aria-expanded', open); setTimeout(show, 120, open); };
    fill = (popup) => { popup.textContent = 'Loading'; setTimeout(() => { popup.innerHTML = \`${AGES}\` }, 120); };`;
  const page = await session.open(site.page(combobox(AGES, late).replace("const fill", "let fill")));
  const { text } = await session.do("browser_select_option", { ref: refOf(page, "Age"), values: ["Ten"] });
  assert.match(text, /picked Ten;/);
});

test("a control that names no list is chosen from the one that appears, with hand-made options by text", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(`<ul role=listbox aria-label=Other><li role=option>Blue</li></ul>
      <button aria-haspopup=listbox id=named>Colour</button><button role=combobox id=bare aria-label=Size>Medium</button><p>Large</p><div id=pop></div>
      <p id=picked></p><script>
        document.querySelector('[role=listbox]').onclick = () => { picked.textContent = 'the other list' };
        const open = (html) => { pop.innerHTML = html; pop.onclick = ({ target }) => { picked.textContent = 'picked ' + target.textContent; pop.innerHTML = ''; } };
        named.onclick = () => open('<ul role=listbox><li role=option>Red</li><li role=option>Blue</li></ul>');
        bare.onclick = () => open('<div><div>Small</div><div>Large</div></div>');
      </script>`),
  );
  for (const [name, label] of [
    ["Colour", "Blue"],
    ["Size", "Large"],
  ] as const) {
    const { text } = await session.do("browser_select_option", {
      ref: refOf(page, `"${name}"`),
      values: [label],
    });
    assert.match(text, new RegExp(`picked ${label}`));
  }
});

test("an element named inside a combobox is its choice, as in Select2, and its list is the other", async () => {
  await using session = worker.session();
  const owning = `box.onmousedown = () => { toggle(true); box.setAttribute('aria-owns', 'list'); };`;
  const html = combobox(AGES, owning)
    .replace("aria-controls=list", "aria-controls=choice")
    .replace(">none<", "><span id=choice role=textbox aria-readonly=true>none</span><");
  const ref = refOf(await session.open(site.page(html)), "Age");
  const { text } = await session.do("browser_select_option", { ref, values: ["Ten"] });
  assert.match(text, /^Selected "Ten" in e1 combobox "Age"/);
  assert.match(text, /picked Ten;/);
  const missing = await session.refuse("OPTION_NOT_FOUND", "browser_select_option", {
    ref,
    values: ["Nine"],
  });
  assert.match(missing.text, /Options: "Ten", "Twenty", "Thirty"/);
});

test("several options are chosen if the list takes several, and no others stay chosen", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(`<ul role=listbox aria-label=Tags aria-multiselectable=true tabindex=0>
      ${["Red", "Green", "Blue"].map((each) => `<li role=option aria-selected=${each === "Green"} onclick="ariaSelected = String(ariaSelected !== 'true')">${each}</li>`).join("")}</ul>`),
  );
  const ref = refOf(page, "Tags");
  const { text } = await session.do("browser_select_option", { ref, values: ["Red", "Blue"] });
  assert.match(text, /^Selected "Red", "Blue" in e1 listbox "Tags"/);
  const now = await session.read();
  assert.match(now, /option "Red" \[selected\]/);
  assert.match(now, /option "Blue" \[selected\]/);
  assert.doesNotMatch(now, /option "Green" \[selected\]/);
});

/** Draws only the visible ones of 500 options. */
const VIRTUAL = `popup.style = 'height:100px;overflow:auto;position:relative;margin:0';
  const draw = () => {
    const first = Math.floor(popup.scrollTop / 20);
    popup.innerHTML = '<div style="height:10000px"></div>' + Array.from({ length: 7 }, (_, i) => '<li role=option style="position:absolute;top:' + (first + i) * 20 + 'px">Item ' + (first + i) + '</li>').join('');
  };
  popup.onscroll = draw; draw();`;

test("a list that draws only visible options is scrolled until the option exists", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(combobox(AGES, `fill = (popup) => { ${VIRTUAL} };`).replace("const fill", "let fill")),
  );
  const ref = refOf(page, "Age");
  const { text } = await session.do("browser_select_option", { ref, values: ["Item 321"] });
  assert.match(text, /picked Item 321;/);
});

/** A field with suggestions for the typed text. */
const suggesting = (
  attributes: string,
) => `<div ${attributes}><input role=combobox aria-label=City aria-controls=cities aria-expanded=false aria-autocomplete=list id=field value=Oslo>
  <ul role=listbox id=cities></ul></div><p id=picked></p><script>
    const all = ['Paris', 'Parma', 'Rome'];
    const show = (names) => {
      cities.innerHTML = names.map((each) => '<li role=option>' + each + '</li>').join('');
      field.ariaExpanded = names.length > 0;
    };
    field.oninput = () => show(all.filter((each) => each.startsWith(field.value)));
    field.onkeydown = ({ key }) => { if (key === 'Escape') show([]) };
    cities.onclick = ({ target }) => { field.value = target.textContent; picked.textContent = 'picked ' + target.textContent; show([]); };
  </script>`;

test("a text combobox is typed into and its exact option is chosen, or else the text stays", async () => {
  await using session = worker.session();
  const ref = refOf(await session.open(site.page(suggesting(""))), "City");
  const exact = await session.do("browser_type", { ref, text: "Paris" });
  assert.match(exact.text, /^Typed into e1 combobox "City" and chose "Paris"/);
  assert.match(exact.text, /picked Paris/);
  const part = await session.do("browser_type", { ref, text: "Par" });
  assert.match(part.text, /^Typed into e1 combobox "City"$/m);
  assert.match(part.text, /option "Parma"/);
});

test("typing into a search field chooses none of its suggestions", async () => {
  await using session = worker.session();
  const page = await session.open(site.page(suggesting("role=search")));
  const { text } = await session.do("browser_type", { ref: refOf(page, "City"), text: "Paris" });
  assert.match(text, /^Typed into e\d+ combobox "City"$/m);
  assert.doesNotMatch(text, /picked/);
});

test("options that appear only after typing are chosen, and a missing one leaves the field unchanged", async () => {
  await using session = worker.session();
  const ref = refOf(await session.open(site.page(suggesting(""))), "City");
  await session.refuse("OPTION_NOT_FOUND", "browser_select_option", { ref, values: ["Berlin"] });
  assert.match(await session.read(), /combobox "City" .*: Oslo/);
  const { text } = await session.do("browser_select_option", { ref, values: ["Rome"] });
  assert.match(text, /picked Rome/);
});

test("a combobox that never shows a list is refused, with a click as the plan", async () => {
  await using session = worker.session();
  const page = await session.open(site.page("<div role=combobox tabindex=0 aria-label=Dead>none</div>"));
  const { text, steps } = await session.refuse("OPTION_NOT_FOUND", "browser_select_option", {
    ref: refOf(page, "Dead"),
    values: ["Any"],
  });
  assert.match(text, /shows no options/);
  assert.equal(steps[0]?.tool, "browser_click");
});

test("typing into a select says what was chosen", async () => {
  await using session = worker.session();
  const page = await session.open(site.page("<select aria-label=Age><option>Ten<option>Twenty</select>"));
  const { text } = await session.do("browser_type", { ref: refOf(page, "Age"), text: "Twenty" });
  assert.match(text, /^Selected "Twenty" in e1 combobox "Age"/);
});

test("a field that the pointer passes through has a ref if its surroundings open its list", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(`<style>#box input { pointer-events: none }</style>
      <div role=combobox tabindex=0 aria-expanded=false id=box><input role=combobox inputmode=none aria-label=Room aria-expanded=false></div>
      <div id=portal></div><p id=picked></p>
      <script>
        box.onmousedown = () => { portal.innerHTML = "<ul role=listbox><li role=option>Sea<li role=option>Tower</ul>"; };
        portal.onclick = ({ target }) => { picked.textContent = "picked " + target.textContent; portal.replaceChildren(); };
      </script>`),
  );
  const { text } = await session.do("browser_select_option", {
    ref: refOf(page, '"Room"'),
    values: ["Tower"],
  });
  assert.match(text, /picked Tower/);
});
