// Errors of calls that were wrong before anything was done.

import { named } from "../../text/named.ts";
import { quote } from "../../text/quote.ts";
import { findTool } from "../../tools/read-tools.ts";
import {
  ariaRoleMeant,
  correction,
  insteadOf,
  type WrongArgument,
  type WrongTool,
} from "../steps/correction.ts";
import { actOnRemembered, type Remembered, rememberedFacts, rememberedName } from "../steps/remembered.ts";
import type { Candidate, FailedCall, Step } from "../steps/step.ts";
import { again, callStep, say, tabOf } from "../steps/step-words.ts";
import type { ErrorEntry } from "./entry.ts";

/** Another role of the session, or another tab of this role, and the element that had the ref there. */
export interface Elsewhere {
  role?: string;
  tab?: string;
  element?: { role: string; name: string };
}

export interface ValidationData {
  INVALID_ARGUMENT: WrongArgument;
  UNKNOWN_TOOL: WrongTool;
  UNKNOWN_ROLE: { role: string; roles: string[]; nearest?: string };
  UNKNOWN_TAB: { tab: string; tabs: string[] };
  /**
   * malformed: not a ref; earlier-page: delivered from a document that is gone; unseen: never delivered to this
   * session. `elsewhere`: places where the session got this ref. `called`: elements whose name is the text given as the
   * ref.
   */
  UNKNOWN_REF: {
    ref: string;
    cause: "malformed" | "earlier-page" | "unseen";
    elsewhere?: Elsewhere[];
    called?: Candidate[];
  } & Remembered;
  /**
   * `opener`: the tab that opened this one. `forward`: there is nothing after the page. `steps`: the session has
   * recorded no steps, and `url` is where its role begins.
   */
  NO_HISTORY: { url: string; opener?: string; forward?: boolean; steps?: boolean };
  NO_DIALOG: { tab: string };
  /** `size` and `limit` in bytes. */
  /** `file`: the result is a file of this name, which can be written where the client runs. */
  RESULT_TOO_LARGE: { size: number; limit: number; file?: string };
}

