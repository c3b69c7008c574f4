// Evidence shows no code in a field for secrets: not a short one, and not one that was typed digit by digit. Some fields
// say only by their words what they take. The model reads its replies as before.
import assert from "node:assert/strict";
import { test } from "node:test";
import { testClient } from "../../harness/daemon.ts";
import { shared } from "../../harness/shared.ts";
import { type Agent, refOf, startTroupe } from "../../harness/troupe.ts";
import { until } from "../../harness/within.ts";
import { serveSite } from "../../site/serve.ts";

const TIME = { timeout: 120_000 };
const site = shared(await serveSite());
const troupe = shared(
  await startTroupe({ roles: { recorded: { record: true, startUrl: `${site.origin}/` } } }),
);
const control = testClient(troupe.address);

/** Resolves with the words of a session's evidence, once it has so many calls. */
async function wordsOf(session: string, calls: number): Promise<string> {
  const all = await until(
    async () => {
      const found = (await control.ask("ReadEvidence", { session })).ok?.calls ?? [];
      const own = found.filter(({ call }) => call?.tool !== "select_role");
      return own.length >= calls && own.every(({ seen }) => seen) ? own : undefined;
    },
    `evidence of ${calls} calls`,
    30_000,
  );
  return all
    .map(({ plan, seen }) => `${seen?.tool} ${seen?.arguments}\n${seen?.reply}\n${plan}`)
    .join("\n\n");
}

async function agentOf(session: string): Promise<Agent> {
  return await troupe.agent("--role", "recorded", "--session", session, "--profile", "full");
}

const FIELDS = {
  "a label": "<label>Your PIN <input id=f></label>",
  "a placeholder": '<input id=f placeholder="Security code" aria-label=Number>',
  "its autocomplete": "<input id=f autocomplete=one-time-code aria-label=Number>",
};

for (const [by, field] of Object.entries(FIELDS))
  test(`a short code in a field that is known by ${by} is in no part of the evidence`, TIME, async () => {
    const session = `short-${by.replaceAll(" ", "-")}`;
    await using agent = await agentOf(session);
    const name = by === "a label" ? "Your PIN" : "Number";
    const opened = await agent.text("browser_navigate", {
      url: site.page(
        `<title>Code</title>${field}<button onclick="f.value = '9173'">Fill</button><p>Room 4711`,
      ),
    });
    const ref = refOf(opened, "textbox", name);
    assert.match(await agent.text("browser_type", { ref, text: "4711" }), /4711/);
    await agent.text("browser_click", { ref: refOf(opened, "button", "Fill") });
    assert.match(await agent.text("browser_snapshot", { full: true }), /9173/);
    assert.match(await agent.text("browser_find", { ariaRole: "textbox" }), /9173/);
    await agent.text("browser_fill_form", { fields: [{ ref, value: ["8264"] }] });
    await agent.text("browser_steps", { steps: [{ type: { ref, text: "5392" } }] });
    const words = await wordsOf(session, 7);
    for (const code of ["9173", "8264", "5392"]) assert.ok(!words.includes(code), `${code} in\n${words}`);
    assert.doesNotMatch(words.replaceAll("Room 4711", ""), /4711/);
    assert.match(words, /textbox "[^"]+" [^\n]*\[ref=\w+\][^\n]*: •••/);
    assert.match(words, /Room 4711/);
  });

test(
  "a code that is typed digit by digit is a secret as a whole, and no digit of it is shown",
  TIME,
  async () => {
    const code = "749203";
    await using agent = await agentOf("digits");
    const boxes = [...code].map(
      (_digit, index) => `<input maxlength=1 inputmode=numeric aria-label="Digit ${index + 1}">`,
    );
    const opened = await agent.text("browser_navigate", {
      url: site.page(`<title>Code</title>${boxes.join("")}<p id=p></p><script>
      const all = [...document.querySelectorAll("input")];
      for (const [index, each] of all.entries()) each.addEventListener("input", () => {
        all[index + 1]?.focus();
        const whole = all.map(({ value }) => value).join("");
        if (whole.length === 6) { p.textContent = "Code " + whole + " is wrong"; for (const each of all) each.value = ""; }
      });
    </script>`),
    });
    await agent.text("browser_click", { ref: refOf(opened, "textbox", "Digit 1") });
    for (const digit of code.slice(0, -1)) await agent.text("browser_press_key", { key: digit });
    assert.match(await agent.text("browser_press_key", { key: "3" }), /Pressed 3[\s\S]*Code 749203 is wrong/);
    const words = await wordsOf("digits", 8);
    assert.ok(!words.includes(code), words);
    assert.match(words, /Code ••• is wrong/);
    assert.doesNotMatch(words, /Pressed \d/);
    assert.doesNotMatch(words, /"key":"\d"/);
    assert.doesNotMatch(words, /textbox "Digit \d" [^\n]*: \d/);
  },
);

test("a code that is typed into its boxes call by call is a secret as a whole", TIME, async () => {
  await using agent = await agentOf("boxes");
  const boxes = [1, 2, 3, 4, 5, 6].map(
    (each) => `<input type=password maxlength=1 aria-label="Digit ${each}">`,
  );
  const opened = await agent.text("browser_navigate", {
    url: site.page(`<title>Code</title>${boxes.join("")}<button>Go</button><p id=p></p><script>
      document.querySelector("button").onclick = () => {
        p.textContent = "Code " + [...document.querySelectorAll("input")].map(({ value }) => value).join("") + " is wrong";
      };</script>`),
  });
  for (const [index, text] of [..."385104"].entries())
    await agent.text("browser_type", { ref: refOf(opened, "textbox", `Digit ${index + 1}`), text });
  assert.match(await agent.text("browser_click", { ref: refOf(opened, "button", "Go") }), /385104/);
  assert.doesNotMatch(await wordsOf("boxes", 8), /385104/);
});

test("keys and texts in other fields are shown", TIME, async () => {
  await using agent = await agentOf("plain");
  const opened = await agent.text("browser_navigate", {
    url: site.page(
      `<title>Order</title><label>Amount <input></label><label>Postcode <input name=postcode></label>`,
    ),
  });
  await agent.text("browser_click", { ref: refOf(opened, "textbox", "Amount") });
  for (const key of "1234567") await agent.text("browser_press_key", { key });
  await agent.text("browser_type", { ref: refOf(opened, "textbox", "Postcode"), text: "10115" });
  const words = await wordsOf("plain", 10);
  assert.match(words, /Pressed 7/);
  assert.match(words, /textbox "Amount" [^\n]*: 1234567/);
  assert.match(words, /textbox "Postcode" [^\n]*: 10115/);
});
