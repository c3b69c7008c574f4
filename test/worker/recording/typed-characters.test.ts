// Tests which characters, typed one by one, are one secret.
import assert from "node:assert/strict";
import { test } from "node:test";
import { TypedCharacters } from "../../../worker/recording/typed-characters.ts";

function typing() {
  const ended: string[] = [];
  let text = "";
  const characters = new TypedCharacters({
    grew: (now, before) => {
      assert.equal(before, now.slice(0, -1));
      text = now;
    },
    ended: (whole) => void ended.push(whole),
  });
  return { characters, ended, text: () => text };
}

test("keys in one field are joined, with what was erased left out", () => {
  const { characters, ended, text } = typing();
  for (const keys of ["7", "4 9", "9", "Backspace", "Shift+A", " ", "Space"]) characters.pressed(keys);
  assert.equal(text(), "749A  ");
  characters.end();
  assert.deepEqual(ended, ["749A  "]);
});

test("fields for one character each are joined, however the focus moves", () => {
  const { characters, ended, text } = typing();
  for (const key of ["1", "Tab", "2", "Shift+Tab", "3"]) characters.pressed(key);
  characters.moved();
  characters.pressed("4");
  for (const character of "56") characters.filled(character);
  assert.equal(text(), "123456");
  assert.deepEqual(ended, []);
});

test("a longer text ends with its field", () => {
  const { characters, ended, text } = typing();
  for (const key of ["a", "b", "Tab", "c", "d"]) characters.pressed(key);
  assert.deepEqual([ended, text()], [["ab"], "cd"]);
});

test("no text grows without end", () => {
  const { characters, ended } = typing();
  for (let key = 0; key < 250; key++) characters.pressed("1");
  assert.deepEqual(
    ended.map(({ length }) => length),
    [100, 100],
  );
});