export const validation: { [T in keyof ValidationData]: ErrorEntry<ValidationData[T]> } = {
  INVALID_ARGUMENT: {
    title: "Invalid Argument",
    example: {
      argument: "buton",
      problem: "browser_click has no argument buton",
      allowed: ["button"],
      nearest: "button",
    },
    category: "VALIDATION",
    code: "INVALID_ARGUMENT",
    recoverable: true,
    expected: true,
    message: ({ argument, problem }) => `Invalid argument ${argument}: ${problem}.`,
    facts: ({ argument, allowed, example }, { tool }) => [
      ...(tool ? [["Tool", tool] as [string, string]] : []),
      ["Argument", argument],
      ...(allowed?.length ? [["Allowed", allowed.join(", ")] as [string, string]] : []),
      ...(example !== undefined ? [["Example", quote(example)] as [string, string]] : []),
    ],
    why: ({ problem }) => `${problem}.`,
    causes: ({ nearest, likelyCause }) => [
      ...(nearest ? [`A typing mistake: ${nearest} was probably meant`] : []),
      likelyCause ?? "An argument's name or type was guessed instead of taken from the tool's schema",
    ],
    steps: correction,
  },
  UNKNOWN_TOOL: {
    title: "Unknown Tool",
    example: { tool: "browser_clik", nearest: "browser_click", known: ["browser_click"] },
    category: "VALIDATION",
    code: "UNIMPLEMENTED",
    recoverable: true,
    expected: true,
    message: ({ tool, profile }) =>
      `Unknown tool: ${tool}.${profile ? ` It is part of the ${profile} profile.` : ""}`,
    facts: ({ tool, profile }) => [
      ["Tool", tool],
      ...(profile ? [["Profile that has it", profile] as [string, string]] : []),
    ],
    why: ({ profile }, call) =>
      profile
        ? `This tool is part of the ${profile} profile; this client has the ${call.profile} profile.`
        : "There is no tool of that name.",
    causes: ({ profile }) => [
      profile
        ? "The client was started with a smaller profile"
        : "The tool's name belongs to another server or was misspelt",
    ],
    steps: insteadOf,
  },
  UNKNOWN_ROLE: {
    title: "Unknown Role",
    example: { role: "costumer", roles: ["visitor", "customer"], nearest: "customer" },
    category: "VALIDATION",
    code: "NOT_FOUND",
    recoverable: true,
    expected: true,
    message: ({ role, roles }) => `Unknown role: ${role}. The roles are ${roles.join(", ")}.`,
    facts: ({ role, roles }) => [
      ["Role", role],
      ["Roles", roles.join(", ")],
    ],
    why: () => "The configuration has no role of that name, or this client may not use it.",
    causes: ({ nearest }) => [
      nearest ? `A typing mistake: ${nearest} was probably meant` : "The role's name was guessed",
      "The role was removed from the configuration",
    ],
    steps: (data, call) => ariaRoleMeant(data.role, call) ?? roleSteps(data, call),
  },
  UNKNOWN_TAB: {
    title: "Unknown Tab",
    example: { tab: "t9", tabs: ["t1", "t2"] },
    category: "VALIDATION",
    code: "NOT_FOUND",
    recoverable: true,
    expected: true,
    message: ({ tab, tabs }) => `Unknown tab: ${tab}. Open tabs: ${tabs.join(", ") || "none"}.`,
    facts: ({ tab, tabs }) => [
      ["Tab", tab],
      ["Open tabs", tabs.join(", ") || "none"],
    ],
    why: () => "This session has no such tab open in this role.",
    causes: () => [
      "The tab was closed, by the page or by a call",
      "The tab belongs to another role or session",
    ],
    steps: ({ tabs }, call) => [
      callStep(
        call,
        "browser_tabs",
        { action: "list" },
        "to see the open tabs",
        `The open tabs are: ${tabs.join(", ") || "none"}`,
      ),
      tabs.length === 1 && tabs[0]
        ? again(call, { tab: tabs[0] })
        : say(`Call ${call.tool} again with one of these tabs, or without tab for the current one`),
    ],
  },
  UNKNOWN_REF: {
    title: "Unknown Element Reference",
    example: { ref: "e99", cause: "unseen" },
    category: "VALIDATION",
    code: "NOT_FOUND",
    recoverable: true,
    expected: true,
    message: ({ ref }) =>
      `Unknown element reference: ${ref}. Ref may be stale after navigation. Take a new snapshot to get fresh refs.`,
    facts: (data) => [
      ["Reference", data.ref],
      ...rememberedFacts(data),
      ...(data.elsewhere ?? []).map((each): [string, string] => ["Was given in", placeIn(each)]),
    ],
    why: ({ cause, elsewhere = [] }) =>
      elsewhere.length > 0
        ? "This reference was given in another place of this session than the one that the call is in."
        : {
            malformed: "This is no element reference: they look like e5, or f1_e3 inside a frame.",
            "earlier-page":
              "This reference doesn't exist in the current snapshot: it was given for a page that is gone.",
            unseen: "This reference doesn't exist in the current snapshot.",
          }[cause],
    causes: ({ cause, elsewhere = [] }) =>
      elsewhere.length > 0
        ? ["The call does not name the role or tab that the ref is of, and another one is the current one"]
        : {
            malformed: ["Typo in the ref name", "A selector or a label was given instead of a ref"],
            "earlier-page": ["Using a ref from an old snapshot (stale after navigation)"],
            unseen: [
              "Typo in the ref name",
              "Using a ref from an old snapshot or another tab or role",
              "Element not yet loaded or not interactive",
            ],
          }[cause],
    steps: (data, call) =>
      inItsPlace(data, call) ?? [
        callStep(call, "browser_snapshot", tabOf(call), "to see currently available elements"),
        ...(actOnRemembered(data, call) ??
          chooseCalled(data, call) ?? [
            say(`Find ${rememberedName(data)} in the new snapshot`),
            say(`Use the correct ref from the latest snapshot: call ${call.tool} again with it`),
          ]),
      ],
    otherwise: ({ role = "", name = "" }, call) =>
      name === ""
        ? []
        : [
            [
              callStep(call, "browser_find", { text: name, ...tabOf(call) }, "to look for it by its name"),
              say(`Call ${call.tool} with the ref of ${named({ role, name })}, if it is there`),
            ],
          ],
    lastly: (data) =>
      `Ask the person whom this work is for what was meant by ${quote(data.ref)}: the page has nothing of that ref`,
    candidates: (data) => data.candidates ?? [],
  },
  NO_HISTORY: {
    title: "Nothing There In The History",
    example: { url: "https://shop.example/" },
    category: "VALIDATION",
    code: "FAILED_PRECONDITION",
    recoverable: true,
    expected: true,
    message: ({ url, forward, steps }) =>
      steps ? NO_STEPS : `The tab's history has nothing ${forward ? "after" : "before"} ${url}.`,
    facts: ({ url, steps }) => (steps ? [] : [["Page", url]]),
    why: ({ forward, steps }) =>
      steps ? NO_STEPS : `This is the ${forward ? "last" : "first"} page of the tab.`,
    causes: ({ opener, forward, steps }) =>
      steps
        ? NO_STEPS_CAUSES
        : [
            ...(forward ? ["The tab did not go back before, or has opened another page since"] : []),
            opener ? `The page was opened in a new tab, from ${opener}` : "The page was opened in a new tab",
            "The role's worker was restarted, which loses the history",
          ],
    steps: (data, call) => (data.steps ? stepsToRecord(data.url, call) : otherPage(data.opener, call)),
  },
  NO_DIALOG: {
    title: "No Dialog Open",
    example: { tab: "t1" },
    category: "VALIDATION",
    code: "FAILED_PRECONDITION",
    recoverable: true,
    expected: true,
    message: ({ tab }) => `No dialog is open in ${tab}.`,
    facts: ({ tab }) => [["Tab", tab]],
    why: () => "There is nothing to accept or dismiss.",
    causes: () => [
      "The dialog was answered already",
      "The page shows a dialog of its own, which is part of the page: use its buttons",
    ],
    steps: (_data, call) => [callStep(call, "browser_snapshot", tabOf(call), "to see the page as it is")],
  },
  RESULT_TOO_LARGE: {
    title: "Result Too Large",
    example: { size: 70_000_000, limit: 64_000_000 },
    category: "VALIDATION",
    code: "RESOURCE_EXHAUSTED",
    recoverable: true,
    expected: true,
    message: ({ size, limit }) => `The result has ${size} bytes; at most ${limit} are sent.`,
    facts: ({ size, limit }) => [
      ["Size", `${size} bytes`],
      ["Limit", `${limit} bytes`],
    ],
    why: () => "The result does not fit into one reply.",
    causes: ({ file }) =>
      file === undefined
        ? ["The page is very large", "The arguments ask for all of it"]
        : ["The file is large"],
    steps: ({ file }, call) =>
      file !== undefined
        ? [again(call, { path: file }, "to write it to a file")]
        : [
            call.tool === "browser_snapshot"
              ? withinDefaultBudget(call)
              : callStep(call, "browser_snapshot", tabOf(call), "to see the page, as much of it as fits"),
            ...(call.tool === "browser_snapshot"
              ? []
              : [say(`Call ${call.tool} again with narrower arguments`)]),
          ],
  },
};

