// Tests browser_export_test: what is recorded of a run, and how it is written. test/exports/ runs such tests.
import assert from "node:assert/strict";
import { test } from "node:test";
import { refOf, stage } from "../../harness/worker.ts";

const { worker, site } = await stage();

type Session = ReturnType<typeof worker.session>;

const exported = async (session: Session) => (await session.do("browser_export_test")).text;

test("a run is written with its locators from before each action, and with what appeared", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(`<h1>Sign up</h1><label>Name <input name=user></label>
    <button id=send onclick="this.remove(); out.textContent = 'Thank you, Carla'">Send</button><p role=status id=out></p>`),
  );
  await session.do("browser_type", { ref: refOf(page, "Name"), text: 'Car"la\n' });
  await session.do("browser_click", { ref: refOf(page, "Send") });
  const code = await exported(session);
  assert.match(code, /await page\.goto\("\/\d+"\);/);
  assert.match(code, /getByRole\("heading", \{ name: "Sign up", exact: true \}\)\.first\(\)\)\.toBeVisible/);
  assert.match(
    code,
    /page\.getByRole\("textbox", \{ name: "Name", exact: true \}\)[^;]*\.fill\("Car\\"la\\n"\);/,
  );
  assert.match(code, /page\.getByRole\("button", \{ name: "Send", exact: true \}\)[^;]*\.click\(\);/);
  assert.match(code, /expect\(page\.getByText\("Thank you, Carla"\)\.filter\(\{ visible: true \}\)/);
});

test("no step is an error whose plan ends in an export", async () => {
  await using session = worker.session();
  const error = await session.refuse("NO_HISTORY", "browser_export_test");
  assert.match(error.text, /This session has recorded no steps in this role/);
  assert.equal(error.steps.at(-1)?.tool, "browser_export_test");
  await session.open(site.page("<h1>Go</h1>"));
  await session.do("browser_export_test");
});

