// Tests credentials in browser_type: they are filled in by name, only in documents of their origins, and never shown.
import assert from "node:assert/strict";
import { test } from "node:test";
import { shared } from "../../harness/shared.ts";
import { refOf, startWorker } from "../../harness/worker.ts";
import { serveSite } from "../../site/serve.ts";

const SECRET = "correct-Horse/7b";
const site = shared(await serveSite());
const worker = shared(
  await startWorker({
    credentials: [
      { name: "password", origins: [site.origin], source: "the file secrets/customer" },
      { name: "code", origins: [site.origin], source: "the seed in the file secrets/seed" },
      { name: "missing", origins: [site.origin], source: "the variable GONE" },
      { name: "pin", origins: [site.origin], source: "the file secrets/pin" },
      { name: "unbound", source: "the file secrets/unbound" },
    ],
  }),
);
const asked: string[] = [];
worker.givesCredentials((name) => {
  asked.push(name);
  return { password: SECRET, code: "492039", pin: "1234", unbound: SECRET }[name];
});

const LOGIN = `<label>Password <input type=password id=field></label><label>Code <input id=code></label>
  <p id=out></p><script>
    for (const each of document.querySelectorAll("input"))
      each.addEventListener("input", (event) => { out.textContent += event.isTrusted + " " + each.value.length + "; " });
  </script>`;

test("a credential is typed by one trusted input, and its value is shown nowhere", async () => {
  await using session = worker.session();
  const page = await session.open(site.page(LOGIN));
  const { text } = await session.do("browser_type", {
    ref: refOf(page, "Password"),
    text: "{{tester.password}}",
  });
  assert.match(text, /^Typed into e1 textbox "Password"/);
  assert.match(text, /true 16;/);
  assert.match(text, /textbox "Password" \[active\] \[ref=e1\]: "\[masked\]"/);
});

test("a code stays masked in a field that shows what is typed, and slow typing counts its letters", async () => {
  await using session = worker.session();
  const page = await session.open(site.page(LOGIN));
  const typed = await session.do("browser_type", {
    ref: refOf(page, "Code"),
    text: "{{tester.code}}",
    slowly: true,
  });
  assert.match(typed.text, /true 1; true 2; true 3; true 4; true 5; true 6;/);
  assert.match(typed.text, /textbox "Code" \[active\] \[ref=e2\]: "\[masked\]"/);
});

test("a code fills a row of boxes that lead the focus on", async () => {
  await using session = worker.session();
  const boxes = Array.from(
    { length: 6 },
    (_, index) => `<input maxlength=1 aria-label="Digit ${index + 1}">`,
  ).join("");
  const page = await session.open(
    site.page(`${boxes}<p id=out></p><script>const boxes = [...document.querySelectorAll("input")];
      for (const [index, box] of boxes.entries()) box.addEventListener("input", () => { boxes[index + 1]?.focus();
        out.textContent = boxes.filter(({ value }) => value).length + " filled"; })</script>`),
  );
  const { text } = await session.do("browser_type", {
    ref: refOf(page, "Digit 1"),
    text: "{{tester.code}}",
    slowly: true,
  });
  assert.match(text, /6 filled/);
  assert.doesNotMatch(await session.read(), /[0-9]"? \[ref=e\d\]: [0-9]/);
});

test("a page that shows the value elsewhere shows it masked, also in an error and a search", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(`<input aria-label=Password id=field oninput="echo.textContent = 'Yours: ' + this.value; document.title = this.value; console.log(this.value)">
      <p id=echo></p>`),
  );
  const ref = refOf(page, "Password");
  const reply = await session.do("browser_type", { ref, text: "{{tester.password}}" });
  assert.match(reply.text, /Yours: •••/);
  assert.equal(reply.page?.title, "•••");
  const all = [
    reply,
    await session.do("browser_snapshot", { full: true }),
    await session.do("browser_find", { text: "Yours" }),
    await session.do("browser_console_messages"),
    await session.do("browser_tabs", { action: "list" }),
    await session.call("browser_wait_for", { text: "never there", time: 0.1 }),
  ];
  assert.doesNotMatch(JSON.stringify(all), /correct-Horse/i);
});

test("a document of another origin gets nothing, and the error names the origins", async () => {
  await using session = worker.session();
  const elsewhere = site.elsewhere(
    site.page(`${LOGIN}<iframe src="${site.page(LOGIN)}" title=Shop></iframe>`),
  );
  const page = await session.open(elsewhere);
  const before = asked.length;
  const denied = await session.refuse("PERMISSION_DENIED", "browser_type", {
    ref: refOf(page, "Password"),
    text: "{{tester.password}}",
  });
  assert.match(denied.text, new RegExp(`into a document of ${site.otherOrigin}`));
  assert.match(denied.text, new RegExp(`typed only into documents of ${site.origin}`));
  assert.equal(asked.length, before, "the value was not even read");
  const framed = /\[ref=(f1_e\d+)\]/.exec(page)?.[1] ?? assert.fail(page);
  assert.ok(!(await session.do("browser_type", { ref: framed, text: "{{tester.password}}" })).error);
});

