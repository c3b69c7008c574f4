// Tests browser_fill_form on every kind of control, and its report if one of them is refused.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../../proto/wire/struct.ts";
import { refOf, stage } from "../../harness/worker.ts";

const { worker, site } = await stage();

const CONTROLS = `<form onsubmit="event.preventDefault(); out.textContent = new URLSearchParams(new FormData(this))">
  <label>Name <input name=name value=old></label><label>Secret <input type=password name=secret></label>
  <label>Note <textarea name=note></textarea></label><label>News <input type=checkbox name=news></label>
  <label>Spam <input type=checkbox name=spam checked></label>
  <label>Small <input type=radio name=size value=s checked></label><label>Large <input type=radio name=size value=l></label>
  <label>Colour <select name=colour><option>red<option>blue</select></label>
  <label>Tags <select name=tags multiple><option selected>a<option>b<option>c</select></label>
  <label>Day <input type=date name=day></label><label>At <input type=time name=at></label>
  <label>When <input type=datetime-local name=when></label><label>Month <input type=month name=month></label>
  <label>Week <input type=week name=week></label><label>Paint <input type=color name=paint></label>
  <label>Volume <input type=range name=volume min=0 max=10></label><label>Age <input type=number name=age></label>
  <button>Send</button></form><output id=out></output>`;

test("every kind of control on a plain page is filled in one call", async () => {
  await using session = worker.session();
  const page = await session.open(site.page(CONTROLS));
  const values: Record<string, JsonObject[string]> = {
    'textbox "Name"': "Carla",
    'textbox "Secret"': "hush-hush",
    'textbox "Note"': "one\ntwo",
    'checkbox "News"': true,
    'checkbox "Spam"': "false",
    'radio "Large"': "yes",
    'combobox "Colour"': "blue",
    'listbox "Tags"': ["b", "c"],
    '"Day"': "2026-12-31",
    '"At"': "23:59",
    '"When"': "2026-12-31T23:59",
    '"Month"': "2026-12",
    '"Week"': "2026-W53",
    '"Paint"': "#FF8800",
    'slider "Volume"': 7,
    'spinbutton "Age"': 42,
  };
  const fields = Object.entries(values).map(([words, value]) => ({ ref: refOf(page, words), value }));
  const reply = await session.do("browser_fill_form", { fields });
  assert.match(reply.text, /^Controls filled: 16 of 16\n1\. Typed into e1\n/);
  assert.match(reply.text, /4\. Checked e\d+\n5\. Unchecked e\d+\n6\. Checked e\d+\n/);
  assert.match(reply.text, /8\. Selected "b", "c" in e\d+\n/);
  assert.doesNotMatch(reply.text, /hush/);
  assert.equal(reply.done, 16);
  const { text } = await session.do("browser_click", { ref: refOf(page, "Send") });
  const sent = new URLSearchParams(/status: "?(name=[^"\n]*)/.exec(text)?.[1]);
  assert.deepEqual(
    [...sent],
    [
      ["name", "Carla"],
      ["secret", "hush-hush"],
      ["note", "one\ntwo"],
      ["news", "on"],
      ["size", "l"],
      ["colour", "blue"],
      ["tags", "b"],
      ["tags", "c"],
      ["day", "2026-12-31"],
      ["at", "23:59"],
      ["when", "2026-12-31T23:59"],
      ["month", "2026-12"],
      ["week", "2026-W53"],
      ["paint", "#ff8800"],
      ["volume", "7"],
      ["age", "42"],
    ],
  );
});

const ARIA = `<div role=switch aria-checked=false tabindex=0 aria-label=Wifi
    onclick="this.setAttribute('aria-checked', this.getAttribute('aria-checked') === 'false')">Wifi</div>
  <div role=checkbox aria-checked=false tabindex=0 aria-label=Full onclick="out.textContent='no'">Full</div>
  <div role=slider tabindex=0 aria-label=Price aria-valuemin=0 aria-valuemax=100 aria-valuenow=50 id=price>o</div>
  <div role=slider tabindex=0 aria-label=Stuck aria-valuenow=5>o</div>
  <button role=combobox aria-expanded=false aria-controls=list id=box aria-label=Town>Choose</button>
  <ul role=listbox id=list hidden><li role=option>Rome<li role=option>Oslo</ul><output id=out></output><script>
    price.onkeydown = ({ key }) => {
      const by = { ArrowUp: 5, ArrowDown: -5 }[key] ?? 0;
      price.setAttribute('aria-valuenow', Number(price.getAttribute('aria-valuenow')) + by);
    };
    box.onclick = () => { list.hidden = !list.hidden; box.setAttribute('aria-expanded', !list.hidden); };
    list.onclick = ({ target }) => { box.textContent = target.textContent; box.onclick(); };</script>`;

