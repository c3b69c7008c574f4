// Errors of elements that have changed or are not ready for an action.

import { named } from "../../text/named.ts";
import { quote } from "../../text/quote.ts";
import { type Cover, LAYERS, waysOut } from "../steps/cover.ts";
import { editSteps, type NotEditable, whyNotEditable } from "../steps/editing.ts";
import { completeThenAgain, type Incomplete, list } from "../steps/form.ts";
import type { Candidate, ElementData, FailedCall, Step } from "../steps/step.ts";
import { again, CANDIDATE, callStep, say, tabOf } from "../steps/step-words.ts";
import type { ErrorEntry } from "./entry.ts";

/**
 * `candidates`: the intended element, if only one is possible. `alike`: the number of elements with its role and name.
 */
interface Meant {
  candidates?: Candidate[];
  alike?: number;
}

export interface ElementErrorData {
  STALE_REF: ElementData & Meant;
  /**
   * `nowRole` and `nowName` describe the element now; role, name and tag are as delivered. `row` and `nowRow`: the text
   * of its row, list item or option, if that differs. `forgotten`: the delivered data is not known any more.
   */
  ELEMENT_CHANGED: ElementData &
    Meant & { nowRole: string; nowName: string; row?: string; nowRow?: string; forgotten?: boolean };
  /** `opener`: the element that shows its part of the page. */
  ELEMENT_NOT_VISIBLE: ElementData & { moving?: boolean; opener?: ElementData };
  /**
   * `lacking`: the form's empty required fields and unchecked boxes. `guessed`: the page does not mark them as
   * required.
   */
  ELEMENT_DISABLED: ElementData & Incomplete;
  /**
   * `closer`: the button that closes the cover. `controls`: the controls that can be pressed in it. `asks`: nothing
   * else can be pressed, so it waits for one of them.
   */
  ELEMENT_COVERED: ElementData & Cover;
  /** `file`: it takes files. `focusGoesTo`: the page moves the focus there from the field. */
  ELEMENT_NOT_EDITABLE: NotEditable;
  /** `options`: the labels that can be chosen, at most 50. `disabled`: the wanted option exists but is disabled. */
  OPTION_NOT_FOUND: ElementData & {
    missing: string;
    options: string[];
    nearest?: string;
    disabled?: boolean;
  };
}

const EXAMPLE: ElementData = { ref: "e5", role: "button", name: "Submit", tag: "button" };

