// Corrects a call with a wrong argument or an unknown tool.
import { quote } from "../../text/quote.ts";
import { findTool } from "../../tools/read-tools.ts";
import type { JsonObject } from "../../wire/struct.ts";
import type { FailedCall, Step } from "./step.ts";
import { again, callStep, say, tabOf } from "./step-words.ts";

/** How to see the roles if no tool lists them. */
export const ROLES_BY_MISTAKE =
  "Call select_role with a role's name: a wrong one is answered with those that there are";

export interface WrongArgument {
  argument: string;
  problem: string;
  /** The allowed names or words. */
  allowed?: string[];
  nearest?: string;
  example?: string;
  /** The correction in words: `with time at most 28`. */
  hint?: string;
  /** The likely cause, if it has nothing to do with the tool's schema. */
  likelyCause?: string;
  /** Taking a snapshot does what was meant. */
  look?: boolean;
  /** The changes of the call's arguments, if they are certain. Null removes an argument. */
  corrected?: JsonObject;
}

export interface WrongTool {
  tool: string;
  known: string[];
  nearest?: string;
  /** The smallest profile that has the tool, if this client's profile lacks it. */
  profile?: string;
  /** The advice if no call does the same. */
  instead?: string;
  /** `calls`: the calls that do the same, in order. */
  corrected?: { calls: { tool: string; arguments: JsonObject }[] };
}

/** Repeats the call, corrected. If the caller must choose, the steps say how to get what is missing. */
export function correction(data: WrongArgument, call: FailedCall): Step[] {
  if (data.corrected) return [patched(call, data.argument, data.corrected)];
  if (data.look) return lookInstead(data, call);
  const lookup = Object.hasOwn(LOOKUPS, data.argument) ? LOOKUPS[data.argument] : undefined;
  // If the possible values are known, no lookup is needed.
  const known = ["role", "tab"].includes(data.argument) && data.allowed;
  if (lookup && !known && findTool(call.tool)) return lookup(call);
  const value = data.allowed?.length
    ? `one of: ${data.allowed.join(", ")}`
    : data.example !== undefined
      ? `such as ${quote(data.example)}`
      : "corrected";
  const repeat = call.tool ? `Call ${call.tool} again` : "Send the request again";
  const corrected = say(`${repeat} ${data.hint ?? `with ${data.argument} ${value}`}`);
  // Until a header is right, every call is refused.
  if (!findTool(call.tool) || data.argument.startsWith(HEADER_PREFIX)) return [corrected];
  // The page shows best which value is right.
  return [callStep(call, "browser_snapshot", tabOf(call), "to see the page that the call is for"), corrected];
}

const HEADER_PREFIX = "x-troupe-";

function lookInstead({ hint }: WrongArgument, call: FailedCall): Step[] {
  return [
    callStep(call, "browser_snapshot", tabOf(call), "instead: it waits by itself until the page is quiet"),
    say(`If more is to be waited for, call ${call.tool} again ${hint ?? "with that"}`),
  ];
}

/** An element's role in place of one of Troupe's roles: browser_find(role: "button"). */
export function ariaRoleMeant(role: string, call: FailedCall): Step[] | undefined {
  if (call.tool !== "browser_find" || "ariaRole" in call.arguments || !ARIA_ROLES.has(role.toLowerCase()))
    return undefined;
  const { role: _role, ...others } = call.arguments;
  return [again({ ...call, arguments: others, ownRole: false }, { ariaRole: role.toLowerCase() })];
}

/** The roles that models look for. */
const ARIA_ROLES: ReadonlySet<string> = new Set(
  (
    "alert alertdialog article banner button cell checkbox columnheader combobox complementary contentinfo dialog " +
    "form grid gridcell group heading iframe image img link list listbox listitem main menu menubar menuitem " +
    "menuitemcheckbox menuitemradio navigation option paragraph progressbar radio radiogroup region row rowheader " +
    "search searchbox separator slider spinbutton status switch tab table tablist tabpanel textbox toolbar tooltip " +
    "tree treeitem"
  ).split(" "),
);

/** Returns the calls that do the same. */
export function insteadOf({ corrected, instead, known }: WrongTool, call: FailedCall): Step[] {
  const calls = (corrected?.calls ?? []).map(({ tool, arguments: args }) =>
    again({ ...call, tool, arguments: args, ownRole: false }, {}, "instead"),
  );
  if (instead && calls.length > 0) return [...calls, say(instead)];
  if (instead) return [callStep(call, "browser_snapshot", {}, "to see what the page shows"), say(instead)];
  if (calls.length > 0) return calls;
  return [
    callStep(call, "browser_snapshot", {}, "to see what can be done on the page"),
    say(`Use one of these tools instead: ${known.join(", ")}`),
  ];
}

/** Only the page or the daemon knows these values, so an example would be wrong. */
const LOOKUPS: Readonly<Record<string, (call: FailedCall) => Step[]>> = {
  ref: (call) => [
    callStep(call, "browser_snapshot", tabOf(call), "to see the elements and their refs"),
    say("Choose the element that is meant"),
    say(`Call ${call.tool} again with its ref`),
  ],
  tab: tabSteps,
  index: tabSteps,
  tabId: tabSteps,
  pageId: tabSteps,
  role: (call) => [
    callStep(call, "list_current_roles", {}, "to see the roles", ROLES_BY_MISTAKE),
    say(`Call ${call.tool} again with role as one of their names, or without role for the current one`),
  ],
};

function tabSteps(call: FailedCall): Step[] {
  return [
    callStep(
      call,
      "browser_tabs",
      { action: "list" },
      "to see the open tabs and their ids",
      "Tab ids look like t1, t2: replies name the tab that they speak of",
    ),
    say(`Call ${call.tool} again with tab as one of these ids, or without tab for the current one`),
  ];
}

/** Applies a JSON merge patch to the call's arguments (RFC 7396). The wrong argument is removed in any case. */
function patched(call: FailedCall, wrong: string, patch: JsonObject): Step {
  const { [wrong]: _wrong, ...others } = call.arguments;
  const kept = Object.entries(others).filter(([name]) => patch[name] !== null);
  const set = Object.entries(patch).filter(([, value]) => value !== null);
  const changed = set.filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(others[name]));
  return again({ ...call, arguments: Object.fromEntries([...kept, ...set]) }, Object.fromEntries(changed));
}
