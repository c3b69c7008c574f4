// Sends trusted keyboard input: named keys, combinations and text.
import { _keyDefinitions as layout } from "puppeteer-core/internal/common/USKeyboardLayout.js";
import { fail } from "../../proto/errors/catalogue.ts";
import { nearest } from "../../proto/text/nearest.ts";
import type { Page } from "../tab/page.ts";
import { MODIFIER_BITS } from "./mouse.ts";

type Modifier = keyof typeof MODIFIER_BITS;

/** A key in the form that Input.dispatchKeyEvent takes. */
interface Key {
  key: string;
  code: string;
  windowsVirtualKeyCode: number;
  location: number;
  /** The text that the key types; empty for keys that type nothing. */
  text: string;
}

/** The modifier of commands on this machine, which pages see as their reader's. */
const PLATFORM_MODIFIER = process.platform === "darwin" ? "Meta" : "Control";

/** Names that people and models use besides those of UI Events (KeyboardEvent.key). */
const ALIASES = new Map(
  Object.entries({
    ctrl: "Control",
    cmd: "Meta",
    command: "Meta",
    win: "Meta",
    option: "Alt",
    esc: "Escape",
    return: "Enter",
    del: "Delete",
    space: " ",
    up: "ArrowUp",
    down: "ArrowDown",
    left: "ArrowLeft",
    right: "ArrowRight",
    pgup: "PageUp",
    pgdn: "PageDown",
    mod: PLATFORM_MODIFIER,
    controlormeta: PLATFORM_MODIFIER,
  }),
);

/** The main block's codes for characters that the layout lists only for the number pad. */
const MAIN_BLOCK: Record<string, string> = { "+": "Equal", "-": "Minus", "*": "Digit8", "/": "Slash" };

/**
 * Parses a combination such as `Control+Shift+A` into a key and its modifiers. Throws INVALID_ARGUMENT with the nearest
 * key.
 */
export function parseKeys(combination: string): { modifiers: Modifier[]; key: Key } {
  const parts = combination === "+" ? ["+"] : combination.split(/(?<=.)\+(?=.)/u);
  const names = parts.map((part) => keyName(part.trim() || part));
  const last = names.pop() ?? "";
  const wrong = names.find((name) => !isModifier(name)) ?? (last && isKey(last) ? undefined : last);
  if (wrong !== undefined) throw unknownKey(wrong, combination, otherwiseJoined(combination));
  const modifiers = names as Modifier[];
  return { modifiers, key: keyOf(asPressed(last, modifiers), modifiers.includes("Shift")) };
}

/** Key presses in a row, such as `Control+K Control+S`. */
export type Keys = ReturnType<typeof parseKeys>;
const SEQUENCE_MAX = 10;

/** Parses one combination, or several with spaces between. Throws INVALID_ARGUMENT with the nearest key. */
export function parseSequence(text: string): Keys[] {
  const parts = text.trim().split(/\s+/);
  const isSequence = parts.length > 1 && parts.length <= SEQUENCE_MAX && parts.every(isPress);
  return isSequence ? parts.map(parseKeys) : [parseKeys(text)];
}

/** A modifier alone is no press of a sequence: `ctrl a` means one combination. */
function isPress(part: string): boolean {
  const names = part.split(/(?<=.)\+(?=.)/u).map(keyName);
  const last = names.pop() ?? "";
  return isKey(last) && !isModifier(last) && names.every(isModifier);
}

/** Returns the combination if it is written as Ctrl-A, ctrl a or <C-a>. Returns undefined for any other text. */
function otherwiseJoined(combination: string): string | undefined {
  const parts = combination
    .replace(/^<(.+)>$/s, "$1")
    .split(/[\s_-]+|\+/)
    .filter(Boolean);
  const names = parts.map((part) => keyName(/^c$/i.test(part) && part !== parts.at(-1) ? "Control" : part));
  const last = names.pop() ?? "";
  const isCombination = names.length > 0 && names.every(isModifier) && isKey(last);
  return isCombination ? [...names, last.length === 1 ? last.toUpperCase() : last].join("+") : undefined;
}

/** `Control+A` is the key a with Control held: only Shift makes it an A. */
function asPressed(name: string, modifiers: readonly Modifier[]): string {
  return modifiers.length > 0 && /^[A-Z]$/.test(name) ? name.toLowerCase() : name;
}

/**
 * Presses a key, with its modifiers down around it. `input` takes the place of what the browser would do while the key
 * is down.
 */
export async function pressKeys(
  page: Page,
  { modifiers, key }: Keys,
  input?: () => Promise<void>,
): Promise<void> {
  page.check();
  let bits = 0;
  const sent: Promise<void>[] = [];
  for (const modifier of modifiers) {
    bits |= MODIFIER_BITS[modifier];
    sent.push(send(page, "rawKeyDown", keyOf(modifier), bits));
  }
  // With Control, Alt or Meta, a key is a command and types nothing.
  const types = key.text !== "" && (bits & ~MODIFIER_BITS.Shift) === 0;
  const commands = input ? [] : commandsOf(key, bits);
  sent.push(send(page, types ? "keyDown" : "rawKeyDown", key, bits, types, commands));
  if (input) {
    await page.during(Promise.all(sent.splice(0)));
    await input();
  }
  sent.push(send(page, "keyUp", key, bits));
  for (const modifier of [...modifiers].reverse()) {
    bits &= ~MODIFIER_BITS[modifier];
    sent.push(send(page, "keyUp", keyOf(modifier), bits));
  }
  await page.during(Promise.all(sent));
}

