import assert from "node:assert/strict";
import { test } from "node:test";
import { LoginError } from "../../../worker/login/login-error.ts";
import { placeOf } from "../../../worker/login/run-script.ts";
import { parseScript } from "../../../worker/login/script.ts";

const SECRETS = {
  env: { SHOP_PASSWORD: "s3cret" },
  readFile: (name: string) =>
    name === "password.txt"
      ? Promise.resolve("s3cret of the file \r\n")
      : Promise.reject(new LoginError("usage", `cannot read ${name}`)),
};
const read = (steps: unknown) =>
  parseScript(typeof steps === "string" ? steps : JSON.stringify(steps), "login.yaml", SECRETS);

const FIRST = { navigate: "https://shop.example/login" };
const LAST = { wait_for: { role: "heading", name: "My account" } };
const FIELD = { role: "textbox", name: "Password" };

test("steps are read from YAML, with texts from the variable or file that they name", async () => {
  const steps = await read(`
- navigate: https://shop.example/login
- type: { role: textbox, name: User name, text: carla }
- type: { role: textbox, name: Password, env: SHOP_PASSWORD }
- type: { role: textbox, name: Once more, file: password.txt }
- select: { role: combobox, name: Country, value: NL }
- click: { role: button, name: Log in }
- wait_for: { role: heading, name: My account }
`);
  assert.deepEqual(steps, [
    { verb: "navigate", url: "https://shop.example/login" },
    { verb: "type", role: "textbox", name: "User name", text: "carla", secret: false },
    { verb: "type", role: "textbox", name: "Password", text: "s3cret", secret: true },
    { verb: "type", role: "textbox", name: "Once more", text: "s3cret of the file ", secret: true },
    { verb: "select", role: "combobox", name: "Country", value: "NL" },
    { verb: "click", role: "button", name: "Log in" },
    { verb: "wait_for", role: "heading", name: "My account" },
  ]);
});

test("a malformed script is refused with its step, and its content is not repeated", async () => {
  const cases: [unknown, RegExp][] = [
    ["- type: [s3cret", /^login\.yaml is neither YAML nor JSON$/],
    ["s3cret", /^login\.yaml: a script is a list of 1 to 100 steps$/],
    [[], /a script is a list/],
    [Array.from({ length: 101 }, () => FIRST), /a script is a list of 1 to 100 steps/],
    [
      [FIRST, { type: { ...FIELD, text: "s3cret", env: "X" } }, LAST],
      /step 2 cannot be read: it must be one of/,
    ],
    [[FIRST, { type: FIELD }, LAST], /step 2 cannot be read/],
    [[FIRST, { clik: FIELD }, LAST], /step 2 cannot be read/],
    [[FIRST, { click: { role: "button", name: 'a"][role="s3cret' } }, LAST], /step 2 cannot be read/],
    [[{ navigate: "file:///s3cret" }, LAST], /step 1 cannot be read/],
    [[LAST, LAST], /the first step must be navigate/],
    [[FIRST, { click: FIELD }], /the last step must be wait_for/],
    [[FIRST, { type: { ...FIELD, env: "NO_SUCH" } }, LAST], /the environment has no NO_SUCH/],
    [[FIRST, { type: { ...FIELD, file: "none.txt" } }, LAST], /cannot read none\.txt/],
  ];
  for (const [steps, words] of cases) {
    await assert.rejects(read(steps), (error) => {
      assert.ok(error instanceof LoginError);
      assert.equal(error.exitCode, 64);
      assert.match(error.message, words);
      assert.doesNotMatch(error.message, /s3cret/);
      return true;
    });
  }
});

test("an address is shown without query and fragment, which hold codes and tokens", () => {
  assert.equal(placeOf("https://a:s3cret@b.example:8/c?code=s3cret#s3cret"), "https://b.example:8/c");
  assert.equal(placeOf("about:blank"), "about:blank");
  assert.equal(placeOf("data:text/html,s3cret"), "a data: page");
});