test("a typed password is in no form in the test, whatever the page echoes", async () => {
  await using session = worker.session();
  const secret = "hunter2-Geheim";
  const page = await session.open(
    site.page(`<h1>Log in</h1><label>Password <input type=password name=p id=p oninput="
      h.textContent = 'Hello ' + this.value; b.textContent = 'Go ' + this.value; b.id = this.value;
      history.replaceState(0, '', '?p=' + this.value)"></label><h2 id=h></h2><button id=b>Go</button>`),
  );
  await session.do("browser_type", { ref: refOf(page, "Password"), text: secret });
  await session.do("browser_press_key", { key: "x" });
  const now = await session.read();
  await session.do("browser_click", { ref: refOf(now, "button") });
  const code = await exported(session);
  assert.ok(!code.includes("hunter2"), code);
  assert.match(code, /fill\(secret\("TESTER_PASSWORD"\)\)/);
  assert.match(code, /throw new Error\(`Set the environment variable/);
  assert.doesNotMatch(code, /press\("x"\)/);
});

test("a placeholder of a secret becomes a variable, and so do secret parameters of addresses", async () => {
  await using session = worker.session();
  const address = site.page(
    "<label>Code <input name=code autocomplete=one-time-code></label><label>Note <input></label>",
  );
  const page = await session.open(`${address}?token=abc-secret&q=shoes`);
  await session.do("browser_type", { ref: refOf(page, "Note"), text: "{{customer.password}}" });
  await session.do("browser_type", { ref: refOf(page, "Code"), text: "123456" });
  const code = await exported(session);
  assert.doesNotMatch(code, /abc-secret|123456/);
  assert.match(code, /q=shoes/);
  assert.match(code, /fill\(secret\("CUSTOMER_PASSWORD"\)\)/);
  assert.match(code, /fill\(secret\("TESTER_CODE"\)\)/);
});

test("steps in one call, dialogs, tabs, keys, scrolls and waits are written, the rest is said", async () => {
  await using session = worker.session();
  const other = site.page("<h1>Other</h1>");
  const page = await session.open(
    site.page(`<button onclick="confirm('Sure?'); prompt('Why?')">Ask</button><a href="${other}" target=_blank>Open</a>
    <label>Colour <select><option>red<option>blue</select></label><label>Name <input></label><p>Ready</p>`),
  );
  await session.do("browser_click", { ref: refOf(page, "Ask") });
  await session.do("browser_handle_dialog", { accept: true });
  await session.do("browser_handle_dialog", { accept: true, promptText: "Because" });
  await session.do("browser_steps", {
    steps: [
      { selectOption: { ref: refOf(page, "Colour"), values: ["blue"] } },
      { type: { ref: refOf(page, "Name"), text: "Ada" } },
      { pressKey: { key: "Tab" } },
      { scroll: { direction: "down" } },
      { waitFor: { text: "Ready" } },
    ],
  });
  await session.do("browser_click", { ref: refOf(page, "Open") });
  await session.do("browser_tabs", { action: "close" });
  await session.do("browser_tabs", { action: "new", url: other });
  const code = await exported(session);
  const lines = [
    `// It opens a dialog: "confirm" "Sure?"`,
    `answerDialogs(page, [{ accept: true }, { accept: true, text: "Because" }]);`,
    `.selectOption(["blue"]);`,
    `.fill("Ada");`,
    `await page.keyboard.press("Tab");`,
    `await page.mouse.wheel(0, `,
    `await expect(page.getByText("Ready").filter({ visible: true }).first()).toBeVisible();`,
    `const opening2 = context.waitForEvent("page");`,
    `const tab2 = await opening2;`,
    `await tab2.close();`,
    `const tab3 = await context.newPage();`,
  ];
  let at = 0;
  for (const line of lines) {
    const found = code.indexOf(line, at);
    assert.ok(found >= 0, `${line} is not, or not there, in:\n${code}`);
    at = found;
  }
});

test("words of the page stay in string literals and comments", async () => {
  await using session = worker.session();
  const evil = "`$" + "{process.exit(1)}` */ \u2028 '); throw 1; //";
  const page = await session.open(site.page(`<button onclick="alert(this.textContent)">${evil}</button>`));
  await session.do("browser_click", { ref: refOf(page, "throw 1") });
  await session.do("browser_handle_dialog", { accept: false });
  const code = await exported(session);
  const { stripTypeScriptTypes } = await import("node:module");
  const script = stripTypeScriptTypes(code).replace(/^import .*$/m, "");
  assert.doesNotThrow(() => new Function(`return async () => { ${script} }`));
  assert.ok(!code.includes("\u2028"));
});

test("numbers, times and made-up ids in what appeared are no expectation", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(`<button onclick="a.textContent = 'Order 10423 placed'; b.textContent = 'Seen 3 minutes ago';
    c.textContent = 'Ref a8f3k2x9 noted'">Order</button><p id=a></p><p id=b></p><p id=c></p>`),
  );
  await session.do("browser_click", { ref: refOf(page, "Order") });
  const code = await exported(session);
  assert.match(code, /getByText\(\/Order \[\\d\.,:\]\+ placed\/\)/);
  assert.doesNotMatch(code, /ago|a8f3k2x9/);
});

test("the newest 500 steps are kept, and the test says that it begins later", async () => {
  await using session = worker.session();
  await session.open(site.page("<button>Go</button>"));
  const steps = Array.from({ length: 20 }, () => ({ pressKey: { key: "a" } }));
  for (let calls = 0; calls < 26; calls++) await session.do("browser_steps", { steps });
  const reply = await session.do("browser_export_test");
  assert.ok((reply.steps as number) <= 500 && (reply.steps as number) > 470, String(reply.steps));
  assert.equal((reply.steps as number) + (reply.dropped as number), 521);
  assert.match(reply.text, /It begins later: \d+ earlier steps are no longer kept/);
  assert.match(reply.text, /await page\.goto\(/);
});
