import assert from "node:assert/strict";
import { test } from "node:test";
import { insteadOfTool } from "../../../proto/calls/tool-suggestions.ts";
import { findTool, inProfile } from "../../../proto/tools/read-tools.ts";

/** All tools of Playwright MCP 0.0.83, with every capability, that have no namesake among ours. */
const PLAYWRIGHT =
  `browser_close browser_resize browser_get_config browser_cookie_list browser_cookie_get browser_cookie_set
  browser_cookie_delete browser_cookie_clear browser_resume browser_highlight browser_hide_highlight browser_annotate
  browser_emulate_media browser_evaluate browser_file_upload browser_drop browser_fill_form browser_mouse_move_xy
  browser_mouse_click_xy browser_mouse_drag_xy browser_mouse_down browser_mouse_up browser_mouse_wheel
  browser_network_requests browser_network_request browser_network_state_set browser_pdf_save browser_start_recording
  browser_stop_recording browser_route browser_route_list browser_unroute browser_run_code_unsafe browser_drag
  browser_hover browser_generate_locator browser_storage_state browser_set_storage_state browser_start_tracing
  browser_stop_tracing browser_verify_element_visible browser_verify_text_visible browser_verify_list_visible
  browser_verify_value browser_start_video browser_stop_video browser_video_chapter browser_video_show_actions
  browser_video_hide_actions browser_localstorage_list browser_localstorage_get browser_localstorage_set
  browser_localstorage_delete browser_localstorage_clear browser_sessionstorage_list browser_sessionstorage_get
  browser_sessionstorage_set browser_sessionstorage_delete browser_sessionstorage_clear`.split(/\s+/);

/** All tools of chrome-devtools-mcp 1.11.0. */
const DEVTOOLS =
  `click close_page drag emulate evaluate_script fill fill_form get_console_message get_css_styles
  get_network_request handle_dialog hover lighthouse_audit list_console_messages list_network_requests list_pages
  navigate_page new_page performance_analyze_insight performance_start_trace performance_stop_trace press_key resize_page
  screencast_start screencast_stop select_page take_heapsnapshot take_screenshot take_snapshot type_text upload_file
  wait_for`.split(/\s+/);

for (const profile of ["small", "core", "full", "debug"] as const) {
  const isOwn = (name: string) => inProfile(findTool(name)?.profile ?? "debug", profile) && findTool(name);
  for (const name of [...PLAYWRIGHT, ...DEVTOOLS].filter((each) => !isOwn(each))) {
    test(`${name} is answered with a tool of the ${profile} profile, or with its replacement`, () => {
      const { calls, words = "" } = insteadOfTool(name, { uid: "e5", url: "https://x.example/" }, profile);
      assert.ok(calls.length > 0 || words !== "");
      for (const { tool } of calls) assert.ok(inProfile(findTool(tool)?.profile ?? "debug", profile), tool);
      for (const [named] of words.matchAll(
        /\b(?:browser_[a-z_]+|select_role|list_current_roles|get_failures|wait_for_browser)\b/g,
      ))
        assert.ok(inProfile(findTool(named)?.profile ?? "debug", profile), `${named} in: ${words}`);
    });
  }
}

test("an unknown word is answered without a guess", () => {
  for (const name of ["", "x", "teleport", "constructor", "browser_teleport", "nope", "browser_nope", "help"])
    assert.deepEqual(insteadOfTool(name, {}, "core"), { calls: [] }, name);
});

test("the suggested call keeps only arguments that the tool uses, and its role", () => {
  assert.deepEqual(
    insteadOfTool("fill", { uid: "e5", value: "x", pageId: 2, role: "customer" }, "core").calls,
    [{ tool: "browser_type", arguments: { ref: "e5", text: "x", role: "customer" } }],
  );
});

test("reloading and going forward are answered with the navigation that does it", () => {
  for (const name of ["browser_reload", "reload", "refresh", "browser_refresh", "reload_page"])
    assert.match(insteadOfTool(name, {}, "core").words ?? "", /browser_navigate.* own address/, name);
  for (const name of ["browser_go_forward", "go_forward", "forward", "browser_navigate_forward"])
    assert.match(insteadOfTool(name, {}, "core").words ?? "", /browser_navigate.* address of the page/, name);
});