export const elements: { [T in keyof ElementErrorData]: ErrorEntry<ElementErrorData[T]> } = {
  STALE_REF: {
    title: "Stale Element Reference",
    example: { ...EXAMPLE, candidates: [{ ref: "e31", role: "button", name: "Submit" }] },
    category: "EXECUTION",
    code: "FAILED_PRECONDITION",
    recoverable: true,
    expected: "This is often normal on pages that update themselves.",
    message: (data) =>
      `Element ${data.ref} (${named(data)}) was removed from DOM. Take a new snapshot() to refresh refs.`,
    facts: elementFacts,
    why: () => "The element was removed from the page after the snapshot that named it.",
    causes: () => [
      "The page re-rendered this part (a dynamic content update)",
      "An earlier action removed it (closed a dialog, deleted a row)",
      "A route change of a single-page app replaced the content",
    ],
    steps: (data, call) => {
      const look = callStep(call, "browser_snapshot", tabOf(call), "to get fresh element references");
      return [look, ...actOnMeant(data, call)];
    },
    otherwise: searchFor,
    candidates: (data) => data.candidates ?? [],
  },
  ELEMENT_CHANGED: {
    title: "Element Changed",
    example: { ...EXAMPLE, nowRole: "button", nowName: "Delete Bob" },
    category: "EXECUTION",
    code: "FAILED_PRECONDITION",
    recoverable: true,
    expected: "This is often normal in lists that reuse their rows.",
    message: (data) =>
      data.forgotten
        ? `Element ${data.ref} is ${isNow(data)}; what it was when it was told is no longer known.`
        : `Element ${data.ref} was ${named(data)}${inRow(data.row)} and is now ${isNow(data)}.`,
    facts: (data) => [
      ...elementFacts(data),
      ...(data.row === undefined ? [] : [["Was in", quote(data.row)] as [string, string]]),
      ["Is now", isNow(data)],
    ],
    why: ({ forgotten }) =>
      forgotten
        ? "The page has changed much since this ref was told, and it may name another element now; nothing was done to it."
        : "The element under this ref is no longer what the last snapshot said; nothing was done to it.",
    causes: () => [
      "The page reused the element for other content (a virtual or sorted list)",
      "The element's label changed with its state",
    ],
    steps: (data, call) => [
      callStep(call, "browser_snapshot", tabOf(call), "to see where things are now"),
      ...(data.candidates?.length ? actOnMeant(data, call) : chooseMeant(data, call)),
    ],
    otherwise: searchFor,
    candidates: (data) => data.candidates ?? [],
  },
  ELEMENT_NOT_VISIBLE: {
    title: "Element Not Visible",
    example: EXAMPLE,
    category: "EXECUTION",
    code: "FAILED_PRECONDITION",
    recoverable: true,
    expected: "This is often normal while a page opens or closes a part of itself.",
    message: (data) =>
      `Element ${data.ref} (${named(data)}) ${data.moving ? "does not stand still" : "is not visible"}.`,
    facts: elementFacts,
    why: ({ moving }) =>
      moving
        ? "The element kept moving, so a click could have met another."
        : "The element is part of the page but not shown, so it cannot be acted on.",
    causes: ({ moving, opener }) => {
      if (moving) return ["An animation moves it", "The page has not finished loading"];
      if (opener) return [`It is in a part of the page that ${named(opener)} opens and closes`];
      return ["It is in a closed menu, tab, accordion or dialog", "The page has not finished loading"];
    },
    steps: (data, call) =>
      data.opener
        ? [openStep(data.opener, call), again(call)]
        : data.moving
          ? [again(call, {}, "after 1000 ms, when it stands still")]
          : waitThenAgain(data, call, "visible"),
    otherwise: (data, call) => [
      waitThenAgain(data, call, "visible"),
      [
        callStep(
          call,
          "browser_snapshot",
          tabOf(call),
          "to see which menu, tab or part of the page is closed",
        ),
        say(`Open the one that ${named(data)} is in, and call ${call.tool} again`),
      ],
    ],
    retry: ({ moving }) => (moving ? { afterMs: 1000, sameCall: true } : undefined),
  },
  ELEMENT_DISABLED: {
    title: "Element Disabled",
    example: EXAMPLE,
    category: "EXECUTION",
    code: "FAILED_PRECONDITION",
    recoverable: true,
    expected: "This is often normal until a form is complete.",
    message: (data) => `Element ${data.ref} (${named(data)}) is disabled.`,
    facts: (data) => [
      ...elementFacts(data),
      ...(data.lacking?.length ? [["Lacking", list(data.lacking)] as [string, string]] : []),
    ],
    why: ({ lacking = [] }) =>
      lacking.length > 0
        ? "The page does not let this element be used now; its form is not complete."
        : "The page does not let this element be used now.",
    causes: () => [
      "A required field is empty or invalid",
      "The page is still working on something",
      "The user of this role may not do this",
    ],
    steps: (data, call) =>
      data.lacking?.length ? completeThenAgain(data, call) : waitThenAgain(data, call, "enabled"),
    otherwise: (data, call) => [
      waitThenAgain(data, call, "enabled"),
      [
        callStep(call, "browser_snapshot", tabOf(call), "to see what the page asks for first"),
        say(`Do that, and call ${call.tool} again`),
      ],
    ],
    lastly: (data) =>
      `Tell the person whom this work is for that ${named(data)} stays disabled: the page wants something first, or the login of this role may not do it`,
  },
  ELEMENT_COVERED: {
    title: "Element Covered",
    example: { ...EXAMPLE, by: { ref: "e77", role: "dialog", name: "Cookies", tag: "div" } },
    category: "EXECUTION",
    code: "FAILED_PRECONDITION",
    recoverable: true,
    expected: "This is often normal while a dialog, a menu or a banner is open.",
    message: (data) =>
      `Element ${data.ref} (${named(data)}) is covered by ${named(data.by)}${data.by.ref ? ` [ref=${data.by.ref}]` : ""}.`,
    facts: (data) => [
      ...elementFacts(data),
      ["Covered by", `${named(data.by)}${data.by.ref ? ` [ref=${data.by.ref}]` : ""}`],
      ...(data.controls?.length ? [["Controls in it", list(data.controls)] as [string, string]] : []),
    ],
    why: () => "A click would have met the element that lies on top; nothing was clicked.",
    causes: ({ by, closer }) =>
      closer || LAYERS.has(by.role)
        ? ["A dialog, menu, cookie banner or overlay is open"]
        : ["The page shows that it is loading", "A sticky header or footer, or an overlay, lies over it"],
    steps: (data, call) => waysOut(data, call)[0] ?? [],
    otherwise: (data, call) => waysOut(data, call).slice(1),
    lastly: ({ by, controls = [] }) =>
      `Ask the person whom this work is for what is to become of ${named(by)}${controls.length > 0 ? ` (${list(controls)})` : ""}, which lies over the page and did not go`,
  },
  ELEMENT_NOT_EDITABLE: {
    title: "Element Not Editable",
    example: { ...EXAMPLE, readonly: true },
    category: "EXECUTION",
    code: "FAILED_PRECONDITION",
    recoverable: ({ file }) => !file,
    expected: true,
    message: (data) =>
      `Element ${data.ref} (${named(data)}) ${data.readonly ? "is read-only" : data.file ? "takes files, not text" : "takes no text"}.`,
    facts: elementFacts,
    why: ({ readonly, file, focusGoesTo }) => {
      if (readonly) return "The field is read-only.";
      if (file) return "This field takes files.";
      return focusGoesTo
        ? `The page moves the focus on to ${named(focusGoesTo)}, where the text would have gone; nothing was typed.`
        : "This element takes no text and has no options.";
    },
    causes: (data) => [whyNotEditable(data)],
    candidates: ({ focusGoesTo }) =>
      focusGoesTo ? [{ ref: focusGoesTo.ref, role: focusGoesTo.role, name: focusGoesTo.name }] : [],
    steps: editSteps,
    lastly: (data) =>
      data.readonly
        ? `Tell the person whom this work is for that ${named(data)} is read-only: whoever may change it has to unlock it`
        : `Tell the person whom this work is for that ${named(data)} takes no text, and ask which field was meant`,
  },
  OPTION_NOT_FOUND: {
    title: "Option Not Found",
    example: { ...EXAMPLE, missing: "Gren", options: ["Green", "Blue"], nearest: "Green" },
    category: "EXECUTION",
    code: "FAILED_PRECONDITION",
    recoverable: true,
    expected: true,
    message: (data) =>
      data.disabled
        ? `The option ${quote(data.missing)} of ${named(data)} is disabled.`
        : hasNone(data)
          ? `${named(data)} shows no options.`
          : `${named(data)} has no option ${quote(data.missing)}.`,
    facts: (data) => [
      ...elementFacts(data),
      ["Asked for", quote(data.missing)],
      ["Options", data.options.map((option) => quote(option, 100)).join(", ") || "none"],
    ],
    why: (data) => {
      if (data.disabled) return "The option is there, but cannot be chosen now.";
      if (hasNone(data)) return "It shows no options, also once it was clicked.";
      return "None of its options that can be chosen has that label or value.";
    },
    causes: (data) => [
      ...(data.disabled || hasNone(data)
        ? []
        : [data.nearest ? `${quote(data.nearest)} was probably meant` : "The label was guessed"]),
      ...(hasNone(data) ? ["It is filled later, or once something is typed"] : []),
      "The options depend on another field",
    ],
    lastly: (data) => `Ask the person whom this work is for which of the options of ${named(data)} is meant`,
    steps: (data, call) =>
      hasNone(data)
        ? [
            callStep(call, "browser_click", { ref: data.ref, ...tabOf(call) }, "to see what it offers"),
            say(`Call browser_click with the ref of the option ${quote(data.missing)} in the reply`),
          ]
        : data.nearest === undefined
          ? [
              callStep(call, "browser_snapshot", { ref: data.ref, ...tabOf(call) }, `to see ${named(data)}`),
              say(
                `${data.disabled ? "Set first what makes it available, or call" : "Call"} ${call.tool} again with one of the options above`,
              ),
            ]
          : [withOption(call, data.missing, data.nearest)],
  },
};

