// Translates tools of other servers, which models know, into our calls that do the same.
import type { Json, JsonObject } from "../wire/struct.ts";

/** Our calls that do the same, in order. `words` says what to do if no call suffices alone. */
export interface Instead {
  calls: { tool: string; arguments: JsonObject }[];
  words?: string;
}
type Translation = (args: JsonObject) => Instead;

const NO_CODE = "There is no tool that runs code outside of pages, or that shows markup and styles";
const NO_ROUTES = "There is no tool that changes or answers requests";
const NO_LOGIN_FILES = "There is no tool for a login's whole state: a role's login is loaded by itself";
const NO_MEASURE = "There is no tool for recordings and measurements";
const NO_MOUSE = "Act on refs instead of coordinates: take one from browser_snapshot for browser_click";

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
  ...same("browser_reload", "reload", "reload_page", "refresh", "browser_refresh"),
  ...same("browser_navigate_forward", "browser_go_forward", "go_forward", "browser_forward", "forward"),
  ["navigate_page_history", ({ navigate }) => navigatePage({ type: navigate ?? "back" })],
  [
    "handle_dialog",
    ({ action, ...args }) => one("browser_handle_dialog", { accept: action ?? null, ...args }),
  ],
  ["fill_form", ({ elements = null }) => one("browser_fill_form", { fields: elements })],
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
  // Other servers' ids are not ours, so the requests are listed first.
  ...["list_network_requests", "get_network_request"].map((name): [string, Translation] => [
    name,
    ({ filter = null }) => one("browser_network_requests", { filter }),
  ]),
  ...["evaluate_script", "evaluate", "puppeteer_evaluate", "agent_browser_eval"].map(
    (name): [string, Translation] => [name, evaluate],
  ),
  ...["list", "get", "set", "delete", "clear"].flatMap(storage),
  ...same("browser_read_text", "get_text", "browser_get_text", "get_page_text"),
  ["list_webmcp_tools", () => one("webmcp", { action: "list" })],
  ...["execute_webmcp_tool", "call_webmcp_tool"].map((name): [string, Translation] => [name, callPageTool]),
  // Tasks that no tool does.
  ...none(NO_CODE, "browser_run_code", "browser_run_code_unsafe", "browser_get_html", "get_css_styles"),
  ...same("browser_drag", "drag"),
  ...same("browser_hover", "hover", "puppeteer_hover", "agent_browser_hover"),
  ...["scroll", "scroll_page", "agent_browser_scroll", "browser_mouse_wheel"].map(
    (name): [string, Translation] => [name, scroll],
  ),
  ...["upload_file", "agent_browser_upload", "browser_drop", "upload", "set_input_files"].map(
    (name): [string, Translation] => [name, upload],
  ),
  ...same("browser_downloads", "list_downloads", "get_downloads", "agent_browser_download", "download_file"),
  ...same("browser_pdf_save", "agent_browser_pdf", "save_pdf", "print_to_pdf", "save_as_pdf"),
  ...none(NO_ROUTES, "browser_route", "browser_route_list", "browser_unroute"),
  ...none(NO_LOGIN_FILES, "browser_storage_state", "browser_set_storage_state"),
  ...none(NO_MOUSE, "click_at", "browser_mouse_click_xy", "browser_mouse_move_xy", "browser_mouse_drag_xy"),
  ...none(NO_MOUSE, "browser_mouse_down", "browser_mouse_up"),
  ...same("browser_resize", "resize_page"),
  ...same("browser_emulate", "emulate", "browser_emulate_media", "emulate_network", "emulate_cpu"),
  ["browser_network_state_set", ({ state }) => one("browser_emulate", { offline: state === "offline" })],
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
  ...same("browser_close", "close_browser", "agent_browser_close"),
  ...same("browser_initialize", "launch_browser", "browser_install", "browser_get_config"),
]);

/** Other servers name the file field and one or more files. */
function upload({ filePath, filePaths, files, paths, path, ...args }: JsonObject): Instead {
  const all = [paths ?? filePaths ?? files ?? path ?? filePath ?? []].flat();
  return one("browser_file_upload", { ...args, paths: all });
}

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

/** Returns the translations of a verb for each area. */
function storage(verb: string): [string, Translation][] {
  const areas = { cookie: "cookies", localstorage: "local", sessionstorage: "session" };
  const action = verb === "delete" ? "remove" : verb;
  return Object.entries(areas).map(([kind, area]) => [
    `browser_${kind}_${verb}`,
    ({ name = null, key = null, value = null }) =>
      one("browser_storage", { action, area, name: name ?? key, value }),
  ]);
}

function evaluate({
  function: script = null,
  expression = null,
  code = null,
  ref = null,
  uid = null,
}: JsonObject): Instead {
  return one("browser_evaluate", { function: script ?? expression ?? code, ref: ref ?? uid });
}

function callPageTool({
  toolName = null,
  name = null,
  input = null,
  arguments: args = null,
}: JsonObject): Instead {
  return one("webmcp", { action: "call", name: name ?? toolName, arguments: args ?? input });
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
  if (type === "reload") return one("browser_reload", {});
  if (type === "forward") return one("browser_navigate_forward", {});
  return one("browser_navigate", { url });
}