test("switches, sliders and comboboxes that a page draws itself are filled", async () => {
  await using session = worker.session();
  const page = await session.open(site.page(ARIA));
  const field = (words: string, value: JsonObject[string]) => ({ ref: refOf(page, words), value });
  const fields = [field("Wifi", true), field("Price", 20), field("Town", "Oslo"), field("Full", "true")];
  const { text } = await session.do("browser_fill_form", { fields });
  assert.match(text, /1\. Checked e1\n2\. Set e3 to 20\n3\. Selected "Oslo"/);
  assert.match(text, /4\. Checked e2, but it is still not checked\n/);
  const again = await session.do("browser_fill_form", { fields: [field("Wifi", "on"), field("Price", 20)] });
  assert.match(again.text, /1\. Left e1 as it is, checked\n2\. Set/);
  for (const [value, problem] of [
    [300, /takes a number from 0 to 100/],
    [22, /moves by steps of 5, and stands at (?:20|25) now/],
    ["much", /takes a number/],
  ] as const) {
    const refusal = await session.refuse("INVALID_ARGUMENT", "browser_fill_form", {
      fields: [field("Price", value)],
    });
    assert.match(refusal.message, problem);
  }
  await session.refuse("ELEMENT_NOT_EDITABLE", "browser_fill_form", { fields: [field("Stuck", 6)] });
});

test("a wrong ref is refused before anything is filled", async () => {
  await using session = worker.session();
  const page = await session.open(site.page(CONTROLS));
  const name = { ref: refOf(page, "Name"), value: "x" };
  const fields = [name, { ref: "e99", value: "y" }];
  const refusal = await session.refuse("UNKNOWN_REF", "browser_fill_form", { fields });
  assert.match(refusal.text, /Nothing was done: step 2 of 2 did not succeed/);
  assert.match(await session.read(), /textbox "Name".*: old/);
});

test("a control that refuses its value is named, with what was filled, and the plan goes on with the rest", async () => {
  await using session = worker.session();
  const page = await session.open(site.page(CONTROLS));
  const field = (words: string, value: string) => ({ ref: refOf(page, words), value });
  const fields = [field("Name", "x"), field("Colour", "bleu"), field("Age", "3")];
  const refusal = await session.refuse("OPTION_NOT_FOUND", "browser_fill_form", { fields });
  assert.match(refusal.text, /Step 1 was carried out: step 2 of 3 did not succeed/);
  assert.deepEqual(refusal.steps.at(-1), {
    text: "Call browser_fill_form(fields: <the last 2 as before, step 2 with value corrected>)",
    tool: "browser_fill_form",
    arguments: {
      fields: [
        { ...fields[1], value: ["blue"] },
        { ...fields[2], value: ["3"] },
      ],
    },
  });
  for (const [words, value, expected] of [
    ["Day", "31.12.2026", /takes YYYY-MM-DD/],
    ["Paint", "orange", /takes #rrggbb/],
    ["Volume", "loud", /takes a number/],
    ["Age", "old", /takes a number/],
    ["News", "perhaps", /takes true or false/],
    ["Small", "false", /takes true: choosing another one/],
  ] as const) {
    const wrong = await session.refuse("INVALID_ARGUMENT", "browser_fill_form", {
      fields: [field(words, value)],
    });
    assert.match(wrong.message, expected);
    assert.match(wrong.steps.at(-1)?.text ?? "", /with value as/);
  }
  await session.refuse("ELEMENT_NOT_EDITABLE", "browser_fill_form", { fields: [field("Send", "x")] });
});

test("a dialog, another page and a control that goes away end the filling", async () => {
  await using session = worker.session();
  const open = (then: string) =>
    session.open(site.page(`<input aria-label=One oninput="${then}"><input aria-label=Two id=two>`));
  const fields = [
    { ref: "e1", value: "x" },
    { ref: "e2", value: "y" },
  ];
  await open("alert('Stop')");
  const dialog = await session.do("browser_fill_form", { fields });
  assert.match(dialog.text, /^Controls filled: 1 of 2\n[\s\S]*Stopped: a dialog opened\. Not done: 2\. e2\n/);
  await session.do("browser_handle_dialog", { accept: true });
  await open("two.remove()");
  assert.equal((await session.do("browser_fill_form", { fields })).end, "STEPS_END_ELEMENT");
  await open(`location.href='${site.page("<h1>Next</h1>")}'`);
  const away = await session.do("browser_fill_form", { fields });
  assert.equal(away.end, "STEPS_END_NAVIGATION");
  assert.match(away.text, /heading "Next"/);
});

test("a calendar that covers the next control is closed as a person does, and no other cover is", async () => {
  await using session = worker.session();
  const cover = `style="position:fixed;inset:0;background:#fff"`;
  const page = await session.open(
    site.page(`<input aria-label=Day id=day onfocus="calendar.hidden = false"
        onkeydown="if (event.key === 'Tab') calendar.hidden = true">
      <input type=radio name=how aria-label=Courier><input type=radio name=how aria-label=Post><div id=calendar hidden ${cover}>November</div>
      <button onclick="banner.hidden = false">Cover</button><div id=banner hidden ${cover}>Cookies</div>`),
  );
  const fields = [
    { ref: refOf(page, "Day"), value: "2026-11-15" },
    { ref: refOf(page, "Courier"), value: "true" },
  ];
  const filled = await session.do("browser_fill_form", { fields });
  assert.match(
    filled.text,
    /^Controls filled: 2 of 2\n1\. .*\n2\. Left the field before by Tab, because .* Checked e2\n/,
  );
  await session.do("browser_click", { ref: refOf(page, "Cover") });
  const post = [{ ref: refOf(page, "Post"), value: "true" }];
  await session.refuse("ELEMENT_COVERED", "browser_fill_form", { fields: post });
});
