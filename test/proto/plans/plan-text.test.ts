// The plans of single cases, as an LLM reads them.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  detailOf,
  type ErrorData,
  type ErrorDetail,
  type ErrorType,
  type FailedCall,
  fail,
} from "../../../proto/errors/catalogue.ts";
import { planText } from "../../../proto/plans/plan-text.ts";
import type { JsonObject } from "../../../proto/wire/struct.ts";
import { parseStorageState } from "../../../worker/storage/storage-state.ts";

const submit = { ref: "e5", role: "button", name: "Submit", tag: "button" };

/** Makes a case in a call of that tool. */
function failed<T extends ErrorType>(
  type: T,
  data: ErrorData[T],
  tool: string,
  args: JsonObject = {},
  other: Partial<FailedCall> = {},
): ErrorDetail {
  const call = {
    tool,
    arguments: args,
    profile: "core" as const,
    role: "a",
    session: "s",
    tab: "t1",
    ...other,
  };
  return detailOf(fail(type, data), call, 0);
}

const texts = ({ steps }: ErrorDetail) => steps.map(({ text }) => text);

test("a key that the plan itself asks for is named in every profile", () => {
  const by = { ref: "e77", role: "dialog", name: "Cookies", tag: "div" };
  for (const profile of ["core", "small"] as const) {
    const detail = failed("ELEMENT_COVERED", { ...submit, by }, "browser_click", { ref: "e5" }, { profile });
    assert.match(
      texts(detail)[0] ?? "",
      /^Call browser_press_key\(key: "Escape"\) to close dialog "Cookies"/,
    );
    assert.doesNotMatch(planText(detail, profile), /as before/);
  }
});

test("a wrong role for one call is replaced in that call, and the current role stays", () => {
  const wrong = { role: "nob", roles: ["visitor", "customer"] };
  for (const [tool, args, other] of [
    ["browser_click", { ref: "e5" }, { ownRole: true, role: "nob" }],
    ["get_failures", { role: "nob" }, {}],
  ] as const) {
    const detail = failed("UNKNOWN_ROLE", wrong, tool, args, other);
    assert.match(texts(detail).at(-1) ?? "", new RegExp(`call ${tool} again with role: `));
    assert.doesNotMatch(planText(detail), /select_role/);
  }
  const current = failed("UNKNOWN_ROLE", wrong, "browser_click", { ref: "e5" });
  assert.match(texts(current).at(-1) ?? "", /select_role\(role: …\), and then browser_click again/);
});

test("an operator's command with a wrong role gets the roles and no tool", () => {
  for (const nearest of [undefined, "customer"]) {
    const data = { role: "nob", roles: ["visitor", "customer"], ...(nearest && { nearest }) };
    const detail = failed("UNKNOWN_ROLE", data, "RestartRole", {}, { profile: "debug" });
    assert.deepEqual(detail.steps, [
      { text: "The roles are: visitor, customer" },
      { text: nearest ? "Do the same again with role customer" : "Do the same again with one of them" },
    ]);
  }
});

test("a shim's budget appears in no step of a profile without that argument", () => {
  const waited = { waitedFor: "the page", afterMs: 1000 };
  const small = failed("TIMEOUT", waited, "browser_snapshot", { maxTokens: 900 }, { profile: "small" });
  assert.deepEqual(
    small.steps.map((step) => step.arguments),
    [{}],
  );
  assert.doesNotMatch(planText(small, "small"), /maxTokens/);
  const core = failed("TIMEOUT", waited, "browser_snapshot", { maxTokens: 900 });
  assert.deepEqual(
    core.steps.map((step) => step.arguments),
    [{ maxTokens: 900 }],
  );
});

test("each kind of dialog is answered in its own words", () => {
  const first = (dialog: string, text = "Sure?") =>
    texts(failed("DIALOG_OPEN", { dialog, text, tab: "t1" }, "browser_click", { ref: "e5" }))[0];
  assert.equal(first("alert"), "Call browser_handle_dialog(accept: true) to close the alert");
  assert.match(first("confirm") ?? "", /to say OK to the confirm \(accept: false says Cancel\)$/);
  assert.match(first("prompt") ?? "", /\(promptText: … gives it an answer; accept: false cancels it\)$/);
  assert.match(first("beforeunload", "") ?? "", /to leave the page \(accept: false stays on it\)$/);
});

