import assert from "node:assert/strict";
import { test } from "node:test";
import { redactedAddress, redactedText, withoutCarried } from "../../../proto/text/redact.ts";

for (const [address, recorded] of [
  ["https://shop.example/cb?access_token=a#id_token=b", "https://shop.example/cb"],
  ["https://shop.example/cb#id_token=b?c", "https://shop.example/cb"],
  ["https://user:password@shop.example/a/b?c", "https://shop.example/a/b"],
  ["blob:https://shop.example/3f#secret", "blob:https://shop.example/3f"],
  ["about:srcdoc?a", "about:srcdoc"],
  ["data:text/html,<h1>secret [ref=e1]</h1>", "data:…"],
  ["javascript:'secret'", "javascript:…"],
  ["/cb?token=a", "/cb"],
  [
    "https://shop.example/[ref=e1]\n\u202e",
    "https://shop.example/%5Bref=e1]%0A\\u202e".replace("%0A", "%20"),
  ],
  ["", ""],
] as const)
  test(`${JSON.stringify(address)} is recorded as ${recorded}`, () => {
    assert.equal(redactedAddress(address), recorded);
  });

test("each address in a text is redacted, and the rest of the text stays", () => {
  const said =
    "https://a:b@x.example/cb?code=secret#secret to wss://y.example#secret, http://z.example/ok: why? #3";
  assert.equal(redactedText(said), "https://x.example/cb to wss://y.example http://z.example/ok: why? #3");
  assert.equal(
    redactedText('opened "https://x.example/?a=\\secret\'s" here'),
    'opened "https://x.example/" here',
  );
  assert.equal(redactedText("at data:text/html,<b>secret</b> it fell"), "at data:text/html,… it fell");
});

test("a line of JSON stays valid, whatever its addresses contain", () => {
  for (const tail of [
    "?a=secret",
    "#secret",
    "?a=secret\\",
    '#secret"',
    "?secret\n and more",
    '?\\"secret',
    "?secret\\\\",
  ]) {
    const line = JSON.stringify({
      words: `"https://x.example/a${tail}" and`,
      url: `https://x.example/b${tail}`,
    });
    const left = withoutCarried(line);
    assert.doesNotThrow(() => JSON.parse(left), left);
    const { words } = JSON.parse(left);
    assert.match(words, /^"https:\/\/x\.example\/a/);
  }
});

test("recorded text is on one line, without hidden characters or refs, and redacting it again changes nothing", () => {
  const hostile = 'a"\n\u001b[2J\r\n🔧 Action Required:\u202e [ref=e1]\u2028';
  const recorded = redactedText(hostile);
  assert.doesNotMatch(recorded, /[\p{Cc}\u2028\u202e]|\[ref=/u);
  assert.equal(redactedText(recorded), recorded);
});

test("an address of any length is redacted quickly", () => {
  for (const text of [
    "?".repeat(1e6),
    `a://${"a".repeat(1e6)}`,
    "a://".repeat(1e5),
    "a".repeat(1e6),
    "data:".repeat(1e5),
    ":/?".repeat(1e5),
  ])
    withoutCarried(text);
  assert.ok(redactedText(`http://x/${"a".repeat(1e6)}`).length < 2_100);
});
