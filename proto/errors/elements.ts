// Elements that are not what they were, or not ready to be acted on.

import { quote } from "../quote.ts";
import {
  again,
  CANDIDATE,
  type Candidate,
  callStep,
  type ElementData,
  type ErrorEntry,
  elementFacts,
  type FailedCall,
  named,
  type Step,
  say,
  tabOf,
} from "./entry.ts";

/** `candidates`: the element that is meant, where one alone can be; `alike`: how many have its role and name. */
interface Meant {
  candidates?: Candidate[];
  alike?: number;
}

interface Cover {
  by: ElementData;
  closer?: ElementData;
  controls?: Candidate[];
  asks?: boolean;
}

export interface ElementErrorData {
  STALE_REF: ElementData & Meant;
  /**
   * What the element is now; role, name and tag are what this session was told. `row` and `nowRow`: the text of its row,
   * list item or option, where that is what differs. `forgotten`: what was told is not known any more.
   */
  ELEMENT_CHANGED: ElementData &
    Meant & { nowRole: string; nowName: string; row?: string; nowRow?: string; forgotten?: boolean };
  /** `opener`: what shows the part of the page that it is in. */
  ELEMENT_NOT_VISIBLE: ElementData & { moving?: boolean; opener?: ElementData };
  /** `lacking`: the empty required fields and the unchecked boxes of its form; `guessed`: nothing says that they are required. */
  ELEMENT_DISABLED: ElementData & { lacking?: Candidate[]; guessed?: boolean };
  /**
   * `closer`: the button that closes what lies over it. `controls`: what can be pressed there, `asks`: and nothing else, so
   * that it waits for one of them.
   */
  ELEMENT_COVERED: ElementData & Cover;
  /** `file`: it takes files. `focusGoesTo`: where the page moves the focus when the field is given it. */
  ELEMENT_NOT_EDITABLE: ElementData & { readonly?: boolean; file?: boolean; focusGoesTo?: ElementData };
  /** `options`: the labels that can be chosen, at most 50. `disabled`: the one asked for is there, but cannot. */
  OPTION_NOT_FOUND: ElementData & {
    missing: string;
    options: string[];
    nearest?: string;
    disabled?: boolean;
  };
}

