// Tools of other servers for files, network, storage, logins and debugging, and what does the same here.
import type { Counterpart } from "./counterpart.ts";

export const inspecting: readonly Counterpart[] = [
  {
    ours: "browser_console_messages",
    shownBy: "stacks are shown on request, in the sources that the script was made from",
    theirs: {
      playwright: "browser_console_messages",
      chromeDevtools: "list_console_messages get_console_message",
      agentBrowser: "agent_browser_console agent_browser_errors",
      cherry: "get_console_logs",
    },
  },
  {
    ours: "browser_network_requests",
    shownBy: "requests are listed from the start of the load, with status, type, size, time, and failures",
    theirs: {
      playwright: "browser_network_requests",
      chromeDevtools: "list_network_requests",
      agentBrowser: "agent_browser_network_requests",
    },
  },
  {
    ours: "browser_network_request",
    shownBy: "a request is shown with headers and bodies, and without secrets",
    theirs: {
      playwright: "browser_network_request",
      chromeDevtools: "get_network_request",
      agentBrowser: "agent_browser_network_request",
    },
  },
  {
    ours: "browser_storage",
    shownBy: "entries are set, shown, removed and cleared, and the page has what was set",
    theirs: {
      playwright:
        "browser_cookie_list browser_cookie_get browser_cookie_set browser_cookie_delete browser_cookie_clear browser_localstorage_list browser_localstorage_get browser_localstorage_set browser_localstorage_delete browser_localstorage_clear browser_sessionstorage_list browser_sessionstorage_get browser_sessionstorage_set browser_sessionstorage_delete browser_sessionstorage_clear",
      agentBrowser:
        "agent_browser_storage_get agent_browser_storage_set agent_browser_storage_clear agent_browser_cookies_get agent_browser_cookies_set agent_browser_cookies_clear",
    },
  },
  {
    ours: "browser_evaluate",
    shownBy: "an expression, a function and statements are run, and what they return is JSON",
    theirs: {
      playwright: "browser_evaluate",
      chromeDevtools: "evaluate_script",
      agentBrowser:
        "agent_browser_eval agent_browser_wait_for_function agent_browser_get_styles agent_browser_get_box agent_browser_pushstate agent_browser_vitals",
    },
  },
  {
    ours: "browser_read_text",
    shownBy: "main content comes first, with headings, lists, tables and links",
    theirs: { agentBrowser: "agent_browser_read agent_browser_get_text" },
  },
  {
    ours: "webmcp",
    shownBy: "the tools of a page are listed in its words, and a call replies with what changed",
    theirs: {
      agentBrowser:
        "agent_browser_webmcp_list agent_browser_webmcp_invoke agent_browser_webmcp_result agent_browser_webmcp_cancel",
    },
  },
  {
    ours: "browser_take_screenshot",
    shownBy: "a picture of the whole page is as tall as the page",
    theirs: {
      playwright: "browser_take_screenshot",
      chromeDevtools: "take_screenshot",
      agentBrowser: "agent_browser_screenshot",
    },
  },
  {
    ours: "browser_take_screenshot",
    shownBy: "marks name the elements that can be acted on, and leave the page unchanged",
    theirs: { playwright: "browser_annotate", agentBrowser: "agent_browser_highlight" },
  },
  {
    ours: "browser_file_upload",
    shownBy: "an agent gives files of its folder, small and large, and only of its folder",
    theirs: {
      playwright: "browser_file_upload browser_drop",
      chromeDevtools: "upload_file",
      agentBrowser: "agent_browser_upload",
    },
  },
  {
    ours: "browser_downloads",
    shownBy: "downloads are listed with state and size, got once they are whole, and removed",
    theirs: { agentBrowser: "agent_browser_download agent_browser_wait_for_download" },
  },
  {
    ours: "browser_pdf_save",
    shownBy: "a page's PDF and picture are written where the agent says",
    theirs: { playwright: "browser_pdf_save", agentBrowser: "agent_browser_pdf" },
  },
  {
    ours: "browser_resize",
    shownBy: "the window has the size that was asked for, in later tabs too",
    theirs: {
      playwright: "browser_resize",
      chromeDevtools: "resize_page",
      agentBrowser: "agent_browser_set_viewport",
    },
  },
  {
    ours: "browser_emulate",
    shownBy:
      "a device and preferences hold in the page, after navigations, and in new tabs, until they are reset",
    theirs: {
      playwright: "browser_emulate_media browser_network_state_set",
      chromeDevtools: "emulate",
      agentBrowser:
        "agent_browser_set_device agent_browser_set_geo agent_browser_set_offline agent_browser_set_media agent_browser_device",
    },
  },
  {
    ours: "browser_save_auth",
    shownBy: "a session's login is written for its owner only, and the next session has it",
    theirs: {
      playwright: "browser_storage_state",
      agentBrowser: "agent_browser_state_save agent_browser_auth_save",
    },
  },
  {
    ours: "browser_type, with `{{customer.password}}`",
    shownBy: "a credential is typed by one trusted input, and its value is shown nowhere",
    theirs: {
      agentBrowser:
        "agent_browser_auth_login agent_browser_auth_list agent_browser_auth_show agent_browser_auth_delete",
    },
  },
  {
    ours: "roles in `troupe.yaml`: `auth`",
    shownBy: "localStorage of the login is there before the first page loads",
    theirs: {
      playwright: "browser_set_storage_state",
      agentBrowser:
        "agent_browser_state_load agent_browser_state_list agent_browser_state_show agent_browser_state_clear agent_browser_state_clean agent_browser_state_rename agent_browser_cookies_set_curl",
    },
  },
  {
    ours: "`session` of every tool",
    shownBy: "twelve agents over one connection get replies of their own pages only",
    theirs: {
      agentBrowser:
        "agent_browser_session_list agent_browser_session_id agent_browser_session_info agent_browser_profiles",
    },
  },
  {
    ours: "refs of frames, such as `f1_e3`",
    shownBy: "an element in frames of this and of another site is hit at its place",
    theirs: { agentBrowser: "agent_browser_frame_switch agent_browser_frame_main" },
  },
  {
    ours: "debugger_enable",
    shownBy: "a click that meets a breakpoint returns at once, and the page goes on when it is resumed",
    theirs: { cherry: "enable_debug_tools debugger_enable" },
  },
  {
    ours: "debugger_breakpoint",
    shownBy: "a condition pauses only if it is true, and a logpoint logs instead",
    theirs: { cherry: "breakpoint debugger_set_breakpoint debugger_remove_breakpoint" },
  },
  {
    ours: "debugger_step",
    shownBy: "a step shows where it led and which variables changed, also the first one",
    theirs: { cherry: "step debugger_step_over debugger_step_into debugger_step_out" },
  },
  {
    ours: "debugger_execution",
    shownBy: "a pause that is asked for comes at once in a loop, and else with the next script",
    theirs: { playwright: "browser_resume", cherry: "execution debugger_resume debugger_pause" },
  },
  {
    ours: "debugger_call_stack",
    shownBy: "the call stack shows the source, the frames and the variables",
    theirs: { cherry: "call_stack debugger_get_call_stack" },
  },
  {
    ours: "debugger_evaluate",
    shownBy: "values are written within bounds, and no getter is called",
    theirs: { cherry: "evaluate debugger_evaluate_on_call_frame" },
  },
  {
    ours: "debugger_pause_on_exceptions",
    shownBy: "exceptions pause as chosen, and never in the worker's own scripts",
    theirs: { cherry: "pause_on_exceptions debugger_set_pause_on_exceptions" },
  },
];
