// Tools of other servers that have no counterpart here, and the reasons.
import type { Counterpart } from "./counterpart.ts";

export const leftOut: readonly Counterpart[] = [
  {
    reason:
      "Coordinates go stale with the next layout and cannot be checked. Every element that can be acted on has a ref, and actions on refs are refused if the element has changed.",
    theirs: {
      playwright:
        "browser_mouse_move_xy browser_mouse_click_xy browser_mouse_drag_xy browser_mouse_down browser_mouse_up",
      agentBrowser:
        "agent_browser_mouse_move agent_browser_mouse_down agent_browser_mouse_up agent_browser_tap",
    },
  },
  {
    reason:
      "Code of the client would run beside the daemon, with its rights. `browser_steps` and the SDK do many actions; `browser_evaluate` runs inside the page.",
    theirs: { playwright: "browser_run_code_unsafe" },
  },
  {
    reason:
      "Agents use the application as its users do. Responses that a test makes up belong in its server; HTTP credentials come from the role's `auth`.",
    theirs: {
      playwright: "browser_route browser_route_list browser_unroute",
      agentBrowser:
        "agent_browser_network_route agent_browser_network_unroute agent_browser_set_headers agent_browser_set_credentials agent_browser_remove_init_script",
    },
  },
  {
    reason:
      "Evidence for people is the configuration's `record` (docs/EVIDENCE.md), and a session's steps are exported as a Playwright test, which records traces and videos itself.",
    theirs: {
      playwright:
        "browser_start_tracing browser_stop_tracing browser_start_video browser_stop_video browser_video_chapter browser_video_show_actions browser_video_hide_actions",
      chromeDevtools: "screencast_start screencast_stop",
      agentBrowser:
        "agent_browser_trace_start agent_browser_trace_stop agent_browser_record_start agent_browser_record_stop agent_browser_record_restart agent_browser_network_har_start agent_browser_network_har_stop agent_browser_stream_enable agent_browser_stream_disable agent_browser_stream_status",
    },
  },
  {
    reason:
      "Profiles, audits and heap dumps are for developers' tools. `browser_evaluate` reads measurements and computed styles that an agent needs.",
    theirs: {
      chromeDevtools:
        "performance_start_trace performance_stop_trace performance_analyze_insight lighthouse_audit take_heapsnapshot get_css_styles",
      agentBrowser:
        "agent_browser_profiler_start agent_browser_profiler_stop agent_browser_a11y agent_browser_react_tree agent_browser_react_inspect agent_browser_react_renders_start agent_browser_react_renders_stop agent_browser_react_suspense",
    },
  },
  {
    reason:
      "An action replies once the page is quiet, with its address and what changed, so there is nothing to wait for.",
    theirs: { agentBrowser: "agent_browser_wait_for_url agent_browser_wait_for_load" },
  },
  {
    reason: "Marks on the page are for people at a screen. Pictures carry the refs with `annotate`.",
    theirs: { playwright: "browser_highlight browser_hide_highlight", agentBrowser: "agent_browser_inspect" },
  },
  {
    reason: "A delta says in words what changed; pictures and other pages are compared by tests.",
    theirs: { agentBrowser: "agent_browser_diff_screenshot agent_browser_diff_url" },
  },
  {
    reason:
      "The clipboard belongs to the machine, which agents share. Text goes into a field by `browser_type`.",
    theirs: { agentBrowser: "agent_browser_clipboard_read agent_browser_clipboard_write" },
  },
  {
    reason:
      "These are commands for people: `troupe doctor`, `troupe status`, `troupe tools`, and the package's own files.",
    theirs: {
      playwright: "browser_get_config",
      agentBrowser:
        "agent_browser_tools_profiles agent_browser_doctor agent_browser_install agent_browser_upgrade agent_browser_dashboard_start agent_browser_dashboard_stop agent_browser_skills_list agent_browser_skills_get agent_browser_skills_path agent_browser_plugin_add agent_browser_plugin_list agent_browser_plugin_show agent_browser_plugin_run",
    },
  },
  {
    reason: "A person approves an action, not an agent: in the console or by `troupe approve`.",
    theirs: { agentBrowser: "agent_browser_confirm agent_browser_deny" },
  },
  { reason: "The client has a model of its own.", theirs: { agentBrowser: "agent_browser_chat" } },
];