function hasNone({ options, disabled }: ElementErrorData["OPTION_NOT_FOUND"]): boolean {
  return options.length === 0 && !disabled;
}

/** Acts on the intended element, if the steps can say which one that is. */
function actOnMeant(data: ElementData & Meant, call: FailedCall): Step[] {
  const likely = data.candidates?.[0];
  if (!likely && (data.alike ?? 0) > 0) return chooseMeant(data, call);
  return [
    say(`Find ${named(data)} in it${likely ? ` (likely ${likely.ref})` : ""}`),
    again(call, { ref: CANDIDATE }, "", likely ? { ref: JSON.stringify(likely.ref) } : {}),
  ];
}

function chooseMeant(
  data: ElementData & Meant & { nowRole?: string; row?: string },
  call: FailedCall,
): Step[] {
  const same = data.nowRole === undefined ? "" : `, or ${data.ref} itself as it is now`;
  const what = data.row === undefined ? named(data) : `${named(data)}${inRow(data.row)}`;
  return [say(`Choose the element that was meant: ${what}${same}`), say(`Call ${call.tool} with its ref`)];
}

/** Searches by name, because the element may have been moved, renamed or not loaded yet. */
function searchFor(data: ElementData & Meant, call: FailedCall): Step[][] {
  if (data.name === "") return [];
  const find = callStep(
    call,
    "browser_find",
    { text: data.name, ...tabOf(call) },
    `to look for ${named(data)}`,
  );
  if (!find.tool) return [];
  return [[find, ...chooseMeant(data, call)]];
}