test("a dialog without words shows none, and one that asks before leaving says so", () => {
  const text = planText(
    failed("DIALOG_OPEN", { dialog: "beforeunload", text: "", tab: "t1", holdsUp: true }, "browser_navigate"),
  );
  assert.doesNotMatch(text, /Text:/);
  assert.match(text, /asks whether it may be left/);
});

test("the operator is asked for an address only if an allow list can open it", () => {
  const steps = (url: string, reason: string) =>
    texts(failed("NAVIGATION_BLOCKED", { url, allowed: [], reason }, "browser_navigate", { url }));
  for (const url of ["javascript:alert(1)", "mailto:ada@example.com"])
    assert.deepEqual(steps(url, "never"), ["Open an http or https address"]);
  for (const [url, scheme] of [
    ["file:///etc/passwd", "file:"],
    ["chrome://version/", "chrome:"],
  ] as const)
    assert.deepEqual(steps(url, "never"), [
      "Open an http or https address",
      `If this address is needed, ask the operator to add ${scheme} (which opens every address that begins so) to the role's allow list`,
    ]);
  assert.match(steps("http://169.254.169.254/", "closed")[0] ?? "", /^Open another address/);
  assert.match(steps("https://other.example/", "its origin …").at(-1) ?? "", /operator to add its origin/);
});

test("an element that takes clicks is clicked, and a file field names no other element", () => {
  const of = (role: string, tag: string, more = {}) =>
    failed("ELEMENT_NOT_EDITABLE", { ref: "e5", role, name: "Terms", tag, ...more }, "browser_type", {
      ref: "e5",
      text: "yes",
    });
  for (const role of ["checkbox", "radio", "switch", "button"]) {
    const { steps, recoverable } = of(role, "input");
    const click = role === "button" ? steps[0] : steps.at(-1);
    assert.deepEqual(click?.arguments, { ref: "e5" });
    assert.equal(click?.tool, "browser_click");
    assert.match(click?.text ?? "", /^Call browser_click\(ref: "e5"\) /);
    assert.equal(recoverable, true);
  }
  const file = of("button", "input", { file: true });
  assert.equal(file.recoverable, false);
  assert.deepEqual(
    file.steps.map(({ tool }) => tool),
    [undefined],
  );
  assert.match(planText(file), /takes files/);
});

test("an option's label is shown, because it is the page's own; other values may be secrets", () => {
  const missing = { ...submit, role: "combobox", missing: "Gren", options: ["Green"], nearest: "Green" };
  const choosing = (values: string[]) =>
    texts(failed("OPTION_NOT_FOUND", missing, "browser_select_option", { ref: "e5", values }))[0];
  assert.equal(choosing(["Gren"]), 'Call browser_select_option(ref: "e5", values: ["Green"])');
  assert.match(choosing(["Gren", "hush"]) ?? "", /values: <as before>\) with "Green"$/);
  const typing = failed("OPTION_NOT_FOUND", missing, "browser_type", { ref: "e5", text: "Gren" });
  assert.equal(texts(typing)[0], 'Call browser_type(ref: "e5", text: "Green")');
});

test("an option that exists but is disabled was not a guess", () => {
  const data = { ...submit, missing: "Green", options: ["Blue"], disabled: true };
  const detail = failed("OPTION_NOT_FOUND", data, "browser_select_option", { ref: "e5", values: ["Green"] });
  assert.ok(detail.causes.every((cause) => !/guessed/.test(cause)));
  assert.match(detail.message, /option "Green" .* is disabled/);
  assert.match(planText(detail), /cannot be chosen now/);
});

test("a call without anything to wait for is answered with a snapshot", () => {
  const data = { argument: "text", problem: "one of text, textGone and ref is needed", look: true };
  const detail = failed("INVALID_ARGUMENT", data, "browser_wait_for", { time: 1, tab: "t2" });
  assert.equal(detail.steps[0]?.tool, "browser_snapshot");
  assert.deepEqual(detail.steps[0]?.arguments, { tab: "t2" });
  assert.equal("look" in detail.details, false);
});

