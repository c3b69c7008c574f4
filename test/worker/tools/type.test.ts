// Tests browser_type, browser_select_option and browser_press_key: trusted input like a person's, which the page
// notices.
import assert from "node:assert/strict";
import { test } from "node:test";
import { refOf, stage } from "../../harness/worker.ts";

const { worker, site } = await stage();

/** Records every event of an element that belongs to typing. */
const recorder = `<output id=log></output><script>
  function record(field) {
    for (const type of ['keydown', 'keypress', 'input', 'keyup', 'change'])
      field.addEventListener(type, (event) => { log.textContent += type + (event.key ? ':' + event.key : '') + (event.isTrusted ? '' : ':untrusted') + ' ' });
  }
</script>`;

test("a text replaces the value by one trusted input, with the key events of its last character", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(`<input aria-label=Name value=before id=field>${recorder}<script>record(field)</script>`),
  );
  const { text } = await session.do("browser_type", { ref: refOf(page, "Name"), text: "Ada Lovelace" });
  assert.match(text, /^Typed into e1 textbox "Name"/);
  assert.match(text, /textbox "Name" \[active\] \[ref=e1\]: Ada Lovelace/);
  assert.match(text, /status: "?keydown:e input keyup:e"?$/m);
});

test("an empty text clears the field, and an empty field stays so", async () => {
  await using session = worker.session();
  const page = await session.open(site.page(`<input aria-label=Name value=before>`));
  const ref = refOf(page, "Name");
  assert.doesNotMatch((await session.do("browser_type", { ref, text: "" })).text, /before/);
  await session.do("browser_type", { ref, text: "" });
  assert.match(await session.read(), /textbox "Name" \[active\] \[ref=e1\]$/m);
});

test("a listener's slightly later change is reported, even for a field that already has the focus", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(
      `<input aria-label=Name oninput="setTimeout((value) => { out.textContent = 'heard ' + value }, 15, value)"><p id=out></p>`,
    ),
  );
  const ref = refOf(page, "Name");
  assert.match((await session.do("browser_type", { ref, text: "one" })).text, /heard one/);
  assert.match((await session.do("browser_type", { ref, text: "two" })).text, /heard two/);
});

test("a text with a final line break is there whole, and Enter is not pressed for it", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(`<textarea aria-label=Message onkeydown="if (event.key === 'Enter') { sent.textContent = 'sent ' + this.value; event.preventDefault() }">old</textarea><p id=sent></p>
      <div contenteditable aria-label=Rich role=textbox onkeydown="if (event.key === 'Enter') sent.textContent = 'sent'">old</div>`),
  );
  for (const [name, text] of [
    ["Message", "hello\n"],
    ["Rich", "hello\r\n"],
    ["Message", "\n"],
  ] as const)
    assert.doesNotMatch((await session.do("browser_type", { ref: refOf(page, name), text })).text, /sent/);
  assert.match(await session.read(), /textbox "Rich" .*: hello/);
});

test("slowly types key by key", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(`<input aria-label=Name value=old id=field>${recorder}<script>record(field)</script>`),
  );
  const { text } = await session.do("browser_type", { ref: refOf(page, "Name"), text: "aBé", slowly: true });
  assert.match(text, /\]: aBé/);
  assert.match(
    text,
    /keydown:a keypress:a input keyup:a keydown:B keypress:B input keyup:B keydown:é input keyup:é/,
  );
});

test("submit presses Enter, which sends the form and fires change as for a person", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(
      `<form onsubmit="log.textContent += 'submit:' + field.value; return false"><input aria-label=Query id=field></form>${recorder}<script>record(field)</script>`,
    ),
  );
  const { text } = await session.do("browser_type", {
    ref: refOf(page, "Query"),
    text: "lamp",
    submit: true,
  });
  assert.match(text, /^Typed into e1 textbox "Query" and pressed Enter/);
  assert.match(text, /input keyup:p keydown:Enter keypress:Enter change submit:lamp/);
});

