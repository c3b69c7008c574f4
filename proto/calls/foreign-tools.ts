// Translates tools of other servers, which models know, into our calls that do the same.
import { isObject, type Json, type JsonObject } from "../wire/struct.ts";

/** Our calls that do the same, in order. `words` says what to do if no call suffices alone. */
export interface Instead {
  calls: { tool: string; arguments: JsonObject }[];
  words?: string;
}
type Translation = (args: JsonObject) => Instead;

const NO_SCRIPTS = "There is no tool that runs scripts: browser_snapshot and browser_find read the page";
const NO_FILES = "There is no tool for files in this version";
const NO_NETWORK =
  "There is no tool for network traffic: replies say HTTP errors and failed pages by themselves";
const NO_STORAGE = "There is no tool for cookies and storage: a role's login is loaded by itself";
const NO_MEASURE = "There is no tool for recordings and measurements";
const NO_MOUSE = "Act on refs instead of coordinates: take one from browser_snapshot for browser_click";
const NO_EMULATION = "There is no tool that changes the window or the device";
const NO_HOVER = "There is no hovering: browser_click on the element's ref opens what lies behind most menus";
const NO_DRAG = "There is no dragging: look for buttons or a menu that move the element";
const ENDS_BY_ITSELF =
  "Nothing is to be opened or closed: the browser starts by itself, and ends with the session";

