// Sends what the person types. A hidden field takes it, so that phones, input methods and pasting work.
import type { Elements } from "./elements.ts";
import type { Line } from "./line.ts";
import { modifiersOf } from "./pointers.ts";

/** Alt, Control and Meta. */
const COMMANDING = 7;
const TEXT_LENGTH_MAX = 10_000;

export function followKeys({ typing, keyboard }: Elements, line: Line): void {
  const key = (event: KeyboardEvent, isUp: boolean) =>
    line.send({
      key: {
        isUp,
        key: event.key,
        code: event.code,
        keyCode: event.keyCode,
        location: event.location,
        modifiers: modifiersOf(event),
        repeats: event.repeat,
      },
    });
  typing.addEventListener("keydown", (event) => {
    // The field's own events say what an input method or a paste makes of these.
    if (isForField(event)) return;
    event.preventDefault();
    key(event, false);
  });
  typing.addEventListener("keyup", (event) => {
    if (!isForField(event)) key(event, true);
  });
  const text = (given: string) => {
    if (given !== "") line.send({ text: { text: given.slice(0, TEXT_LENGTH_MAX) } });
    typing.value = "";
  };
  typing.addEventListener("compositionend", ({ data }) => text(data));
  typing.addEventListener("input", (given) => {
    const { isComposing, inputType, data } = given as InputEvent;
    if (isComposing) return;
    if (inputType.startsWith("delete")) pressed(line, "Backspace", 8);
    else if (inputType === "insertLineBreak") pressed(line, "Enter", 13);
    else if (inputType !== "insertCompositionText" && inputType !== "insertFromComposition") text(data ?? "");
    // A phone's keyboard deletes only where something stands.
    typing.value = " ";
  });
  typing.addEventListener("paste", (event) => {
    event.preventDefault();
    text(event.clipboardData?.getData("text/plain") ?? "");
  });
  keyboard.addEventListener("click", () => typing.focus({ preventScroll: true }));
}

function isForField(event: KeyboardEvent): boolean {
  const isPaste = (modifiersOf(event) & COMMANDING) !== 0 && event.key.toLowerCase() === "v";
  return event.isComposing || isPaste || ["Process", "Unidentified", "Dead"].includes(event.key);
}

function pressed(line: Line, key: string, keyCode: number): void {
  for (const isUp of [false, true])
    line.send({ key: { isUp, key, code: key, keyCode, location: 0, modifiers: 0, repeats: false } });
}
