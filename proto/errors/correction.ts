// How a call with a wrong argument is made right, and one of a tool that is not there.
import { quote } from "../text/quote.ts";
import { findTool } from "../tools/catalogue.ts";
import type { JsonObject } from "../wire/struct.ts";
import { again, callStep, type FailedCall, type Step, say, tabOf } from "./entry.ts";

/** How to see the roles where no tool lists them. */
export const ROLES_BY_MISTAKE =
  "Call select_role with a role's name: a wrong one is answered with those that there are";

export interface WrongArgument {
  argument: string;
  problem: string;
  /** The names or words that are allowed. */
  allowed?: string[];
  nearest?: string;
  example?: string;
  /** How the call is made right, in words: `with time at most 28`. */
  hint?: string;
  /** How it may have come to this, where the tool's schema has nothing to do with it. */
  likelyCause?: string;
  /** What was meant is done by looking at the page. */
  look?: boolean;
  /** What changes in the call's arguments, where that is certain; null: goes. */
  corrected?: JsonObject;
}

export interface WrongTool {
  tool: string;
  known: string[];
  nearest?: string;
  /** The smallest profile that has the tool, where this client's lacks it. */
  profile?: string;
  /** What to do where no call does the same. */
  instead?: string;
  /** `calls`: those that do the same, in order. */
  corrected?: { calls: { tool: string; arguments: JsonObject }[] };
}

/** The call once more, corrected; where the caller must choose, how to come by what it lacks. */
export function correction(data: WrongArgument, call: FailedCall): Step[] {
  if (data.corrected) return [patched(call, data.argument, data.corrected)];
  if (data.look) return lookInstead(data, call);
  const lookup = Object.hasOwn(LOOKUPS, data.argument) ? LOOKUPS[data.argument] : undefined;
  // Where it is known what there is, nothing has to be looked up.
  const known = ["role", "tab"].includes(data.argument) && data.allowed;
  if (lookup && !known && findTool(call.tool)) return lookup(call);
  const value = data.allowed?.length
    ? `one of: ${data.allowed.join(", ")}`
    : data.example !== undefined
      ? `such as ${quote(data.example)}`
      : "corrected";
  const repeat = call.tool ? `Call ${call.tool} again` : "Send the request again";
  const corrected = say(`${repeat} ${data.hint ?? `with ${data.argument} ${value}`}`);
  if (!findTool(call.tool)) return [corrected];
  // What is right there, the page says best.
  return [callStep(call, "browser_snapshot", tabOf(call), "to see the page that the call is for"), corrected];
}

function lookInstead({ hint }: WrongArgument, call: FailedCall): Step[] {
  return [
    callStep(call, "browser_snapshot", tabOf(call), "instead: it waits by itself until the page is quiet"),
    say(`If more is to be waited for, call ${call.tool} again ${hint ?? "with that"}`),
  ];
}

/** The role of an element where a role of Troupe stands: browser_find(role: "button"). */
export function ariaRoleMeant(role: string, call: FailedCall): Step[] | undefined {
  if (call.tool !== "browser_find" || "ariaRole" in call.arguments || !ARIA_ROLES.has(role.toLowerCase()))
    return undefined;
  const { role: _role, ...others } = call.arguments;
  return [again({ ...call, arguments: others, ownRole: false }, { ariaRole: role.toLowerCase() })];
}

/** Those that models look for. */
const ARIA_ROLES: ReadonlySet<string> = new Set(
  (
    "alert alertdialog article banner button cell checkbox columnheader combobox complementary contentinfo dialog " +
    "form grid gridcell group heading iframe image img link list listbox listitem main menu menubar menuitem " +
    "menuitemcheckbox menuitemradio navigation option paragraph progressbar radio radiogroup region row rowheader " +
    "search searchbox separator slider spinbutton status switch tab table tablist tabpanel textbox toolbar tooltip " +
    "tree treeitem"
  ).split(" "),
);

/** The calls that do the same. */
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

/** What only the page or the daemon can tell: an example of it would be wrong. */
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

/** The call with a JSON merge patch of its arguments (RFC 7396); what was wrong goes in any case. */
function patched(call: FailedCall, wrong: string, patch: JsonObject): Step {
  const { [wrong]: _wrong, ...others } = call.arguments;
  const kept = Object.entries(others).filter(([name]) => patch[name] !== null);
  const set = Object.entries(patch).filter(([, value]) => value !== null);
  const changed = set.filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(others[name]));
  return again({ ...call, arguments: Object.fromEntries([...kept, ...set]) }, Object.fromEntries(changed));
}