test("a field that a framework controls keeps the value, also in its state", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(`<input aria-label=Name id=field><p id=state>state: </p><script>
      // As React does it: the value's setter is tracked, and an input that changes nothing known is none.
      const native = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
      let tracked = '', state = '';
      Object.defineProperty(field, 'value', {
        get() { return native.get.call(this) },
        set(value) { tracked = String(value); native.set.call(this, value) },
      });
      field.addEventListener('input', () => {
        const now = native.get.call(field);
        if (now === tracked) return;
        tracked = now;
        state = now.toUpperCase();
        document.getElementById('state').textContent = 'state: ' + state;
        field.value = state;
      });
    </script>`),
  );
  const { text } = await session.do("browser_type", { ref: refOf(page, "Name"), text: "ada" });
  assert.match(text, /textbox "Name" .*: ADA/);
  assert.match(text, /state: ADA/);
});

test("contenteditable takes text in place of its content", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(
      `<div contenteditable aria-label=Note role=textbox oninput="out.textContent = event.inputType + ' ' + event.isTrusted"><p>old <b>bold</b></p></div><output id=out></output>`,
    ),
  );
  const { text } = await session.do("browser_type", { ref: refOf(page, "Note"), text: "fresh" });
  assert.match(text, /fresh/);
  assert.match(text, /insertText true/);
  assert.doesNotMatch(await session.read(), /old|bold/);
});

test("text of several lines goes unchanged into a textarea", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(
      `<textarea aria-label=Note oninput="out.textContent = JSON.stringify(this.value)"></textarea><output id=out></output>`,
    ),
  );
  const { text } = await session.do("browser_type", { ref: refOf(page, "Note"), text: 'one\ntwo "三" 👩‍🚀' });
  assert.match(text, /one\\\\ntwo/);
});

test("fields that take no typed text get their value: date, time, colour, range", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(
      `<label>Day <input type=date onchange="out.textContent='changed '+this.value"></label><label>Hour <input type=time></label><label>Paint <input type=color></label><label>Size <input type=range max=10></label><output id=out></output>`,
    ),
  );
  const day = await session.do("browser_type", { ref: refOf(page, "Day"), text: "2026-11-20" });
  assert.match(day.text, /changed 2026-11-20/);
  await session.do("browser_type", { ref: refOf(page, "Hour"), text: "12:30" });
  await session.do("browser_type", { ref: refOf(page, "Paint"), text: "#ff0000" });
  const size = await session.do("browser_type", { ref: refOf(page, "Size"), text: "7" });
  assert.match(size.text, /slider "Size".*7/);
  const refusal = await session.refuse("INVALID_ARGUMENT", "browser_type", {
    ref: refOf(page, "Day"),
    text: "tomorrow",
  });
  assert.equal(refusal.details.argument, "text");
});

test("typing into a select chooses the option of that label, and an unknown label is refused with the others", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(
      `<select aria-label=Colour onchange="out.textContent='chose '+value"><option value=r>Red<option value=g>Green</select><output id=out></output>`,
    ),
  );
  const ref = refOf(page, "Colour");
  assert.match((await session.do("browser_type", { ref, text: "Green" })).text, /chose g/);
  // The select has the focus now.
  assert.match((await session.do("browser_type", { text: "Red" })).text, /chose r/);
  const refusal = await session.refuse("OPTION_NOT_FOUND", "browser_type", { ref, text: "Gren" });
  assert.deepEqual(refusal.details.options, ["Red", "Green"]);
  assert.equal(refusal.details.nearest, "Green");
  assert.deepEqual(refusal.steps, [
    { text: refusal.steps[0]?.text ?? "", tool: "browser_type", arguments: { ref, text: "Green" } },
  ]);
});