test("a login that cannot be loaded lists only causes that are possible", () => {
  const causes = (reason: string) =>
    failed("AUTHENTICATION_FAILED", { role: "a", authPath: "a.json", reason }, "browser_click").causes;
  const reasonOf = (text: string): string => {
    try {
      parseStorageState(text, "a.json");
    } catch (error) {
      return (error as Error).message;
    }
    assert.fail("it was read");
  };
  for (const text of ["{", "[]", '{"cookies": 1}']) {
    assert.deepEqual(causes(reasonOf(text)), [
      "The file was cut short or changed by hand",
      "It is another kind of file than a login saved as storageState",
    ]);
  }
  const missing = causes("Failed to load auth from a.json: file not found (ENOENT)");
  assert.deepEqual(missing, [
    "Auth file doesn't exist at specified path",
    "Path specified incorrectly in configuration",
  ]);
  assert.deepEqual(causes("Failed to load auth from a.json: the daemon's user may not read it (EACCES)"), [
    "Auth file permissions prevent reading",
  ]);
  assert.match(causes("Storage.setCookies: Invalid cookie fields").join(), /browser did not take/);
});

test("a worker that cannot start did not crash, and one that crashed could start", () => {
  const causes = (more: { retryAfterMs?: number; mend?: string }) =>
    failed("WORKER_UNAVAILABLE", { role: "a", reason: "it is so", ...more }, "browser_click").causes.join();
  assert.doesNotMatch(causes({ mend: "Install Chrome." }), /crashed/);
  assert.doesNotMatch(causes({}), /cannot be started/);
  assert.match(causes({}), /crashed repeatedly/);
});

test("an error names each loss as what it is, and a rest to make room is no unexpected error", () => {
  const other = ["the open dialog (alert)"];
  const data = { role: "a", reason: "another waited", rested: true, effect: "none" } as const;
  const text = (more: object) =>
    planText(failed("WORKER_RESTARTED", { ...data, ...more }, "browser_click", { ref: "e5" }));
  const both = text({ lost: [`checkbox "Agree"`, ...other], lostOther: other });
  assert.match(both, /^Lost: what was entered in checkbox "Agree"; the open dialog \(alert\)$/m);
  assert.match(text({ lost: other, lostOther: other }), /^Lost: the open dialog \(alert\)$/m);
  assert.match(both, /^Restored after rest: /m);
  assert.match(both, /^1\. Call browser_snapshot\(\)/m);
  assert.doesNotMatch(both, /unexpected/);
  assert.match(text({ rested: undefined }), /This is an unexpected error/);
});

test("a restart names a daemon's end as that, and not as a crash of the worker", () => {
  const data = { role: "a", reason: "the daemon has ended", daemonEnded: true, effect: "none" } as const;
  const detail = failed("WORKER_RESTARTED", data, "browser_click", { ref: "e5" });
  assert.match(detail.causes.join(), /^The daemon was stopped/);
  assert.doesNotMatch(planText(detail), /worker ended|worker of role|crashed/i);
});

test("a call that only reads has had no effect, however it broke off", () => {
  for (const [tool, args] of [
    ["browser_wait_for", { text: "Done" }],
    ["browser_tabs", { action: "list" }],
  ] as const) {
    const lost = { address: "unix:/s", reason: "lost", retryAfterMs: 1000, effect: "unknown" } as const;
    const detail = failed("DAEMON_UNREACHABLE", lost, tool, args);
    assert.doesNotMatch(planText(detail), /may have taken effect/);
    assert.deepEqual(detail.steps[0]?.arguments, args);
    assert.equal(detail.retry?.sameCall, true);
    const restarted = failed(
      "WORKER_RESTARTED",
      { role: "a", reason: "killed", effect: "unknown" },
      tool,
      args,
    );
    assert.doesNotMatch(planText(restarted), /may have taken effect/);
  }
  const close = failed(
    "WORKER_RESTARTED",
    { role: "a", reason: "killed", effect: "unknown" },
    "browser_tabs",
    { action: "close" },
  );
  assert.match(planText(close), /may have taken effect/);
});