/** The translations by name, in lower case. */
export const FOREIGN: ReadonlyMap<string, Translation> = new Map<string, Translation>([
  // Names of chrome-devtools-mcp, which several other servers share.
  ...same("browser_snapshot", "take_snapshot", "snapshot", "get_snapshot", "read_page", "get_page_content"),
  ...same("browser_snapshot", "browser_get_state", "agent_browser_snapshot", "agent_browser_read"),
  ...same("browser_click", "click", "click_element", "browser_check", "browser_uncheck", "puppeteer_click"),
  ...same("browser_click", "agent_browser_click", "agent_browser_check", "agent_browser_uncheck"),
  ...same(
    "browser_type",
    "fill",
    "type",
    "type_text",
    "input_text",
    "fill_field",
    "browser_fill",
    "puppeteer_fill",
  ),
  ...same(
    "browser_type",
    "browser_press_sequentially",
    "browser_input",
    "agent_browser_fill",
    "agent_browser_type",
  ),
  ...same("browser_press_key", "press_key", "press", "send_keys", "browser_press", "browser_keydown"),
  ...same("browser_press_key", "agent_browser_press"),
  ...same("browser_navigate", "navigate", "goto", "go_to", "go_to_url", "open", "open_url", "visit"),
  ...same("browser_navigate", "browser_open", "browser_goto", "puppeteer_navigate", "agent_browser_open"),
  ...same(
    "browser_navigate_back",
    "back",
    "go_back",
    "browser_back",
    "browser_go_back",
    "agent_browser_back",
  ),
  ...same("browser_select_option", "select", "select_option", "puppeteer_select", "agent_browser_select"),
  ...same(
    "browser_find",
    "find",
    "find_element",
    "find_elements",
    "search_page",
    "browser_verify_text_visible",
  ),
  ...same("browser_find", "query_elements", "agent_browser_find"),
  ...same("browser_take_screenshot", "take_screenshot", "screenshot", "browser_screenshot"),
  ...same(
    "browser_take_screenshot",
    "browser_screen_capture",
    "puppeteer_screenshot",
    "agent_browser_screenshot",
  ),
  ...same(
    "browser_console_messages",
    "list_console_messages",
    "get_console_message",
    "agent_browser_console",
  ),
  ...same("resolve_container", "browser_generate_locator"),
  ...["browser_wait", "agent_browser_wait", "wait_for_text", "wait_for", "wait", "sleep"].map(
    (name): [string, Translation] => [name, waitFor],
  ),
  ["navigate_page", navigatePage],
  ...["browser_reload", "reload", "reload_page", "refresh", "browser_refresh"].map(
    (name): [string, Translation] => [name, () => navigatePage({ type: "reload" })],
  ),
  ...["browser_navigate_forward", "browser_go_forward", "go_forward", "browser_forward", "forward"].map(
    (name): [string, Translation] => [name, () => navigatePage({ type: "forward" })],
  ),
  ["navigate_page_history", ({ navigate }) => navigatePage({ type: navigate ?? "back" })],
  [
    "handle_dialog",
    ({ action, ...args }) => one("browser_handle_dialog", { accept: action ?? null, ...args }),
  ],
  ["fill_form", ({ elements }) => fillForm(elements)],
  ["browser_fill_form", ({ fields }) => fillForm(fields)],
  [
    "browser_verify_element_visible",
    ({ role, accessibleName }) =>
      one("browser_find", { ariaRole: role ?? null, name: accessibleName ?? null }),
  ],
  ["browser_verify_value", ({ target, ref }) => one("browser_snapshot", { ref: target ?? ref ?? null })],
  [
    "browser_verify_list_visible",
    ({ target, ref }) => one("browser_snapshot", { ref: target ?? ref ?? null }),
  ],
  // Tabs.
  ...tabs("list", "list_pages", "browser_tab_list", "browser_list_tabs", "list_tabs"),
  ...tabs("new", "new_page", "browser_tab_new", "new_tab", "open_tab"),
  ...tabs("select", "select_page", "browser_tab_select", "browser_switch_tab", "switch_tab", "select_tab"),
  ...tabs("close", "close_page", "browser_tab_close", "browser_close_tab", "close_tab"),
  // Tasks that no tool does.
  ...none(
    NO_SCRIPTS,
    "evaluate_script",
    "evaluate",
    "browser_evaluate",
    "puppeteer_evaluate",
    "get_css_styles",
  ),
  ...none(
    NO_SCRIPTS,
    "browser_run_code",
    "browser_run_code_unsafe",
    "agent_browser_eval",
    "browser_get_html",
  ),
  ...none(NO_HOVER, "hover", "browser_hover", "puppeteer_hover", "agent_browser_hover"),
  ...none(NO_DRAG, "drag", "browser_drag", "browser_drop"),
  ...["scroll", "scroll_page", "agent_browser_scroll", "browser_mouse_wheel"].map(
    (name): [string, Translation] => [name, scroll],
  ),
  ...none(NO_FILES, "upload_file", "browser_file_upload", "browser_pdf_save", "browser_downloads"),
  ...none(NO_NETWORK, "list_network_requests", "get_network_request", "browser_network_requests"),
  ...none(NO_NETWORK, "browser_network_request", "browser_network_state_set", "browser_route"),
  ...none(NO_NETWORK, "browser_route_list", "browser_unroute"),
  ...none(NO_STORAGE, ...["list", "get", "set", "delete", "clear"].flatMap((verb) => storage(verb))),
  ...none(NO_STORAGE, "browser_storage_state", "browser_set_storage_state"),
  ...none(NO_MOUSE, "click_at", "browser_mouse_click_xy", "browser_mouse_move_xy", "browser_mouse_drag_xy"),
  ...none(NO_MOUSE, "browser_mouse_down", "browser_mouse_up"),
  ...none(
    NO_EMULATION,
    "emulate",
    "resize_page",
    "browser_resize",
    "browser_emulate_media",
    "emulate_network",
  ),
  ...none(NO_EMULATION, "emulate_cpu"),
  ...none(NO_MEASURE, "lighthouse_audit", "take_heapsnapshot", "screencast_start", "screencast_stop"),
  ...none(NO_MEASURE, "performance_start_trace", "performance_stop_trace", "performance_analyze_insight"),
  ...none(
    NO_MEASURE,
    "browser_start_tracing",
    "browser_stop_tracing",
    "browser_start_video",
    "browser_stop_video",
  ),
  ...none(NO_MEASURE, "browser_video_chapter", "browser_video_show_actions", "browser_video_hide_actions"),
  ...none(
    NO_MEASURE,
    "browser_start_recording",
    "browser_stop_recording",
    "browser_annotate",
    "browser_resume",
  ),
  ...none(NO_MEASURE, "browser_highlight", "browser_hide_highlight"),
  ...none(ENDS_BY_ITSELF, "browser_close", "browser_install", "browser_get_config", "agent_browser_close"),
  ...none(ENDS_BY_ITSELF, "browser_initialize", "close_browser", "launch_browser"),
]);

