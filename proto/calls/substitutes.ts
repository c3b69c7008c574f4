// Tools that a profile lacks, in the words and calls of those that it has.
import { ROLES_BY_MISTAKE } from "../errors/steps/correction.ts";
import { isObject, type Json, type JsonObject } from "../wire/struct.ts";
import type { Instead } from "./foreign-tools.ts";

export const NO_TABS =
  "There is no tool for tabs in this profile: replies name their tab, such as t2, and any call works in the one that its argument tab names";
const NO_HOVER =
  "There is no hovering in this profile: browser_click on the element's ref opens what lies behind most menus";
const NO_DRAG = "There is no dragging in this profile: look for buttons or a menu that move the element";
const NO_FORWARD = "Call browser_navigate(url: …) with the address of the page that is meant";
const NO_RELOAD = "Call browser_navigate(url: …) with the page's own address: that loads it anew";
const NO_EMULATION = "There is no tool that changes the window or the device in this profile";
const ENDS_BY_ITSELF =
  "Nothing is to be opened or closed: the browser starts by itself, and ends with the session";
const NO_FILES =
  "No tool of this profile has to do with files: go on without, or ask the person whom this work is for";

const NO_NETWORK =
  "The requests of a page cannot be listed in this profile: replies say HTTP errors and failed pages by themselves";
const NO_SCRIPTS = "Scripts cannot be run in this profile: browser_snapshot and browser_find read the page";
const NO_STORAGE = "Cookies and storage cannot be read in this profile: a role's login is loaded by itself";
const NO_PAGE_TOOLS = "A page's own tools cannot be called in this profile: act on its elements";

/** `args`: the arguments that the tool understands. `given`: all, as the model wrote them. */
type Substitute = (args: JsonObject, given: JsonObject) => Instead;

/** Substitutes with the tools of smaller profiles, by tool. */
export const SUBSTITUTES: ReadonlyMap<string, Substitute> = new Map<string, Substitute>([
  ["browser_select_option", select],
  ["browser_tabs", tabs],
  ["browser_scroll", scroll],
  ["browser_take_screenshot", () => ({ calls: [{ tool: "browser_snapshot", arguments: {} }] })],
  ["browser_navigate_back", () => say("Call browser_navigate(url: …) with the address of the page before")],
  ["list_current_roles", () => say(ROLES_BY_MISTAKE)],
  [
    "get_failures",
    () => say("Warnings stand below each snapshot; there is no list of failures in this profile"),
  ],
  [
    "clear_failures",
    () => say("Failures cannot be cleared in this profile; those of an earlier page do not warn any more"),
  ],
  ...["browser_file_upload", "browser_downloads"].map((name) => [name, () => say(NO_FILES)] as const),
  ["browser_pdf_save", () => say("Pages cannot be saved in this profile: browser_snapshot reads them")],
  ["browser_console_messages", () => say("The console cannot be read in this profile")],
  ["browser_evaluate", () => say(NO_SCRIPTS)],
  ["browser_storage", () => say(NO_STORAGE)],
  ["browser_read_text", ({ ref = null }) => look(ref)],
  ["webmcp", () => say(NO_PAGE_TOOLS)],
  ["browser_hover", () => say(NO_HOVER)],
  ["browser_drag", () => say(NO_DRAG)],
  ["browser_fill_form", (_args, { fields }) => fillForm(fields)],
  ["browser_navigate_forward", () => say(NO_FORWARD)],
  ["browser_reload", () => say(NO_RELOAD)],
  ["browser_resize", () => say(NO_EMULATION)],
  ["browser_emulate", () => say(NO_EMULATION)],
  ["browser_network_requests", () => say(NO_NETWORK)],
  ["browser_network_request", () => say(NO_NETWORK)],
  ["browser_initialize", () => say(ENDS_BY_ITSELF)],
  ["browser_close", () => say(ENDS_BY_ITSELF)],
  ["get_current_role", () => ({ calls: [{ tool: "list_current_roles", arguments: {} }] })],
  // A snapshot waits by itself until the page is quiet.
  ["wait_for_browser", () => look(null)],
  ...["resolve_container", "inspect_pattern", "extract_anchors"].map(
    (name) => [name, ({ ref = null }: JsonObject) => look(ref)] as const,
  ),
]);

/** Returns words instead of a call. */
export function say(words: string): Instead {
  return { calls: [], words };
}

function look(ref: JsonObject[string]): Instead {
  return { calls: [{ tool: "browser_snapshot", arguments: ref === null ? {} : { ref } }] };
}

/** Typing into a select chooses the option of that label. */
function select({ values, ref = null, tab = null }: JsonObject): Instead {
  const [text = null, ...more] = [values ?? null].flat();
  if (more.length > 0)
    return say("Call browser_click on each option's ref: several cannot be chosen at once here");
  return { calls: [{ tool: "browser_type", arguments: { ref, text, tab } }] };
}

/** A snapshot also holds what is out of view. Keys load what only scrolling loads. */
function scroll({ direction }: JsonObject): Instead {
  const key = direction === "up" ? "PageUp" : "PageDown";
  return { calls: [{ tool: "browser_press_key", arguments: { key } }] };
}

function tabs({ action, url }: JsonObject): Instead {
  if (action === "new" && typeof url === "string" && url)
    return { calls: [{ tool: "browser_navigate", arguments: { url } }], words: NO_TABS };
  return say(NO_TABS);
}

/** The largest number of fields whose calls are written out. */
const FIELDS_MAX = 20;

/** Makes one call for each field. Its state on the page decides if a box must be ticked. */
function fillForm(fields: Json | undefined): Instead {
  const all = (Array.isArray(fields) ? fields : []).filter((each) => isObject(each)).slice(0, FIELDS_MAX);
  const calls = all.map(({ ref, target, uid, value, text, type }): Instead["calls"][number] => {
    const at = ref ?? target ?? uid ?? null;
    const isBox = type === "checkbox" || type === "radio" || typeof value === "boolean";
    return isBox
      ? { tool: "browser_click", arguments: { ref: at } }
      : choosing(at, [value ?? text ?? null].flat());
  });
  const boxes = calls.some(({ tool }) => tool === "browser_click");
  return {
    calls,
    ...(calls.length === 0 && { words: "Call browser_type(ref: …, text: …) once for each field" }),
    ...(boxes && { words: "Leave out the clicks on boxes that are already as they are to be" }),
  };
}

/** Only a list of options can take several values. */
function choosing(ref: Json, values: Json[]): Instead["calls"][number] {
  const [text = null, ...others] = values;
  return others.length > 0
    ? { tool: "browser_select_option", arguments: { ref, values } }
    : { tool: "browser_type", arguments: { ref, text } };
}