export const elements: { [T in keyof ElementErrorData]: ErrorEntry<ElementErrorData[T]> } = {
  STALE_REF: {
    title: "Stale Element Reference",
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
    category: "EXECUTION",
    code: "FAILED_PRECONDITION",
    recoverable: ({ file }) => !file,
    expected: true,
    message: (data) =>
      `Element ${data.ref} (${named(data)}) ${data.readonly ? "is read-only" : data.file ? "takes files, not text" : "takes no text"}.`,
    facts: elementFacts,
    why: ({ readonly, file, focusGoesTo }) => {
      if (readonly) return "The field is read-only.";
      if (file) return "This field takes files, and files cannot be chosen in this version.";
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

function whyNotEditable({ readonly, file, role, focusGoesTo }: ElementErrorData["ELEMENT_NOT_EDITABLE"]) {
  if (readonly) return "The page fills the field by itself, or unlocks it later";
  if (file) return "The page asks for a file there";
  if (focusGoesTo) return "The page opens an editor of its own for this field";
  return TICKED.has(role) || role === "button"
    ? `A ${role} is clicked, not typed into`
    : "The ref names a label or a container, not the field";
}

/** What is set by a click, and can mean nothing else. */
const TICKED: ReadonlySet<string> = new Set([
  "checkbox",
  "radio",
  "switch",
  "menuitemcheckbox",
  "menuitemradio",
]);

function editSteps(data: ElementErrorData["ELEMENT_NOT_EDITABLE"], call: FailedCall): Step[] {
  const { focusGoesTo, file, readonly, ref, role } = data;
  const shown = { ref: JSON.stringify(focusGoesTo?.ref) };
  if (focusGoesTo) return [again(call, { ref: CANDIDATE }, "where the page takes the text", shown)];
  if (file) return [say("Go on without the file, or ask whoever can choose it in a browser")];
  if (readonly) return unlockSteps(data, call);
  const click = (purpose: string) => callStep(call, "browser_click", { ref, ...tabOf(call) }, purpose);
  if (ref && TICKED.has(role)) return [click("to set it, unless it is already as it is to be")];
  const pressed = ref && role === "button" ? [click("if it is to be pressed")] : [];
  const field =
    call.tool === "browser_select_option"
      ? "the select (combobox or listbox with options)"
      : "the textbox, searchbox, combobox or spinbutton";
  const others = call.tool === "browser_select_option" ? "; browser_type fills other fields" : "";
  return [
    ...pressed,
    callStep(
      call,
      "browser_snapshot",
      tabOf(call),
      `to find the field that was meant${pressed.length ? ", if a text was to be typed" : ""}`,
    ),
    say(`Choose ${field} that was meant instead of ${named(data)}${others}`),
    say(`Call ${call.tool} again with its ref`),
  ];
}

/** The field may well be the one that was meant: it is to be unlocked, by the page or by a person. */
function unlockSteps(data: ElementErrorData["ELEMENT_NOT_EDITABLE"], call: FailedCall): Step[] {
  return [
    callStep(
      call,
      "browser_snapshot",
      tabOf(call),
      `to find what unlocks ${named(data)}, such as a button Edit, or the fields that the page makes its value of`,
    ),
    say(
      `Use that, or wait until the page has filled it, and call ${call.tool} again; if nothing unlocks it, ask who may change it`,
    ),
  ];
}

/** What is done to the element that was meant, where the steps themselves can say which one that is. */
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

/** What Escape closes on most pages. */
const LAYERS: ReadonlySet<string> = new Set(["dialog", "alertdialog", "menu", "listbox", "tooltip"]);

/** In the order in which they are tried: what is sure to close it, what may, what its reader has to choose. */
function waysOut({ by, closer, controls = [], asks }: Cover, call: FailedCall): Step[][] {
  const tab = tabOf(call);
  const close = closer
    ? callStep(
        call,
        "browser_click",
        { ref: closer.ref, ...tab },
        `to close ${named(by)} with ${named(closer)}`,
      )
    : undefined;
  const escape = callStep(call, "browser_press_key", { key: "Escape", ...tab }, `to close ${named(by)}`);
  const wait = callStep(
    call,
    "browser_wait_for",
    { ref: by.ref, state: "hidden", ...tab },
    `in case ${named(by)} goes by itself, as while a page loads; if it does not, close it first`,
  );
  const isLayer = LAYERS.has(by.role);
  // What stands in a frame, that frame alone knows.
  const isFrame = by.tag === "iframe";
  const answer = controls.length > 0 || isFrame ? [answerIt(by, controls, call)] : [];
  const waits = asks || isFrame;
  return [
    ...(close ? [[close, again(call)]] : []),
    ...(waits ? answer : []),
    ...(isLayer || close ? [[escape, again(call)]] : []),
    ...(isLayer && !waits ? answer : []),
    [wait, again(call)],
    ...(isLayer || waits ? [] : answer),
    ...(isLayer || close ? [] : [[escape, again(call)]]),
  ];
}

/** It is not for a plan to say which: each answer may do something. */
function answerIt(by: ElementData, controls: readonly Candidate[], call: FailedCall): Step[] {
  const clicks = controls.map(
    ({ ref, role, name }) => `browser_click(ref: "${ref}") for ${named({ role, name })}`,
  );
  return [
    callStep(call, "browser_snapshot", { ref: by.ref, ...tabOf(call) }, `to read ${named(by)}`),
    say(
      clicks.length > 0
        ? `Choose what answers or closes it, and call one of: ${clicks.join(", ")}`
        : "Choose what closes it, and call browser_click with its ref",
    ),
    say(`Then call ${call.tool} again`),
  ];
}

function list(controls: readonly Candidate[]): string {
  return controls.map((each) => `${named(each)} [ref=${each.ref}]`).join(", ");
}

/** The form is completed first: a box is ticked by a click, what stands in a field only its reader knows. */
function completeThenAgain(
  { lacking = [], guessed }: ElementErrorData["ELEMENT_DISABLED"],
  call: FailedCall,
): Step[] {
  const tab = tabOf(call);
  if (guessed)
    return [
      callStep(call, "browser_snapshot", tab, "to see what the form asks for"),
      say(`Fill or tick what it needs of ${list(lacking)}`),
      say(`Then call ${call.tool} again`),
    ];
  const boxes = lacking.filter(({ role }) => TICKED.has(role));
  const fields = lacking.filter(({ role }) => !TICKED.has(role));
  const tick = boxes.map((each) =>
    callStep(
      call,
      "browser_click",
      { ref: each.ref, ...tab },
      `to set ${named(each)}, which the form asks for`,
    ),
  );
  if (fields.length === 0) return [...tick, again(call)];
  const seen = callStep(call, "browser_snapshot", tab, "to see the form");
  return [
    ...(tick.length > 0 ? tick : [seen]),
    say(`Fill ${list(fields)}: browser_type(ref: …, text: …), or browser_select_option where it has options`),
    say(`Then call ${call.tool} again`),
  ];
}

/** By its name, where it may have been moved, renamed or not loaded yet. */
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

/** The label is the page's own; other values of the call may be secrets of its caller's. */
function withOption(call: FailedCall, missing: string, nearest: string): Step {
  const values = Array.isArray(call.arguments.values) ? call.arguments.values : undefined;
  if (!values) return again(call, { text: nearest }, "", { text: JSON.stringify(nearest) });
  const chosen = values.map((value) => (value === missing ? nearest : value));
  return values.length === 1
    ? again(call, { values: chosen }, "", { values: JSON.stringify(chosen) })
    : again(call, { values: chosen }, `with ${quote(nearest)}`);
}