function one(tool: string, args: JsonObject): Instead {
  return { calls: [{ tool, arguments: args }] };
}

function same(tool: string, ...names: string[]): [string, Translation][] {
  return names.map((name) => [name, (args) => one(tool, args)]);
}

function none(words: string, ...names: string[]): [string, Translation][] {
  return names.map((name) => [name, () => ({ calls: [], words })]);
}

function tabs(action: string, ...names: string[]): [string, Translation][] {
  return names.map((name) => [name, ({ url = null }) => tabCall(action, url)]);
}

/** Other servers count their tabs. Only the list shows which of our tabs is meant. */
function tabCall(action: string, url: Json): Instead {
  if (action === "list") return one("browser_tabs", { action });
  if (action === "new") return one("browser_tabs", { action, url });
  return {
    ...one("browser_tabs", { action: "list" }),
    words: `Call browser_tabs(action: "${action}", tab: …) with the id of the tab that is meant`,
  };
}

function storage(verb: string): string[] {
  return ["cookie", "localstorage", "sessionstorage"].map((kind) => `browser_${kind}_${verb}`);
}

/** Arguments of a wait that do not name what to wait for. */
const BESIDE_WHAT = /^(?:time|timeout|seconds|ms|milliseconds|duration|tab|role)/i;

/** A snapshot waits by itself until the page is quiet. A wait for nothing in particular means the same. */
function waitFor({ text = null, ...args }: JsonObject): Instead {
  const [first = null] = [text].flat();
  const what: JsonObject = { ...args, ...(first !== null && { text: first }) };
  const names = Object.keys(what).filter((name) => what[name] !== null);
  const isForTime = names.every((name) => BESIDE_WHAT.test(name));
  if (!isForTime) return one("browser_wait_for", what);
  const { tab = null, role = null } = args;
  return one("browser_snapshot", { ...(tab !== null && { tab }), ...(role !== null && { role }) });
}

/** The sign of a wheel's movement gives the direction. */
function scroll({ deltaX = 0, deltaY = 0, direction, ...args }: JsonObject): Instead {
  const [x, y] = [Number(deltaX) || 0, Number(deltaY) || 0];
  if (x === 0 && y === 0) return one("browser_scroll", { ...args, direction: direction ?? "down" });
  const isAcross = Math.abs(x) > Math.abs(y);
  const turned = isAcross ? (x < 0 ? "left" : "right") : y < 0 ? "up" : "down";
  return one("browser_scroll", { ...args, direction: turned, amount: Math.abs(isAcross ? x : y) });
}

function navigatePage({ type = "url", url = null }: JsonObject): Instead {
  if (type === "back") return one("browser_navigate_back", {});
  if (type === "url") return one("browser_navigate", { url });
  return {
    calls: [],
    words:
      type === "reload"
        ? "Call browser_navigate(url: …) with the page's own address: that loads it anew"
        : "Call browser_navigate(url: …) with the address of the page that is meant",
  };
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
      : { tool: "browser_type", arguments: { ref: at, text: value ?? text ?? null } };
  });
  const boxes = calls.some(({ tool }) => tool === "browser_click");
  return {
    calls,
    ...(calls.length === 0 && { words: "Call browser_type(ref: …, text: …) once for each field" }),
    ...(boxes && { words: "Leave out the clicks on boxes that are already as they are to be" }),
  };
}