/**
 * Replaces the selection with a text by one trusted input. The key events of the last character surround it, so that
 * pages which listen to keys notice.
 */
export async function insertText(page: Page, text: string): Promise<void> {
  await inserted(page, text, [text]);
}

/**
 * Does the same in a field of paragraphs, and begins a new paragraph at each line break. An editor that handles
 * Chrome's input itself would otherwise put all lines into one. The break's key event names no key: Enter would send a
 * chat's message.
 */
export async function insertParagraphs(page: Page, text: string): Promise<void> {
  const lines = text.split(/\r\n?|\n/);
  await inserted(page, text, lines.length > LINES_MAX ? [text] : lines);
}

/** A text with more lines than this is inserted as a whole. */
const LINES_MAX = 200;

async function inserted(page: Page, text: string, lines: readonly string[]): Promise<void> {
  page.check();
  // A line break belongs to the text: its key would send a chat's message before the text is there.
  const last = [...text.replace(/[\r\n]+$/, "")].at(-1) ?? "";
  const key = isKey(last)
    ? keyOf(last)
    : { key: last, code: "", windowsVirtualKeyCode: 0, location: 0, text: last };
  await page.during(
    Promise.all([
      send(page, "rawKeyDown", key, 0),
      ...lines.flatMap((line, index) => [
        ...(index === 0 ? [] : [send(page, "rawKeyDown", NO_KEY, 0, false, ["insertNewline"])]),
        ...(line === "" ? [] : [page.tab.client.send("Input.insertText", { text: line })]),
      ]),
      send(page, "keyUp", key, 0),
    ]),
  );
}

/** Surrounds an input by events of a key without a name, for pages that listen to keys. They say nothing of the input. */
export async function aroundInput(page: Page, input: () => Promise<void>): Promise<void> {
  await page.during(send(page, "rawKeyDown", NO_KEY, 0));
  await input();
  await page.during(send(page, "keyUp", NO_KEY, 0));
}

const NO_KEY: Key = { key: "Unidentified", code: "", windowsVirtualKeyCode: 0, location: 0, text: "" };

/** Types key by key. Characters that have no key are inserted. */
export async function typeSlowly(page: Page, text: string): Promise<void> {
  for (const character of text.replace(/\r\n?/g, "\n")) {
    const name = character === "\n" ? "Enter" : character;
    if (isKey(name)) await pressKeys(page, { modifiers: [], key: keyOf(name) });
    else await insertText(page, character);
  }
}

function send(
  page: Page,
  type: "rawKeyDown" | "keyDown" | "keyUp",
  key: Key,
  modifiers: number,
  types = false,
  commands: string[] = [],
): Promise<void> {
  const { text, ...rest } = key;
  return page.tab.client.send("Input.dispatchKeyEvent", {
    type,
    ...rest,
    modifiers,
    ...(types && { text, unmodifiedText: text }),
    ...(commands.length && { commands }),
  });
}

/** Returns the editing commands that a browser window would derive from the keys. Headless Chrome derives none. */
function commandsOf(key: Key, bits: number): string[] {
  if (bits !== MODIFIER_BITS.Control && bits !== MODIFIER_BITS.Meta) return [];
  return (
    { a: ["selectAll"], c: ["copy"], x: ["cut"], v: ["paste"], z: ["undo"], y: ["redo"] }[
      key.key.toLowerCase()
    ] ?? []
  );
}

function keyName(part: string): string {
  if ([...part].length === 1) return part;
  const lower = part.toLowerCase();
  return ALIASES.get(lower) ?? Object.keys(layout).find((name) => name.toLowerCase() === lower) ?? part;
}

function isModifier(name: string): name is Modifier {
  return Object.hasOwn(MODIFIER_BITS, name);
}

function isKey(name: string): boolean {
  return Object.hasOwn(layout, name);
}

function keyOf(name: string, shifted = false): Key {
  const main = MAIN_BLOCK[name];
  const definition = layout[(main ?? name) as keyof typeof layout];
  // A character's own entry lacks its shifted form; the entry of its code has it.
  const place = layout[definition.code as keyof typeof layout];
  const key = (shifted && (definition.shiftKey ?? place?.shiftKey)) || (main ? name : definition.key) || "";
  const text = key.length === 1 ? key : (definition.text ?? "");
  return {
    key,
    code: definition.code ?? "",
    windowsVirtualKeyCode: (shifted && definition.shiftKeyCode) || definition.keyCode || 0,
    location: definition.location ?? 0,
    text: name === "Enter" ? "\r" : text,
  };
}

/** `joined`: the same combination in this module's notation. */
function unknownKey(wrong: string, combination: string, joined: string | undefined) {
  const known = Object.keys(layout).filter((name) => /^[A-Z].+(?<!Left|Right)$|^Arrow/.test(name));
  const meant = joined ?? nearest(wrong, known);
  return fail("INVALID_ARGUMENT", {
    argument: "key",
    // A text that resembles no key may have been meant for typing, and may be a secret. The error must not repeat it.
    problem: meant ? `there is no key ${JSON.stringify(wrong.slice(0, 50))}` : "there is no key of that name",
    allowed: [
      "Enter",
      "Escape",
      "Tab",
      "Backspace",
      "Delete",
      "ArrowDown",
      "PageDown",
      "Home",
      "End",
      "F1",
      "a",
      "Control+A",
    ],
    ...(meant
      ? { nearest: meant, corrected: { key: joined ?? combination.replace(wrong, meant) } }
      : {
          hint: "with the name of a key, such as Enter or Control+A; a text is typed by browser_type(text: …)",
        }),
  });
}
