import assert from "node:assert/strict";
import { test } from "node:test";
import { intendedBy, isIntended } from "../../../daemon/telemetry/intended-element.ts";
import { detailOf, type ErrorData, type ErrorType, fail } from "../../../proto/errors/catalogue.ts";
import { type ElementMark, markFrom, markOf, markText } from "../../../proto/wire/element-mark.ts";
import { cases } from "../../proto/cases.ts";

const CALL = {
  tool: "browser_click",
  arguments: { ref: "e5" },
  profile: "core",
  role: "customer",
  session: "s1",
  tab: "t1",
} as const;
const SAVE = { ref: "e5", role: "button", name: "Save", tag: "button" };
const BY = { ref: "e8", role: "dialog", name: "Cookies", tag: "div" };
const LONG = "An order of many things ".repeat(40);

function meant<T extends ErrorType>(type: T, data: ErrorData[T]) {
  return intendedBy(detailOf(fail(type, data), CALL, 0));
}

const likeSave: ElementMark = markOf({ ref: "e77", role: "button", name: "Save" });
const candidate: ElementMark = markOf({ ref: "e9", role: "link", name: "Keep" });
const other: ElementMark = markOf({ ref: "e6", role: "button", name: "Delete" });
const refAlone: ElementMark = markOf({ ref: "e6" });
const candidates = [{ ref: "e9", role: "link", name: "Keep" }];

const CASES: [what: string, ReturnType<typeof intendedBy>, ElementMark | undefined, is: boolean][] = [
  ["an equal role and name after a stale ref", meant("STALE_REF", SAVE), likeSave, true],
  ["the candidate of a stale ref", meant("STALE_REF", { ...SAVE, candidates }), candidate, true],
  ["an element that is no candidate", meant("STALE_REF", SAVE), candidate, false],
  ["another name after a stale ref", meant("STALE_REF", { ...SAVE, candidates }), other, false],
  ["no element at all after a stale ref", meant("STALE_REF", SAVE), undefined, false],
  ["one of which only the ref is known", meant("STALE_REF", SAVE), refAlone, true],
  ["the same element, enabled", meant("ELEMENT_DISABLED", SAVE), markOf(SAVE), true],
  ["what covered the element", meant("ELEMENT_COVERED", { ...SAVE, by: BY }), markOf(BY), false],
  [
    "an element as it is now, where its plan leaves the choice",
    meant("ELEMENT_CHANGED", { ...SAVE, nowRole: "button", nowName: "Delete" }),
    other,
    true,
  ],
  [
    "an equal element after a ref of an earlier page",
    meant("UNKNOWN_REF", { ref: "e5", cause: "earlier-page", role: "button", name: "Save" }),
    likeSave,
    true,
  ],
  [
    "the same ref of another page",
    meant("UNKNOWN_REF", { ref: "e6", cause: "earlier-page", role: "button", name: "Save" }),
    other,
    false,
  ],
  [
    "a name too long for an error's details",
    meant("STALE_REF", { ...SAVE, name: LONG, candidates: Array(9).fill({ ...SAVE, name: LONG }) }),
    markOf({ ref: "e77", role: "button", name: LONG }),
    true,
  ],
  [
    "where the page takes the text instead",
    meant("ELEMENT_NOT_EDITABLE", { ...SAVE, focusGoesTo: { ...BY, ref: "e9" } }),
    candidate,
    true,
  ],
  [
    "the very one that takes no text",
    meant("ELEMENT_NOT_EDITABLE", { ...SAVE, focusGoesTo: BY }),
    likeSave,
    false,
  ],
];
for (const [what, which, element, is] of CASES) {
  test(`${what} is ${is ? "" : "not "}the intended element`, () => {
    assert.ok(which);
    assert.equal(isIntended(which, element && markFrom(markText(element))), is);
  });
}

test("errors without an element, or without facts on it, have no intended element", () => {
  assert.equal(meant("UNKNOWN_REF", { ref: "e99", cause: "unseen" }), undefined);
  assert.equal(meant("ELEMENT_NOT_EDITABLE", SAVE), undefined);
  const types = ["WORKER_RESTARTED", "BUSY", "AUTHENTICATION_EXPIRED", "TIMEOUT", "DIALOG_OPEN"] as const;
  for (const type of types) assert.equal(meant(type, cases[type] as never), undefined, type);
});

test("an element mark reveals nothing of the page", () => {
  assert.match(markText(markOf(SAVE)), /^e5 [\w-]{43}$/);
  assert.equal(markText(markOf({ ref: "f1_e3" })), "f1_e3");
});
