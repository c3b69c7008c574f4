// Tools of other servers that look at a page or act on it, and what does the same here.
import type { Counterpart } from "./counterpart.ts";

export const acting: readonly Counterpart[] = [
  {
    ours: "browser_navigate",
    shownBy: "a navigation reports where it led and by which way, and shows the page",
    theirs: {
      playwright: "browser_navigate",
      chromeDevtools: "navigate_page",
      agentBrowser: "agent_browser_open",
      verdex: "browser_navigate",
      cherry: "navigate",
    },
  },
  {
    ours: "browser_navigate_back",
    shownBy: "back leads to the previous page with new refs, and reports if there is none",
    theirs: { playwright: "browser_navigate_back", agentBrowser: "agent_browser_back" },
  },
  {
    ours: "browser_navigate_forward",
    shownBy: "the tab goes forward to the page that it went back from",
    theirs: { agentBrowser: "agent_browser_forward" },
  },
  {
    ours: "browser_reload",
    shownBy: "a page is loaded anew, and its earlier refs no longer work",
    theirs: { agentBrowser: "agent_browser_reload" },
  },
  {
    ours: "browser_snapshot",
    shownBy: "a large page is cut to the budget at a line, and its first line says so",
    theirs: {
      playwright: "browser_snapshot",
      chromeDevtools: "take_snapshot",
      agentBrowser: "agent_browser_snapshot agent_browser_get_url agent_browser_get_title",
      verdex: "browser_snapshot",
    },
  },
  {
    ours: "browser_snapshot",
    shownBy:
      "a repeated snapshot of a changed page shows the changed parts, each with its place and full lines",
    theirs: { agentBrowser: "agent_browser_diff_snapshot" },
  },
  {
    ours: "browser_find",
    shownBy: "elements are found by text, regular expression, role and name, each with a ref that works",
    theirs: {
      playwright:
        "browser_find browser_verify_element_visible browser_verify_text_visible browser_verify_list_visible browser_verify_value",
      agentBrowser:
        "agent_browser_find agent_browser_get_value agent_browser_is_visible agent_browser_is_enabled agent_browser_is_checked",
    },
  },
  {
    ours: "browser_click",
    shownBy: "a click is trusted and its reply shows what changed",
    theirs: {
      playwright: "browser_click",
      chromeDevtools: "click",
      agentBrowser: "agent_browser_click agent_browser_check agent_browser_uncheck",
      verdex: "browser_click",
      cherry: "click_element",
    },
  },
  {
    ours: "browser_click",
    shownBy: "a double click arrives as one, and a right click opens the page's own menu",
    theirs: { agentBrowser: "agent_browser_dblclick" },
  },
  {
    ours: "browser_hover",
    shownBy: "a menu that opens under the pointer is in the reply, and its links can be clicked",
    theirs: { playwright: "browser_hover", chromeDevtools: "hover", agentBrowser: "agent_browser_hover" },
  },
  {
    ours: "browser_drag",
    shownBy: "an element with draggable is dropped by the browser's own drag and drop",
    theirs: { playwright: "browser_drag", chromeDevtools: "drag", agentBrowser: "agent_browser_drag" },
  },
  {
    ours: "browser_type",
    shownBy: "a text replaces the value by one trusted input, with the key events of its last character",
    theirs: {
      playwright: "browser_type",
      chromeDevtools: "fill type_text",
      agentBrowser:
        "agent_browser_fill agent_browser_type agent_browser_keyboard_insert_text agent_browser_focus",
      verdex: "browser_type",
      cherry: "fill_element",
    },
  },
  {
    ours: "browser_type",
    shownBy: "slowly types key by key",
    theirs: { agentBrowser: "agent_browser_keyboard_type" },
  },
  {
    ours: "browser_select_option",
    shownBy: "options are selected by label or value, several if the select takes several",
    theirs: { playwright: "browser_select_option", agentBrowser: "agent_browser_select" },
  },
  {
    ours: "browser_fill_form",
    shownBy: "every kind of control on a plain page is filled in one call",
    theirs: { playwright: "browser_fill_form", chromeDevtools: "fill_form" },
  },
  {
    ours: "browser_press_key",
    shownBy: "keys are pressed by their names, alone and together",
    theirs: {
      playwright: "browser_press_key",
      chromeDevtools: "press_key",
      agentBrowser:
        "agent_browser_press agent_browser_keydown agent_browser_keyup agent_browser_clipboard_copy agent_browser_clipboard_paste",
    },
  },
  {
    ours: "browser_scroll",
    shownBy: "a region scrolls by its ref, by that of its content, or without one if the page cannot scroll",
    theirs: {
      playwright: "browser_mouse_wheel",
      agentBrowser:
        "agent_browser_scroll agent_browser_scroll_into_view agent_browser_mouse_wheel agent_browser_swipe",
    },
  },
  {
    ours: "browser_wait_for",
    shownBy: "a wait ends when its text appears, when it goes, when an element has its state",
    theirs: {
      playwright: "browser_wait_for",
      chromeDevtools: "wait_for",
      agentBrowser: "agent_browser_wait_for_selector agent_browser_wait_for_text",
    },
  },
  {
    ours: "wait_for_browser",
    shownBy: "a wait takes its time, reports what changed meanwhile, and ends with a dialog",
    theirs: { agentBrowser: "agent_browser_wait_ms", verdex: "wait_for_browser" },
  },
  {
    ours: "browser_steps",
    shownBy: "several actions are one call, with one reply about all of them",
    theirs: { agentBrowser: "agent_browser_batch" },
  },
  {
    ours: "browser_handle_dialog",
    shownBy: "the answer to a prompt reaches the page",
    theirs: {
      playwright: "browser_handle_dialog",
      chromeDevtools: "handle_dialog",
      agentBrowser: "agent_browser_dialog_status agent_browser_dialog_accept agent_browser_dialog_dismiss",
    },
  },
  {
    ours: "browser_tabs",
    shownBy: "tabs are opened, listed, selected and closed, and no id is reused",
    theirs: {
      playwright: "browser_tabs",
      chromeDevtools: "list_pages new_page select_page close_page",
      agentBrowser:
        "agent_browser_tab_new agent_browser_tab_list agent_browser_tab_switch agent_browser_tab_close agent_browser_window_new",
      cherry: "target list_targets switch_target",
    },
  },
  {
    ours: "browser_initialize",
    shownBy: "the browser starts without an address, and names its page",
    theirs: { verdex: "browser_initialize", cherry: "chrome_launch" },
  },
  {
    ours: "`browser.connect` in the configuration",
    shownBy: "a session reads and clicks in the attached browser",
    theirs: {
      agentBrowser: "agent_browser_connect agent_browser_get_cdp_url",
      cherry: "connect chrome_connect",
    },
  },
  {
    ours: "browser_close",
    shownBy: "a client that closes its session goes on with a new one in its role, and other agents stay",
    theirs: {
      playwright: "browser_close",
      agentBrowser: "agent_browser_close",
      verdex: "browser_close",
      cherry: "chrome_disconnect",
    },
  },
  {
    ours: "resolve_container",
    shownBy: "structural queries answer with error objects if a ref or level is wrong",
    theirs: { verdex: "resolve_container inspect_pattern extract_anchors" },
  },
  {
    ours: "select_role",
    shownBy: "select_role changes the role of calls that name none; an unknown role gets the nearest",
    theirs: {
      agentBrowser: "agent_browser_session",
      verdex: "select_role list_current_roles get_current_role",
      cherry: "chrome_switch_connection chrome_list_connections",
    },
  },
  {
    ours: "query_elements",
    shownBy: "query_elements shows visible matches with refs, and counts what it leaves out",
    theirs: {
      agentBrowser: "agent_browser_get_count agent_browser_get_attr agent_browser_get_html",
      cherry: "query_elements",
    },
  },
  {
    ours: "inspect_element",
    shownBy: "an element's locators are ranked, as code of Playwright, of Testing Library and as CSS",
    theirs: { playwright: "browser_generate_locator", cherry: "inspect_element" },
  },
  {
    ours: "browser_export_test",
    shownBy: "an agent's run is exported by itself, by a person, and by another worker",
    theirs: { playwright: "browser_start_recording browser_stop_recording" },
  },
];