/** Repeats the call where its ref was delivered. The reader chooses if there are several places. */
function inItsPlace({ elsewhere = [], candidates = [] }: ValidationData["UNKNOWN_REF"], call: FailedCall) {
  const [only, ...others] = elsewhere;
  if (!only || candidates.length > 0) return undefined;
  const there = ({ role, tab }: Elsewhere) =>
    again(
      call,
      { ...(role && { role }), ...(tab && { tab }) },
      `for ${placeIn({ role, tab })}, where this ref was given`,
    );
  if (others.length === 0) {
    const { element, ...place } = only;
    const step = there(place);
    return [{ ...step, text: element ? `${step.text}: ${named(element)}` : step.text }];
  }
  return [
    callStep(call, "browser_tabs", { action: "list" }, "to see the open tabs"),
    say(`Choose which is meant: ${elsewhere.map(placeIn).join("; or ")}`),
    say(`Call ${call.tool} again with that role or tab`),
  ];
}

function placeIn({ role, tab, element }: Elsewhere): string {
  const place = [...(role ? [`role ${role}`] : []), ...(tab ? [`tab ${tab}`] : [])].join(", ");
  return element ? `${place} (${named(element)})` : place;
}

/** Several elements have the name that was given as the ref. */
function chooseCalled({ called = [] }: ValidationData["UNKNOWN_REF"], call: FailedCall): Step[] | undefined {
  if (called.length === 0) return undefined;
  const list = called.map((each) => `${named(each)} [ref=${each.ref}]`).join(", ");
  return [say(`Choose the one that is meant: ${list}`), say(`Call ${call.tool} again with its ref`)];
}

