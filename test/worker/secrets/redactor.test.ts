import assert from "node:assert/strict";
import { test } from "node:test";
import { Redactor } from "../../../worker/secrets/redactor.ts";
import { unfitSecret } from "../../../worker/secrets/secret-finder.ts";

const SECRET = 'pass "Word"/0c77é+%41&x';
const redactor = new Redactor();
for (const secret of [SECRET, "hunter2", "492039"]) redactor.watchFor(secret);

const codes = (how: (point: number) => string) =>
  [...SECRET].map((character) => how(character.codePointAt(0) ?? 0)).join("");

for (const [how, text] of [
  ["as it is", SECRET],
  ["in upper case", SECRET.toUpperCase()],
  ["backwards", [...SECRET].reverse().join("")],
  ["in a URL", encodeURIComponent(SECRET)],
  ["in a form", new URLSearchParams({ "": SECRET }).toString().slice(1)],
  ["in a URL within a URL", encodeURIComponent(encodeURIComponent(SECRET))],
  ["in JSON", JSON.stringify(SECRET).slice(1, -1)],
  ["in JSON within JSON", JSON.stringify(JSON.stringify(SECRET)).slice(3, -3)],
  ["in HTML", SECRET.replaceAll("&", "&amp;").replaceAll('"', "&quot;")],
  ["as HTML's decimal references", codes((point) => `&#${point};`)],
  ["as HTML's hexadecimal references", codes((point) => `&#x${point.toString(16)};`)],
  ["as escapes of JavaScript", codes((point) => `\\u${point.toString(16).padStart(4, "0")}`)],
  ["as escapes of code points", codes((point) => `\\u{${point.toString(16)}}`)],
  ["as character codes", [...SECRET].map((each) => each.codePointAt(0)).join(", ")],
  ["in base64", Buffer.from(SECRET).toString("base64")],
  ["within longer base64", Buffer.from(`a${SECRET}b`).toString("base64")],
  ["within base64 of URLs", Buffer.from(`ab${SECRET}abc`).toString("base64url")],
  ["in hexadecimal", Buffer.from(SECRET).toString("hex")],
  ["letter by letter", [...SECRET].join(" ")],
  ["with invisible characters", [...SECRET].join("\u200b")],
  ["in a file's name", SECRET.replaceAll(/["/]/g, "_")],
  ["in a list of letters", [...SECRET].join('", "')],
  ["in wide letters", SECRET.replaceAll("o", "ｏ")],
  ["with letters and accents apart", SECRET.normalize("NFD")],
] as const) {
  test(`a secret is masked ${how}`, () => {
    assert.equal(redactor.text(`<<${text}>>`), "<<•••>>");
  });
}

test("a secret that was cut off is masked as well", () => {
  assert.equal(redactor.text(`It is ${SECRET.slice(0, 12)}…`), "It is •••…");
});

test("a secret that is spread over lines of a tree is masked, and the lines stay", () => {
  const tree = (letters: string[]) =>
    [
      "- paragraph:",
      `  - strong: ${letters[0]}`,
      `  - link "${letters[1]}" [ref=e1] [url=/x]:`,
      `    - text: ${letters[2]}`,
      `  - button "${letters[3]}" [ref=e2]`,
    ].join("\n");
  assert.equal(redactor.text(tree(["h", "un", "ter", "2"])), tree(["•", "••", "•••", "•"]));
});

test("digits in a row of cells are no code, but a code with a gap is", () => {
  const row = "- row:\n  - cell: 492\n  - cell: 039";
  assert.equal(redactor.text(row), row);
  assert.equal(redactor.text("492 039"), "•••");
});

test("texts without secrets stay as they are, also those with parts and escapes", () => {
  for (const text of [
    "hunter 3",
    "hunt",
    "%68%75%6e%74",
    "&#104;&#117;&",
    "\\u0068\\u",
    "…",
    "",
    "a\\",
    "%c3%28%ff",
  ])
    assert.equal(redactor.text(text), text);
});

test("a value's texts are masked at every depth, with a page's own keys and readable bytes", () => {
  const masked = redactor.all({
    text: "hunter2",
    list: [{ url: "https://x/?q=hunter%32" }],
    number: 492039,
    other: 7,
    data: { fields: { hunter2: { stringValue: "1" } } },
    bytes: Buffer.from("is hunter2"),
    image: Buffer.from([0xff, 0xd8, 0xff]),
  });
  assert.deepEqual(masked, {
    text: "•••",
    list: [{ url: "https://x/?q=•••" }],
    number: 0,
    other: 7,
    data: { fields: { "•••": { stringValue: "1" } } },
    bytes: Buffer.from("is •••"),
    image: Buffer.from([0xff, 0xd8, 0xff]),
  });
});

test("a masked line of a log is still JSON", () => {
  const line = redactor.text(JSON.stringify({ msg: `typed ${SECRET}`, at: "hunter2" }));
  assert.deepEqual(JSON.parse(line), { msg: "typed •••", at: "•••" });
});

test("a text that is too short or blank cannot be a secret", () => {
  for (const text of ["", "ab", "12345", "a b c d e", "\u200b\u200b\u200b\u200b\u200b\u200b", "%41%41%41"])
    assert.match(unfitSecret(text) ?? "", /a secret needs 6/, JSON.stringify(text));
  for (const text of ["123456", "a b c d e f", SECRET]) assert.equal(unfitSecret(text), undefined);
});

test("without secrets, nothing is copied", () => {
  const reply = { text: "hunter2" };
  assert.equal(new Redactor().all(reply), reply);
});
