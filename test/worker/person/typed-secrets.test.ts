import assert from "node:assert/strict";
import { test } from "node:test";
import { type FocusedField, TypedSecrets } from "../../../worker/person/typed-secrets.ts";

function typing(fields: (FocusedField | undefined)[]) {
  const secrets: string[] = [];
  const unfinished: string[] = [];
  const keeper = {
    watchFor: (secret: string) => void secrets.push(secret),
    typing: (text: string) => void unfinished.push(text),
    kept: async () => undefined,
  };
  return { secrets, unfinished, typed: new TypedSecrets(keeper, async () => fields.shift()) };
}

test("the value of a field for a secret counts as a secret once the field is left", async () => {
  const { secrets, typed } = typing([
    { isSecret: true, value: "" },
    { isSecret: true, value: "quiet-otter" },
  ]);
  await typed.begin();
  // Keys that move the caret are not followed, so the text alone is not what the field holds.
  for (const key of "quiex-t-otter") await typed.typed(key);
  await typed.end();
  assert.deepEqual(secrets, ["quiet-otter", "quiex-t-otter"]);
});

test("a value that the person did not type is not believed", async () => {
  for (const value of ["button", "[ref=e", "aB3".repeat(1_000_000), `b${"-".repeat(3_000_000)}`]) {
    const { secrets, typed } = typing([
      { isSecret: true, value: "" },
      { isSecret: true, value },
    ]);
    await typed.begin();
    await typed.typed("b");
    await typed.end();
    assert.deepEqual(secrets, ["b"]);
  }
});

test("no text is kept without end", async () => {
  const { secrets, typed } = typing([{ isSecret: true, value: "" }]);
  await typed.begin();
  for (let count = 0; count < 100; count++) await typed.typed("0123456789".repeat(1_000));
  typed.gone();
  assert.equal(secrets[0]?.length, 1_000);
});

test("a page that goes on by itself leaves what was typed as a secret", async () => {
  const { secrets, typed } = typing([{ isSecret: true, value: "" }]);
  await typed.begin();
  for (const digit of "123456") await typed.typed(digit);
  typed.gone();
  assert.deepEqual(secrets, ["123456"]);
});

test("a field that nothing is known of counts as one for a secret", async () => {
  const { secrets, typed } = typing([undefined, undefined]);
  await typed.begin();
  await typed.typed("unknown");
  await typed.end();
  assert.deepEqual(secrets, ["unknown"]);
});

test("a text in any other field is no secret, and the next field is looked at anew", async () => {
  const { secrets, typed } = typing([
    { isSecret: false, value: "" },
    { isSecret: false, value: "" },
    { isSecret: true, value: "" },
  ]);
  await typed.begin();
  await typed.typed("Lisbon");
  await typed.end();
  await typed.begin();
  await typed.typed("hidden");
  typed.gone();
  assert.deepEqual(secrets, ["hidden"]);
});

test("a field for a secret that the page leads on to is met at the end", async () => {
  const { secrets, typed } = typing([
    { isSecret: false, value: "" },
    { isSecret: true, value: "483920" },
  ]);
  await typed.begin();
  await typed.typed("4111483920");
  await typed.end();
  assert.deepEqual(secrets, ["483920", "4111483920"]);
});

test("a secret is kept while it is typed, and no longer once its field is left", async () => {
  const { unfinished, typed } = typing([
    { isSecret: true, value: "" },
    { isSecret: true, value: "abc" },
    { isSecret: false, value: "" },
  ]);
  await typed.begin();
  for (const key of "abc") await typed.typed(key);
  await typed.end();
  await typed.begin();
  await typed.typed("plain");
  typed.gone();
  assert.deepEqual(unfinished, ["a", "ab", "abc", ""]);
});