test("options are selected by label or value, several if the select takes several", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(
      `<select aria-label=One><option value=r>Red<option value=g>Green</select><select aria-label=Many multiple><option>A<option>B<option>C</select><button>No select</button>`,
    ),
  );
  const one = await session.do("browser_select_option", { ref: refOf(page, "One"), values: ["g"] });
  assert.deepEqual(one.chosen, ["Green"]);
  assert.match(one.text, /^Selected "Green" in e1 combobox "One"/);
  const many = await session.do("browser_select_option", { ref: refOf(page, "Many"), values: ["A", "C"] });
  assert.deepEqual(many.chosen, ["A", "C"]);
  assert.match(many.text, /option "C" \[selected\]/);
  const ref = refOf(page, "One");
  const missing = await session.refuse("OPTION_NOT_FOUND", "browser_select_option", {
    ref,
    values: ["Gren"],
  });
  assert.deepEqual(missing.steps[0]?.arguments, { ref, values: ["Green"] });
  await session.refuse("INVALID_ARGUMENT", "browser_select_option", { ref, values: ["Red", "Green"] });
  await session.refuse("ELEMENT_NOT_EDITABLE", "browser_select_option", {
    ref: refOf(page, "No select"),
    values: ["x"],
  });
});

test("buttons, read-only fields, disabled fields and a missing focus are refused", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(
      `<button>Press</button><input aria-label=Fixed readonly value=x><input aria-label=Off disabled>`,
    ),
  );
  await session.refuse("ELEMENT_NOT_EDITABLE", "browser_type", { text: "x" });
  await session.refuse("ELEMENT_NOT_EDITABLE", "browser_type", { ref: refOf(page, "Press"), text: "x" });
  const fixed = await session.refuse("ELEMENT_NOT_EDITABLE", "browser_type", {
    ref: refOf(page, "Fixed"),
    text: "secret text",
  });
  assert.match(fixed.text, /read-only/);
  assert.doesNotMatch(fixed.text, /secret text/);
  await session.refuse("ELEMENT_DISABLED", "browser_type", { ref: refOf(page, "Off"), text: "x" });
});

test("without a ref, text goes to the focused element, in any frame", async () => {
  await using session = worker.session();
  const inner = site.elsewhere(site.page(`<input aria-label=Inside>`));
  const page = await session.open(
    site.page(`<input aria-label=Outside autofocus><iframe title=F src="${inner}"></iframe>`),
  );
  assert.match((await session.do("browser_type", { text: "out" })).text, /textbox "Outside".*: out/);
  await session.do("browser_click", { ref: refOf(page, "Inside") });
  assert.match((await session.do("browser_type", { text: "in" })).text, /textbox "Inside".*: in/);
});

test("passwords are masked, in replies and in the tree", async () => {
  await using session = worker.session();
  const page = await session.open(site.page(`<input type=password aria-label=Password>`));
  const { text } = await session.do("browser_type", { ref: refOf(page, "Password"), text: "hunter2" });
  assert.doesNotMatch(text, /hunter2/);
  assert.doesNotMatch(await session.read(), /hunter2/);
});

test("keys are pressed by their names, alone and together", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(
      `<input aria-label=Field value="some text" id=field><output id=out></output><script>
      addEventListener('keydown', (event) => { out.textContent = [event.ctrlKey && 'Control', event.shiftKey && 'Shift', event.key, event.code].filter(Boolean).join('+') });
      document.addEventListener('selectionchange', () => { if (field.selectionEnd > field.selectionStart) document.title = 'selected ' + (field.selectionEnd - field.selectionStart) })</script>`,
    ),
  );
  await session.do("browser_click", { ref: refOf(page, "Field") });
  for (const [key, seen] of [
    ["ArrowLeft", "ArrowLeft+ArrowLeft"],
    ["Control+Shift+K", "Control+Shift+K+KeyK"],
    ["ctrl+k", "Control+k+KeyK"],
    ["F2", "F2+F2"],
  ] as const)
    assert.ok((await session.do("browser_press_key", { key })).text.includes(seen), seen);
  const all = await session.do("browser_press_key", { key: "Control+A" });
  assert.equal(all.page?.title, "selected 9");
  assert.match((await session.do("browser_press_key", { key: "x" })).text, /\]: x/);
  assert.match((await session.do("browser_press_key", { key: "Shift+y" })).text, /\]: xY/);
  assert.match((await session.do("browser_press_key", { key: "Shift+1" })).text, /\]: xY!/);
  assert.match((await session.do("browser_press_key", { key: "Backspace" })).text, /\]: xY$/m);
  const refusal = await session.refuse("INVALID_ARGUMENT", "browser_press_key", { key: "Controll+A" });
  assert.deepEqual(refusal.steps[0]?.arguments, { key: "Control+A" });
});