test("a busy role offers another role or the operator beside waiting", () => {
  const limit = "role 'a' has 1 session at once";
  const held = failed("BUSY", { limit, holders: ["s2"], retryAfterMs: 1000 }, "browser_snapshot");
  assert.equal(held.steps[0]?.tool, "browser_snapshot");
  assert.match(texts(held)[1] ?? "", /another role.*operator.*s2/);
  const queued = failed(
    "BUSY",
    { limit: "10 calls wait", holders: [], retryAfterMs: 1000 },
    "browser_snapshot",
  );
  assert.equal(queued.steps.length, 1);
});

test("if other clients hold a role's slots, their number is given and no session is to be ended", () => {
  const limit = "role 'a' has 4 sessions at once";
  const mixed = failed("BUSY", { limit, holders: ["s2"], others: 3, retryAfterMs: 1000 }, "browser_snapshot");
  assert.match(planText(mixed), /^Used by: s2, 3 sessions of others$/m);
  assert.match(texts(mixed)[1] ?? "", /end a session that is not used \(s2\) or/);
  const foreign = failed("BUSY", { limit, holders: [], others: 1, retryAfterMs: 1000 }, "browser_snapshot");
  assert.match(planText(foreign), /^Used by: 1 session of others$/m);
  assert.match(texts(foreign)[1] ?? "", /end a session that is not used or/);
});

test("a client at its session limit continues in one of its sessions, or waits for an end", () => {
  const limit = "ci may have 2 sessions at once";
  const data = { limit, own: "sessions", retryAfterMs: 3_600_000 } as const;
  const busy = failed("BUSY", { ...data, holders: ["a1", "b1"] }, "browser_navigate");
  assert.deepEqual(busy.retry, { afterMs: 3_600_000, sameCall: true });
  assert.match(texts(busy)[0] ?? "", /a1 or b1 \(X-Troupe-Session .* --session with troupe call\)/);
  assert.doesNotMatch(planText(busy), /another role|the role/);
  const many = Array.from({ length: 1000 }, (_, index) => `s${index}`);
  const text = planText(failed("BUSY", { ...data, holders: many }, "browser_navigate"));
  assert.match(text, /s9, more$/m);
  assert.doesNotMatch(text, /s10/);
});

test("a client that calls too fast gets the reason and the time of the next call", () => {
  const limit = "ci may make 10 calls in 1 s";
  const busy = failed("BUSY", { limit, holders: [], own: "rate", retryAfterMs: 100 }, "browser_snapshot");
  assert.match(busy.causes[0] ?? "", /called faster than it may/);
  assert.doesNotMatch(planText(busy), /sessions|role/);
  assert.deepEqual([busy.steps.length, busy.steps[0]?.tool], [1, "browser_snapshot"]);
  assert.deepEqual(busy.retry, { afterMs: 100, sameCall: true });
});

test("a cover is named with its controls, among which the reader chooses", () => {
  const by = { ref: "e77", role: "dialog", name: "Region", tag: "div" };
  const controls = [
    { ref: "e78", role: "button", name: "Europe" },
    { ref: "e79", role: "button", name: "America" },
  ];
  const detail = failed("ELEMENT_COVERED", { ...submit, by, controls, asks: true }, "browser_click", {
    ref: "e5",
  });
  const text = planText(detail);
  assert.match(text, /^Controls in it: button "Europe" \[ref=e78\], button "America" \[ref=e79\]$/m);
  assert.match(text, /browser_click\(ref: "e78"\) for button "Europe"/);
  assert.doesNotMatch(text, /Escape/);
});