test("a sandboxed frame has no origin, and a credential without origins is typed nowhere", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(
      `<iframe sandbox srcdoc="<input aria-label=Sandboxed>"></iframe><iframe srcdoc="<input aria-label=Own>"></iframe>`,
    ),
  );
  const text = "{{tester.password}}";
  const denied = await session.refuse("PERMISSION_DENIED", "browser_type", {
    ref: refOf(page, "Sandboxed"),
    text,
  });
  assert.match(denied.text, /an opaque origin/);
  await session.do("browser_type", { ref: refOf(page, "Own"), text });
  const unbound = { ref: refOf(page, "Own"), text: "{{tester.unbound}}" };
  assert.match((await session.refuse("PERMISSION_DENIED", "browser_type", unbound)).text, /no origin/);
});

test("an unknown name is refused with the nearest one before the page is touched", async () => {
  await using session = worker.session();
  const page = await session.open(site.page(LOGIN));
  const ref = refOf(page, "Password");
  for (const text of ["{{tester.pasword}}", "{{customer.password}}", "{{password}}"]) {
    const refused = await session.refuse("INVALID_ARGUMENT", "browser_type", { ref, text });
    assert.match(refused.text, /\{\{tester\.password\}\}, \{\{tester\.code\}\}/, text);
    assert.match(refused.text, /with \{\{tester\.password\}\} in it/, text);
  }
  const steps = [{ type: { ref, text: "{{tester.pasword}}" } }];
  await session.refuse("INVALID_ARGUMENT", "browser_steps", { steps });
  const braces = await session.do("browser_type", { ref: refOf(page, "Code"), text: "{{ name }} and {{}}" });
  assert.match(braces.text, /textbox "Code" \[active\] \[ref=e2\]: .*name/);
});

test("steps type credentials, and a value within a longer text", async () => {
  await using session = worker.session();
  const page = await session.open(site.page(LOGIN));
  const { text } = await session.do("browser_steps", {
    steps: [
      { type: { ref: refOf(page, "Password"), text: "{{tester.password}}" } },
      { type: { ref: refOf(page, "Code"), text: "Bearer {{ tester.password }}!" } },
    ],
  });
  assert.match(text, /true 16; true 24;/);
});

test("a form's fields take credentials, with the same checks", async () => {
  await using session = worker.session();
  const page = await session.open(site.page(LOGIN));
  const fields = (name: string) => [
    { ref: refOf(page, "Password"), value: ["{{tester.password}}"] },
    { ref: refOf(page, "Code"), value: [name] },
  ];
  const { text } = await session.do("browser_fill_form", { fields: fields("{{tester.code}}") });
  assert.match(text, /true 16; true 6;/);
  await session.refuse("INVALID_ARGUMENT", "browser_fill_form", { fields: fields("{{tester.cod}}") });
});

test("a value that cannot be read, or is too short to be kept secret, is an error without it", async () => {
  await using session = worker.session();
  const page = await session.open(site.page(LOGIN));
  const ref = refOf(page, "Password");
  const missing = await session.refuse("AUTHENTICATION_FAILED", "browser_type", {
    ref,
    text: "{{tester.missing}}",
  });
  assert.match(
    missing.text,
    /\{\{tester\.missing\}\} has no value, as its source, the variable GONE, is not there/,
  );
  const short = await session.refuse("AUTHENTICATION_FAILED", "browser_type", {
    ref,
    text: "{{tester.pin}}",
  });
  assert.match(short.text, /has 4 characters that count; a secret needs 6/);
  assert.doesNotMatch(short.text, /1234/);
});

test("a credential is not chosen from a list or set as a date", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(`<select aria-label=Pick><option>One</select><input type=date aria-label=Day>`),
  );
  for (const name of ["Pick", "Day"])
    await session.refuse("INVALID_ARGUMENT", "browser_type", {
      ref: refOf(page, name),
      text: "{{tester.password}}",
    });
});

test("the plan of a failed call has the placeholder, never the value", async () => {
  await using session = worker.session();
  const page = await session.open(site.page(`<input aria-label=Password id=field disabled>`));
  const text = "{{tester.password}}";
  const refused = await session.refuse("ELEMENT_DISABLED", "browser_type", {
    ref: refOf(page, "Password"),
    text,
  });
  assert.doesNotMatch(JSON.stringify(refused), /correct-Horse/);
});