test("Enter submits the form that has the focus, Tab goes on to the next field, Escape closes a dialog", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(
      `<form onsubmit="out.textContent='sent';return false"><input aria-label=First autofocus><input aria-label=Next><button>Send</button></form><output id=out></output><dialog id=box aria-label=Box>inside</dialog><button onclick="box.showModal()">Show</button>`,
    ),
  );
  assert.match((await session.do("browser_press_key", { key: "Tab" })).text, /textbox "Next" \[active\]/);
  assert.match((await session.do("browser_press_key", { key: "Enter" })).text, /status: sent/);
  await session.do("browser_click", { ref: refOf(page, "Show") });
  assert.match((await session.do("browser_press_key", { key: "Escape" })).text, /removed.*dialog "Box"/);
});

test("each line of a text becomes a paragraph in any editor, and Enter is not pressed", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(`<ul id=own contenteditable role=textbox aria-label=Own><li>old</ul>
      <div id=plain contenteditable role=textbox aria-label=Plain>old</div>
      <div id=code contenteditable=plaintext-only role=textbox aria-label=Code style="white-space:pre">old</div><p id=said></p><script>
        own.onbeforeinput = (event) => {
          event.preventDefault();
          if (event.inputType === 'insertParagraph') own.append(document.createElement('li'));
          else if (getSelection().isCollapsed) own.lastChild.append(event.data);
          else { own.replaceChildren(document.createElement('li')); own.firstChild.append(event.data); }
          getSelection().selectAllChildren(own.lastChild);
          getSelection().collapseToEnd();
        };
        onkeydown = ({ key }) => { if (key === 'Enter') said.textContent = 'sent'; };
        onclick = () => { said.textContent = JSON.stringify([own, plain, code].map((el) => el.innerHTML)); };
      </script><button>Tell</button>`),
  );
  for (const name of ["Own", "Plain", "Code"])
    await session.do("browser_type", { ref: refOf(page, name), text: "Milk\nBread\n\nTea" });
  assert.doesNotMatch(await session.read(), /sent/);
  const { text } = await session.do("browser_click", { ref: refOf(page, "Tell") });
  assert.match(text, /<li>Milk<\/li><li>Bread<\/li><li><\/li><li>Tea<\/li>/);
  assert.match(text, /Milk<div>Bread<\/div><div><br><\/div><div>Tea<\/div>/);
});

test("an editor that the page draws itself is filled again, however it takes its text", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(`<div id=drawn style="width:300px;height:40px"><div id=edit role=textbox aria-label=Context tabindex=0 style="position:absolute;width:0;height:0"></div></div>
      <div style="width:300px;height:40px"><textarea id=area aria-label=Area style="position:absolute;width:1px;height:1px;border:0;padding:0;opacity:0"></textarea></div>
      <p id=one></p><p id=two></p><script>
        // The model is the page's: what the field holds is only what came last.
        const model = (out, text) => {
          let all = false;
          const put = (added) => { text = (all ? '' : text) + added; all = false; out.textContent = 'holds ' + text; };
          put('');
          return { put, key: (event) => {
            if (event.key === 'a' && event.ctrlKey) { all = true; event.preventDefault(); }
            if (event.key === 'Backspace' && all) put('');
          } };
        };
        const first = model(one, 'old'), second = model(two, 'old');
        edit.editContext = new EditContext({ text: 'ol' });
        edit.editContext.addEventListener('textupdate', ({ text }) => first.put(text));
        edit.onkeydown = first.key;
        area.oninput = () => { second.put(area.value); area.value = '' };
        area.onkeydown = second.key;
      </script>`),
  );
  for (const name of ["Context", "Area"]) {
    const ref = refOf(page, name);
    assert.match((await session.do("browser_type", { ref, text: "new" })).text, /holds new$/m);
    assert.match((await session.do("browser_type", { ref, text: "" })).text, /holds$/m);
    assert.match((await session.do("browser_type", { ref, text: "newer" })).text, /holds newer$/m);
  }
  await session.do("browser_click", { ref: refOf(page, "Context") });
});