test("a tool of the profile full is called there, and replaced in smaller ones", () => {
  const hovered = { tool: "browser_hover", arguments: { ref: "e5" } };
  assert.deepEqual(insteadOfTool("hover", { uid: "e5" }, "full").calls, [hovered]);
  assert.match(insteadOfTool("hover", { uid: "e5" }, "core").words ?? "", /no hovering in this profile/);
  assert.deepEqual(insteadOfTool("drag", { from_uid: "e5", to_uid: "e6" }, "full").calls, [
    { tool: "browser_drag", arguments: { from: "e5", to: "e6" } },
  ]);
  assert.deepEqual(insteadOfTool("refresh", {}, "full").calls, [{ tool: "browser_reload", arguments: {} }]);
  assert.deepEqual(insteadOfTool("get_current_role", {}, "core").calls, [
    { tool: "list_current_roles", arguments: {} },
  ]);
});

test("network, scripts and storage are called in the profile full, and answered with words in smaller ones", () => {
  const calls = (name: string, args = {}) => insteadOfTool(name, args, "full").calls;
  assert.deepEqual(calls("list_network_requests"), [{ tool: "browser_network_requests", arguments: {} }]);
  assert.deepEqual(calls("evaluate_script", { function: "() => 1" }), [
    { tool: "browser_evaluate", arguments: { function: "() => 1" } },
  ]);
  assert.deepEqual(calls("browser_localstorage_delete", { key: "cart" }), [
    { tool: "browser_storage", arguments: { action: "remove", area: "local", name: "cart" } },
  ]);
  assert.deepEqual(calls("list_webmcp_tools"), [{ tool: "webmcp", arguments: { action: "list" } }]);
  for (const name of ["list_network_requests", "evaluate_script", "browser_cookie_list", "list_webmcp_tools"])
    assert.match(insteadOfTool(name, {}, "core").words ?? "", /in this profile/, name);
});

test("a form is filled by one call in the profile full, and by one for each field in smaller ones", () => {
  const elements = [
    { uid: "e1", value: "Ann" },
    { uid: "e2", value: true },
    { uid: "e3", value: ["a", "b"] },
  ];
  assert.deepEqual(insteadOfTool("fill_form", { elements }, "full").calls, [
    {
      tool: "browser_fill_form",
      arguments: {
        fields: [
          { ref: "e1", value: ["Ann"] },
          { ref: "e2", value: ["true"] },
          { ref: "e3", value: ["a", "b"] },
        ],
      },
    },
  ]);
  assert.deepEqual(insteadOfTool("fill_form", { elements }, "core").calls, [
    { tool: "browser_type", arguments: { ref: "e1", text: "Ann" } },
    { tool: "browser_click", arguments: { ref: "e2" } },
    { tool: "browser_select_option", arguments: { ref: "e3", values: ["a", "b"] } },
  ]);
});

test("a wait for time alone is answered with a snapshot, which waits until the page is quiet", () => {
  for (const name of ["browser_wait", "wait", "sleep", "wait_for", "agent_browser_wait"])
    assert.deepEqual(
      insteadOfTool(name, { time: 1 }, "small").calls,
      [{ tool: "browser_snapshot", arguments: {} }],
      name,
    );
  assert.deepEqual(insteadOfTool("browser_wait", { text: "Done", time: 1 }, "core").calls, [
    { tool: "browser_wait_for", arguments: { text: "Done", time: 1 } },
  ]);
});

test("a misspelt tool is found by its own word, with the shared prefix or without", () => {
  const meant = (name: string) => insteadOfTool(name, { ref: "e1", text: "x" }, "core").meant;
  for (const name of ["browser_clik", "clik", "browserClcik"])
    assert.equal(meant(name), "browser_click", name);
  assert.equal(meant("browser_snapshoot"), "browser_snapshot");
  assert.equal(meant("browser_tab"), "browser_tabs");
});
