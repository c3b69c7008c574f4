// The error for an element that takes no text: why, and which element does.

import { named } from "../../text/named.ts";
import { findTool, inProfile } from "../../tools/read-tools.ts";
import { TICKED } from "./form.ts";
import type { ElementData, FailedCall, Step } from "./step.ts";
import { again, CANDIDATE, callStep, say, tabOf } from "./step-words.ts";

/** `file`: it takes files. `focusGoesTo`: the page moves the focus there from the field. */
export type NotEditable = ElementData & { readonly?: boolean; file?: boolean; focusGoesTo?: ElementData };

export function whyNotEditable({ readonly, file, role, focusGoesTo }: NotEditable) {
  if (readonly) return "The page fills the field by itself, or unlocks it later";
  if (file) return "The page asks for a file there";
  if (focusGoesTo) return "The page opens an editor of its own for this field";
  return TICKED.has(role) || role === "button"
    ? `A ${role} is clicked, not typed into`
    : "The ref names a label or a container, not the field";
}

export function editSteps(data: NotEditable, call: FailedCall): Step[] {
  const { focusGoesTo, file, readonly, ref, role } = data;
  const shown = { ref: JSON.stringify(focusGoesTo?.ref) };
  if (focusGoesTo) return [again(call, { ref: CANDIDATE }, "where the page takes the text", shown)];
  if (file) return fileSteps(data, call);
  if (readonly) return unlockSteps(data, call);
  const click = (purpose: string) => callStep(call, "browser_click", { ref, ...tabOf(call) }, purpose);
  if (ref && TICKED.has(role)) return [click("to set it, unless it is already as it is to be")];
  const pressed = ref && role === "button" ? [click("if it is to be pressed")] : [];
  const field =
    call.tool === "browser_select_option"
      ? "the select (combobox or listbox with options)"
      : "the textbox, searchbox, combobox or spinbutton";
  const others = call.tool === "browser_select_option" ? "; browser_type fills other fields" : "";
  return [
    ...pressed,
    callStep(
      call,
      "browser_snapshot",
      tabOf(call),
      `to find the field that was meant${pressed.length ? ", if a text was to be typed" : ""}`,
    ),
    say(`Choose ${field} that was meant instead of ${named(data)}${others}`),
    say(`Call ${call.tool} again with its ref`),
  ];
}

/** Only a person knows which file is meant. */
function fileSteps({ ref }: NotEditable, call: FailedCall): Step[] {
  const known = findTool("browser_file_upload");
  return known && inProfile(known.profile, call.profile)
    ? [say(`Call browser_file_upload(ref: ${JSON.stringify(ref)}, paths: …) with the file that is meant`)]
    : [say("Go on without the file, or ask whoever can choose it in a browser")];
}

/** The field may well be the intended one. Then the page or a person has to unlock it. */
function unlockSteps(data: NotEditable, call: FailedCall): Step[] {
  return [
    callStep(
      call,
      "browser_snapshot",
      tabOf(call),
      `to find what unlocks ${named(data)}, such as a button Edit, or the fields that the page makes its value of`,
    ),
    say(
      `Use that, or wait until the page has filled it, and call ${call.tool} again; if nothing unlocks it, ask who may change it`,
    ),
  ];
}