function openStep(opener: ElementData, call: FailedCall): Step {
  return callStep(
    call,
    "browser_click",
    { ref: opener.ref, ...tabOf(call) },
    `to open with ${named(opener)} the part that it is in`,
  );
}

function inRow(row: string | undefined): string {
  return row === undefined ? "" : ` in ${quote(row)}`;
}

function isNow({ nowRole, nowName, nowRow }: ElementErrorData["ELEMENT_CHANGED"]): string {
  return `${named({ role: nowRole, name: nowName })}${inRow(nowRow)}`;
}

function waitThenAgain(data: ElementData, call: FailedCall, state: string): Step[] {
  return [
    callStep(
      call,
      "browser_wait_for",
      { ref: data.ref, state, ...tabOf(call) },
      `or do first what makes it ${state}`,
    ),
    again(call),
  ];
}

/** The label is the page's own. Other values of the call may be the caller's secrets. */
function withOption(call: FailedCall, missing: string, nearest: string): Step {
  const name = ["values", "value"].find((each) => each in call.arguments) ?? "text";
  const given = call.arguments[name];
  if (!Array.isArray(given)) return again(call, { [name]: nearest }, "", { [name]: JSON.stringify(nearest) });
  const chosen = given.map((value) => (value === missing ? nearest : value));
  return given.length === 1
    ? again(call, { [name]: chosen }, "", { [name]: JSON.stringify(chosen) })
    : again(call, { [name]: chosen }, `with ${quote(nearest)}`);
}

/** The facts of an element that head a text. */
function elementFacts(data: ElementData): [string, string][] {
  return [
    ["Element", data.ref],
    ["Type", data.role || "generic"],
    ["Label", quote(data.name)],
    ["Tag", `<${data.tag}>`],
  ];
}