function roleSteps({ roles, nearest }: ValidationData["UNKNOWN_ROLE"], call: FailedCall): Step[] {
  const there = `The roles are: ${roles.join(", ")}`;
  if (!findTool(call.tool))
    return [say(there), say(`Do the same again with ${nearest ? `role ${nearest}` : "one of them"}`)];
  const look = callStep(call, "list_current_roles", {}, "to see the roles", there);
  return [look, ...(nearest ? inNearest(call, nearest) : [say(chooseRole(call))])];
}

/** A role for one call alone must not change the current role. */
function isForThisCall(call: FailedCall): boolean {
  return call.ownRole === true || "role" in call.arguments;
}

function inNearest(call: FailedCall, nearest: string): Step[] {
  if (call.tool === "select_role" || isForThisCall(call)) return [again(call, { role: nearest })];
  return [callStep(call, "select_role", { role: nearest }, "or give role in the call itself"), again(call)];
}

function chooseRole(call: FailedCall): string {
  if (call.tool === "select_role") return "Choose one of them and call select_role(role: …)";
  return isForThisCall(call)
    ? `Choose one of them and call ${call.tool} again with role: …`
    : `Choose one of them, call select_role(role: …), and then ${call.tool} again`;
}

/** The default budget fits any reply. */
function withinDefaultBudget(call: FailedCall): Step {
  const { maxTokens: _maxTokens, ...others } = call.arguments;
  return again({ ...call, arguments: others });
}

const NO_STEPS = "This session has recorded no steps in this role.";
const NO_STEPS_CAUSES = [
  "Nothing was opened, clicked or typed yet: reading a page is no step",
  "The steps were made in another session or role",
];

/** There must be a step before it can be exported. */
function stepsToRecord(url: string, call: FailedCall): Step[] {
  const first =
    url === ""
      ? say("Call browser_navigate(url: …) with the address where the test begins")
      : callStep(
          call,
          "browser_navigate",
          { url },
          "to begin the test where the role begins",
          "Open the page where the test begins",
        );
  return [first, say("Do what the test is to do"), again(call)];
}

/** The page that was meant is another one: that of the opener, or one to navigate to. */
function otherPage(opener: string | undefined, call: FailedCall): Step[] {
  if (opener)
    return [
      callStep(
        call,
        "browser_tabs",
        { action: "select", tab: opener },
        "for the page that opened this one",
        `The page that opened this one is in tab ${opener}: call browser_snapshot(tab: "${opener}")`,
      ),
    ];
  return [
    callStep(call, "browser_snapshot", tabOf(call), "to see the page as it is; a link of it may lead there"),
    say("Call browser_navigate(url: …) with the address of the page that was meant"),
  ];
}
