import assert from "node:assert/strict";
import { test } from "node:test";
import { isTroupeError } from "../../../proto/errors/catalogue.ts";
import { parseKeys } from "../../../worker/actions/keyboard.ts";

test("keys are known by their own names and by common other names, in any case", () => {
  for (const [text, key, code] of [
    ["Enter", "Enter", "Enter"],
    ["return", "Enter", "Enter"],
    ["esc", "Escape", "Escape"],
    ["down", "ArrowDown", "ArrowDown"],
    ["pageup", "PageUp", "PageUp"],
    ["Space", " ", "Space"],
    [" ", " ", "Space"],
    ["F5", "F5", "F5"],
    ["a", "a", "KeyA"],
    ["A", "A", "KeyA"],
    ["/", "/", "Slash"],
    ["+", "+", "Equal"],
    ["-", "-", "Minus"],
    ["*", "*", "Digit8"],
    ["NumpadAdd", "+", "NumpadAdd"],
  ] as const) {
    const parsed = parseKeys(text);
    assert.deepEqual([parsed.key.key, parsed.key.code, parsed.modifiers], [key, code, []], text);
  }
});

test("a combination holds its modifiers, and Shift changes its key", () => {
  for (const [text, modifiers, key] of [
    ["Control+a", ["Control"], "a"],
    ["ctrl+A", ["Control"], "a"],
    ["Control+Shift+a", ["Control", "Shift"], "A"],
    ["Shift+1", ["Shift"], "!"],
    ["shift+Tab", ["Shift"], "Tab"],
    ["cmd+alt+Delete", ["Meta", "Alt"], "Delete"],
    ["Control++", ["Control"], "+"],
    ["Shift+/", ["Shift"], "?"],
    ["Shift+=", ["Shift"], "+"],
  ] as const) {
    const parsed = parseKeys(text);
    assert.deepEqual([parsed.modifiers, parsed.key.key], [modifiers, key], text);
  }
});

test("keys that type have their text, and commands have none", () => {
  assert.equal(parseKeys("a").key.text, "a");
  assert.equal(parseKeys("Shift+a").key.text, "A");
  assert.equal(parseKeys("Enter").key.text, "\r");
  assert.equal(parseKeys("Tab").key.text, "");
  assert.equal(parseKeys("F1").key.text, "");
});

test("an unknown key is refused with the nearest one and the corrected call", () => {
  for (const [text, nearest, corrected] of [
    ["Entr", "Enter", "Enter"],
    ["Contrl+a", "Control", "Control+a"],
    ["Control+Entr", "Enter", "Control+Enter"],
  ] as const) {
    const error = errorOf(text);
    assert.equal(error.nearest, nearest);
    assert.deepEqual(error.corrected, { key: corrected });
  }
  for (const text of ["", "é", "a+b", "Control+", "nonsense key", "😀"])
    assert.match(errorOf(text).problem, /^there is no key /, text);
});

function errorOf(text: string): { problem: string; nearest?: string; hint?: string; corrected?: object } {
  try {
    parseKeys(text);
  } catch (error) {
    assert.ok(isTroupeError(error) && error.type === "INVALID_ARGUMENT");
    return error.data as ReturnType<typeof errorOf>;
  }
  return assert.fail(`${text} is a key`);
}

test("a text that resembles no key is not repeated, and the plan names the tool that types it", () => {
  const error = errorOf("pa55word");
  assert.doesNotMatch(JSON.stringify(error), /pa55word/);
  assert.match(error.hint ?? "", /such as Enter.*browser_type/);
  assert.equal(errorOf("Entr").hint, undefined);
});

test("a combination with other separators is corrected, and a text with dashes is not taken for one", () => {
  for (const [text, meant] of [
    ["Ctrl-A", "Control+A"],
    ["ctrl a", "Control+A"],
    ["<C-a>", "Control+A"],
    ["Shift-Tab", "Shift+Tab"],
    ["cmd_shift_k", "Meta+Shift+K"],
  ] as const)
    assert.throws(
      () => parseKeys(text),
      ({ data }: { data: { corrected?: object } }) =>
        JSON.stringify(data.corrected) === JSON.stringify({ key: meant }),
      text,
    );
  assert.throws(
    () => parseKeys("well-known"),
    ({ data }: { data: object }) => !("corrected" in data),
  );
});
