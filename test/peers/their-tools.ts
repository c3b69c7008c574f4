// The names in tools/list of other servers, all their sets included.
export interface TheirTools {
  /** @playwright/mcp 0.0.83 with all capabilities. */
  playwright: readonly string[];
  /** chrome-devtools-mcp 1.11.0. */
  chromeDevtools: readonly string[];
  /** agent-browser 0.41.2 with all tools. */
  agentBrowser: readonly string[];
  /** verdex-mcp 0.1.6. */
  verdex: readonly string[];
  /** cherry-chrome-mcp 0.1.0, both modes. */
  cherry: readonly string[];
}

export const theirTools: TheirTools = {
  playwright: words(`
    browser_close browser_resize browser_get_config browser_console_messages browser_cookie_list
    browser_cookie_get browser_cookie_set browser_cookie_delete browser_cookie_clear browser_resume
    browser_highlight browser_hide_highlight browser_annotate browser_handle_dialog browser_emulate_media
    browser_evaluate browser_file_upload browser_drop browser_find browser_fill_form browser_press_key
    browser_type browser_mouse_move_xy browser_mouse_click_xy browser_mouse_drag_xy browser_mouse_down
    browser_mouse_up browser_mouse_wheel browser_navigate browser_navigate_back browser_network_requests
    browser_network_request browser_network_state_set browser_pdf_save browser_start_recording
    browser_stop_recording browser_route browser_route_list browser_unroute browser_run_code_unsafe
    browser_take_screenshot browser_snapshot browser_click browser_drag browser_hover
    browser_select_option browser_generate_locator browser_storage_state browser_set_storage_state
    browser_tabs browser_start_tracing browser_stop_tracing browser_verify_element_visible
    browser_verify_text_visible browser_verify_list_visible browser_verify_value browser_start_video
    browser_stop_video browser_video_chapter browser_video_show_actions browser_video_hide_actions
    browser_wait_for browser_localstorage_list browser_localstorage_get browser_localstorage_set
    browser_localstorage_delete browser_localstorage_clear browser_sessionstorage_list
    browser_sessionstorage_get browser_sessionstorage_set browser_sessionstorage_delete
    browser_sessionstorage_clear`),
  chromeDevtools: words(`
    click close_page drag emulate evaluate_script fill fill_form get_console_message get_css_styles
    get_network_request handle_dialog hover lighthouse_audit list_console_messages list_network_requests
    list_pages navigate_page new_page performance_analyze_insight performance_start_trace
    performance_stop_trace press_key resize_page screencast_start screencast_stop select_page
    take_heapsnapshot take_screenshot take_snapshot type_text upload_file wait_for`),
  agentBrowser: words(`
    agent_browser_tools_profiles agent_browser_open agent_browser_webmcp_list agent_browser_webmcp_invoke
    agent_browser_webmcp_result agent_browser_webmcp_cancel agent_browser_read agent_browser_snapshot
    agent_browser_click agent_browser_fill agent_browser_type agent_browser_press agent_browser_hover
    agent_browser_focus agent_browser_check agent_browser_uncheck agent_browser_select
    agent_browser_scroll agent_browser_scroll_into_view agent_browser_wait_ms
    agent_browser_wait_for_selector agent_browser_wait_for_text agent_browser_wait_for_url
    agent_browser_wait_for_load agent_browser_wait_for_function agent_browser_screenshot
    agent_browser_get_text agent_browser_get_html agent_browser_get_value agent_browser_get_url
    agent_browser_get_title agent_browser_get_cdp_url agent_browser_eval agent_browser_close
    agent_browser_back agent_browser_forward agent_browser_reload agent_browser_dblclick
    agent_browser_drag agent_browser_upload agent_browser_download agent_browser_keydown
    agent_browser_keyup agent_browser_keyboard_type agent_browser_keyboard_insert_text
    agent_browser_wait_for_download agent_browser_pdf agent_browser_get_attr agent_browser_get_count
    agent_browser_get_box agent_browser_get_styles agent_browser_is_visible agent_browser_is_enabled
    agent_browser_is_checked agent_browser_find agent_browser_mouse_move agent_browser_mouse_down
    agent_browser_mouse_up agent_browser_mouse_wheel agent_browser_set_viewport agent_browser_set_device
    agent_browser_set_geo agent_browser_set_offline agent_browser_set_headers
    agent_browser_set_credentials agent_browser_set_media agent_browser_network_route
    agent_browser_network_unroute agent_browser_network_requests agent_browser_network_request
    agent_browser_network_har_start agent_browser_network_har_stop agent_browser_storage_get
    agent_browser_storage_set agent_browser_storage_clear agent_browser_cookies_get
    agent_browser_cookies_set agent_browser_cookies_set_curl agent_browser_cookies_clear
    agent_browser_tab_new agent_browser_tab_list agent_browser_tab_switch agent_browser_tab_close
    agent_browser_window_new agent_browser_frame_switch agent_browser_frame_main
    agent_browser_dialog_status agent_browser_dialog_accept agent_browser_dialog_dismiss
    agent_browser_trace_start agent_browser_trace_stop agent_browser_profiler_start
    agent_browser_profiler_stop agent_browser_record_start agent_browser_record_stop
    agent_browser_record_restart agent_browser_console agent_browser_errors agent_browser_highlight
    agent_browser_inspect agent_browser_clipboard_read agent_browser_clipboard_write
    agent_browser_clipboard_copy agent_browser_clipboard_paste agent_browser_auth_save
    agent_browser_auth_login agent_browser_auth_list agent_browser_auth_show agent_browser_auth_delete
    agent_browser_state_save agent_browser_state_load agent_browser_state_list agent_browser_state_clear
    agent_browser_state_show agent_browser_state_clean agent_browser_state_rename agent_browser_tap
    agent_browser_swipe agent_browser_device agent_browser_diff_snapshot agent_browser_diff_screenshot
    agent_browser_diff_url agent_browser_batch agent_browser_react_tree agent_browser_react_inspect
    agent_browser_react_renders_start agent_browser_react_renders_stop agent_browser_react_suspense
    agent_browser_vitals agent_browser_a11y agent_browser_pushstate agent_browser_remove_init_script
    agent_browser_confirm agent_browser_deny agent_browser_connect agent_browser_stream_enable
    agent_browser_stream_disable agent_browser_stream_status agent_browser_session
    agent_browser_session_list agent_browser_session_id agent_browser_session_info agent_browser_profiles
    agent_browser_skills_list agent_browser_skills_get agent_browser_skills_path agent_browser_plugin_add
    agent_browser_plugin_list agent_browser_plugin_show agent_browser_plugin_run agent_browser_doctor
    agent_browser_dashboard_start agent_browser_dashboard_stop agent_browser_install agent_browser_upgrade
    agent_browser_chat`),
  verdex: words(`
    browser_initialize browser_navigate browser_snapshot browser_click browser_type wait_for_browser
    browser_close resolve_container inspect_pattern extract_anchors get_current_role list_current_roles
    select_role`),
  cherry: words(`
    query_elements click_element fill_element navigate get_console_logs inspect_element
    chrome_list_connections chrome_switch_connection chrome_disconnect connect target enable_debug_tools
    breakpoint step execution call_stack evaluate pause_on_exceptions chrome_connect chrome_launch
    list_targets switch_target debugger_enable debugger_set_breakpoint debugger_get_call_stack
    debugger_evaluate_on_call_frame debugger_step_over debugger_step_into debugger_step_out
    debugger_resume debugger_pause debugger_remove_breakpoint debugger_set_pause_on_exceptions`),
};

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