test("a disabled button comes with what its form lacks: a box is ticked, a field is the reader's", () => {
  const lacking = [
    { ref: "e8", role: "textbox", name: "E-mail" },
    { ref: "e9", role: "checkbox", name: "Terms" },
  ];
  const both = failed("ELEMENT_DISABLED", { ...submit, lacking }, "browser_click", { ref: "e5" });
  assert.match(planText(both), /^Lacking: textbox "E-mail" \[ref=e8\], checkbox "Terms" \[ref=e9\]$/m);
  assert.deepEqual(both.steps[0]?.arguments, { ref: "e9" });
  assert.match(texts(both)[1] ?? "", /^Fill textbox "E-mail" \[ref=e8\]/);
  const box = failed("ELEMENT_DISABLED", { ...submit, lacking: lacking.slice(1) }, "browser_click", {
    ref: "e5",
  });
  assert.deepEqual(
    box.steps.map(({ tool, arguments: args }) => [tool, args]),
    [
      ["browser_click", { ref: "e9" }],
      ["browser_click", { ref: "e5" }],
    ],
  );
});

test("a ref of another role or tab is used there, or one of several places is chosen", () => {
  const told = (elsewhere: object[]) =>
    failed("UNKNOWN_REF", { ref: "e9", cause: "unseen", elsewhere }, "browser_click", { ref: "e9" });
  assert.deepEqual(told([{ role: "customer" }]).steps, [
    {
      text: 'Call browser_click(ref: "e9", role: "customer") for role customer, where this ref was given',
      tool: "browser_click",
      arguments: { ref: "e9", role: "customer" },
    },
  ]);
  assert.deepEqual(told([{ tab: "t2" }]).steps[0]?.arguments, { ref: "e9", tab: "t2" });
  assert.equal(told([{ role: "customer" }, { tab: "t2" }]).steps.at(-1)?.tool, undefined);
});

test("after a session's end, the plan opens its last page and finds the intended element", () => {
  const ended = { session: "s", reason: "it was not used for 1 h", url: "https://shop.example/cart" };
  const pay = { role: "button", name: "Pay" };
  const click = failed("SESSION_EXPIRED", { ...ended, ...pay }, "browser_click", { ref: "e5", tab: "t3" });
  assert.deepEqual(
    click.steps.map(({ tool, arguments: args }) => [tool, args]),
    [
      ["browser_navigate", { url: "https://shop.example/cart" }],
      [undefined, undefined],
      ["browser_click", { ref: "$candidate" }],
    ],
  );
  const look = failed("SESSION_EXPIRED", ended, "browser_snapshot", {});
  assert.deepEqual(
    look.steps.map(({ tool }) => tool),
    ["browser_navigate", "browser_snapshot"],
  );
});

test("an element found again after a restart is used, unless typed text is lost", () => {
  const restart = { role: "a", reason: "it was killed", effect: "none" } as const;
  const candidates = [{ ref: "e31", role: "button", name: "Pay" }];
  const of = (data: object) =>
    failed("WORKER_RESTARTED", { ...restart, candidates, ...data }, "browser_click", { ref: "e5" });
  assert.deepEqual(of({}).steps.at(-1)?.arguments, { ref: "$candidate" });
  assert.equal(of({ lost: ['textbox "Note"'] }).steps.at(-1)?.tool, undefined);
  assert.equal(of({ effect: "unknown" }).steps.at(-1)?.tool, undefined);
});

test("a read-only field may be the right one, and an optional login may be left out", () => {
  const field = { ref: "e5", role: "textbox", name: "Total", tag: "input", readonly: true };
  const text = planText(failed("ELEMENT_NOT_EDITABLE", field, "browser_type", { ref: "e5", text: "1" }));
  assert.doesNotMatch(text, /instead of textbox "Total"/);
  assert.match(text, /what unlocks textbox "Total"/);
  const login = { role: "a", authPath: "auth/a.json", reason: "file not found" };
  assert.match(planText(failed("AUTHENTICATION_FAILED", login, "browser_snapshot")), /authRequired: false/);
});

test("a full queue does not end the caller's own session", () => {
  const busy = { limit: "16 calls wait in role 'a' already", holders: ["s", "s2"], retryAfterMs: 1000 };
  assert.doesNotMatch(planText(failed("BUSY", busy, "browser_snapshot")), /end a session/);
  const other = { ...busy, holders: ["s2"] };
  assert.match(planText(failed("BUSY", other, "browser_snapshot")), /end a session that is not used \(s2\)/);
});
