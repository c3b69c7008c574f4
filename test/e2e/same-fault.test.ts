// One fault is the same error at every door.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ErrorDetail, ErrorType } from "../../proto/errors/catalogue.ts";
import { shared } from "../harness/shared.ts";
import { refOf, startTroupe } from "../harness/troupe.ts";
import { serveSite } from "../site/serve.ts";
import { type Door, doors, type Outcome } from "./doors.ts";
import { missingPython } from "./python.ts";

const HTML = `<!doctype html><title>Faults</title><main>
<div id="box"><button>Save</button></div>
<button onclick="box.innerHTML = '<button>Save</button>'">Render</button>
<label>Colour <select><option>Red<option>Blue</select></label>
<button onclick="alert('Mind the gap')">Warn</button></main>`;

const withoutPython = await missingPython();
const page = shared(await serveSite()).page(HTML);
const opened = shared(new AsyncDisposableStack());
const troupe = opened.use(await startTroupe({ roles: { faulty: {} } }));
const open = new Map<string, Door>();
for (const [name, openDoor] of Object.entries(doors))
  if (name !== "python" || !withoutPython) open.set(name, opened.use(await openDoor(troupe, "faulty")));

type Call = Door["call"];

/**
 * Each fault begins on the page. None fails by browser_snapshot, because the shim's first snapshot of a page is whole.
 */
const faults: Partial<Record<ErrorType, (call: Call, snapshot: string) => Promise<Outcome>>> = {
  UNKNOWN_REF: (call) => call("browser_click", { ref: "e99" }),
  async STALE_REF(call, snapshot) {
    await call("browser_click", { ref: refOf(snapshot, "button", "Render") });
    return call("browser_click", { ref: refOf(snapshot, "button", "Save") });
  },
  OPTION_NOT_FOUND: (call, snapshot) =>
    call("browser_select_option", { ref: refOf(snapshot, "combobox", "Colour"), values: ["Green"] }),
  UNKNOWN_TAB: (call) => call("browser_find", { text: "Save", tab: "t9" }),
  UNKNOWN_ROLE: (call) => call("browser_find", { text: "Save", role: "fualty" }),
  NAVIGATION_FAILED: (call) => call("browser_navigate", { url: "http://127.0.0.1:9/" }),
  NO_DIALOG: (call) => call("browser_handle_dialog", { accept: true }),
  NO_HISTORY: (call) => call("browser_tabs", { action: "new" }).then(() => call("browser_navigate_back")),
  TIMEOUT: (call) => call("browser_wait_for", { text: "never", time: 0.3 }),
  INVALID_ARGUMENT: (call) => call("browser_find", { regex: "(" }),
  async DIALOG_OPEN(call, snapshot) {
    await call("browser_click", { ref: refOf(snapshot, "button", "Warn") });
    const outcome = await call("browser_find", { text: "Save" });
    await call("browser_handle_dialog", { accept: true });
    return outcome;
  },
};

for (const [type, provoke] of Object.entries(faults)) {
  test(`${type} has the same details, causes and steps at every door`, async () => {
    const seen = new Map<string, Outcome>();
    for (const [name, { call }] of open) {
      const { text = "" } = await call("browser_navigate", { url: page });
      seen.set(name, await provoke(call, text));
    }
    const [first, ...others] = [...seen.values()];
    assert.equal(first?.error?.type, type, first?.text ?? "no text");
    assert.ok(first.error.steps.length > 0);
    for (const { error } of others) assert.deepEqual(bare(error), bare(first.error));
    const texts = new Set([...seen.values()].flatMap(({ text }) => text ?? []));
    assert.equal(texts.size, 1, [...texts].join("\n---\n"));
  });
}

test("every door was open", { skip: withoutPython || false }, () => {
  assert.deepEqual([...open.keys()], Object.keys(doors));
});

/** Removes what differs by nature (the session, the time), and empty values, which JSON of proto3 leaves out. */
function bare(error: ErrorDetail | undefined): unknown {
  const { session: _session, at: _at, ...told } = error ?? ({} as ErrorDetail);
  return filled({ ...told, details: timeless(told.details) });
}

/** The duration of a wait is never the same twice. */
function timeless(details: ErrorDetail["details"]): ErrorDetail["details"] {
  return { ...details, ...("afterMs" in details && { afterMs: "some" }) };
}

function filled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(filled);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) => [key, filled(each)] as const);
  return Object.fromEntries(
    entries.filter(([, each]) => each !== "" && each !== false && !isEmptyList(each)),
  );
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
