// debugger_breakpoint: sets, removes and lists breakpoints and logpoints of the session.
import { fail } from "../../../proto/errors/catalogue.ts";
import type { DebuggerBreakpointRequest } from "../../../proto/gen/troupe.ts";
import { conditionOf } from "../../debugging/breakpoint-condition.ts";
import { BREAKPOINTS_MAX, type BreakpointSpec } from "../../debugging/debug-settings.ts";
import type { Placed } from "../../debugging/placed-breakpoints.ts";
import { shownText, shownUrl } from "../../snapshot/quote.ts";
import { isAddress } from "../../source-maps/script-address.ts";
import { Page } from "../../tab/page.ts";
import type { ToolContext, ToolHandler } from "../tool.ts";
import { checkEnabled, tabOf } from "./debugged.ts";
import { inAllTabs } from "./in-all-tabs.ts";
import { placeText } from "./stop-text.ts";

export const debuggerBreakpoint: ToolHandler<"DebuggerBreakpoint"> = async (request, context) => {
  checkEnabled(context);
  const { session, call } = context;
  const lines = await act(request, context);
  const tab = session.tabs.get();
  return {
    text: lines.join("\n"),
    breakpoints: [...session.debugging.breakpoints],
    shown: tab && new Page(tab, call),
  };
};

async function act(request: DebuggerBreakpointRequest, context: ToolContext): Promise<string[]> {
  switch (request.action) {
    case "BREAKPOINT_ACTION_SET":
      return await set(request, context);
    case "BREAKPOINT_ACTION_REMOVE":
      return await remove(request, context);
    case "BREAKPOINT_ACTION_LIST":
      return await list(context);
    default:
      throw fail("INVALID_ARGUMENT", {
        argument: "action",
        problem: "action is missing",
        allowed: ["set", "remove", "list"],
      });
  }
}

async function set(
  { url = "", line = 0, condition = "", logMessage = "" }: DebuggerBreakpointRequest,
  context: ToolContext,
): Promise<string[]> {
  const { debugging } = context.session;
  if (url.trim() === "") throw missing("url", "url is missing: the file to pause in", "app.js");
  if (line < 1) throw missing("line", "line is missing: the line to pause at", "12");
  const asked = { url: url.trim(), line, condition, logMessage };
  if (debugging.breakpoints.length >= BREAKPOINTS_MAX)
    throw fail("INVALID_ARGUMENT", {
      argument: "action",
      problem: `there are ${BREAKPOINTS_MAX} breakpoints already, which is the most`,
      allowed: ["remove", "list"],
    });
  await checkCondition(asked, context);
  const breakpoint = debugging.add(asked);
  context.session.changed();
  const placed = joined(await inAllTabs(context, (tab) => tab.debugging.place(breakpoint)));
  return [
    `Set ${kindOf(breakpoint)} ${breakpoint.id} at ${shownUrl(asked.url)}:${line}`,
    placeWords(breakpoint, placed),
    ...brokenMaps(asked.url, context),
  ];
}

/** Throws SCRIPT_FAILED for an expression with a mistake. Chrome would never pause there and not say so. */
async function checkCondition(asked: Omit<BreakpointSpec, "id">, context: ToolContext): Promise<void> {
  const expression = conditionOf({ ...asked, id: "" });
  if (expression === "") return;
  const tab = await tabOf(context);
  const compiling = tab.client.send("Runtime.compileScript", {
    expression,
    sourceURL: "",
    persistScript: false,
  });
  const { exceptionDetails } = await new Page(tab, context.call).during(compiling, { whilePaused: true });
  if (!exceptionDetails) return;
  const error = exceptionDetails.exception?.description?.split("\n")[0] ?? exceptionDetails.text;
  throw fail("SCRIPT_FAILED", { error, url: "", line: 0, column: 0 });
}

async function remove({ id = "" }: DebuggerBreakpointRequest, context: ToolContext): Promise<string[]> {
  const { debugging } = context.session;
  const breakpoint = debugging.get(id.trim().toLowerCase());
  if (!breakpoint)
    throw fail("BREAKPOINT_NOT_FOUND", {
      id: id.slice(0, 50),
      ids: debugging.breakpoints.map((each) => each.id),
    });
  debugging.remove(breakpoint.id);
  context.session.changed();
  await inAllTabs(context, (tab) => tab.debugging.unplace(breakpoint.id));
  return [`Removed ${breakpoint.id} at ${shownUrl(breakpoint.url)}:${breakpoint.line}`];
}

async function list(context: ToolContext): Promise<string[]> {
  const { breakpoints } = context.session.debugging;
  if (breakpoints.length === 0) return ["No breakpoints are set."];
  const lines = breakpoints.map(async (breakpoint) => {
    const placed = joined(await inAllTabs(context, (tab) => tab.debugging.placed(breakpoint)));
    return `${lineOf(breakpoint)}. ${placeWords(breakpoint, placed)}`;
  });
  return await Promise.all(lines);
}

function lineOf({ id, url, line, condition, logMessage }: BreakpointSpec): string {
  const only = condition === "" ? "" : ` if ${shownText(condition)}`;
  const logs = logMessage === "" ? "" : ` logs ${shownText(logMessage)}`;
  return `${id} ${shownUrl(url)}:${line}${only}${logs}`;
}

/** Says where the breakpoint is, or why it is nowhere yet. */
function placeWords({ line }: BreakpointSpec, { places, hasScript }: Placed): string {
  const [place, ...others] = places;
  if (!place)
    return hasScript
      ? `No code was found at line ${line} or after it. It waits until the script is loaded with such a line.`
      : "No script of this address has been loaded yet. It waits for one.";
  const more = others.length > 0 ? `, and at ${others.length} more` : "";
  const moved =
    place.line === line ? "" : `Line ${line} has no code, so it was moved to line ${place.line}. `;
  return `${moved}It is at ${placeText(place)}${more}.`;
}

function joined(all: readonly Placed[]): Placed {
  const places = all.flatMap((each) => each.places);
  const distinct = new Map(places.map((place) => [placeText(place), place]));
  return { places: [...distinct.values()], hasScript: all.some(({ hasScript }) => hasScript) };
}

/** Names the source maps that may hold the file and cannot be used. */
function brokenMaps(url: string, { session }: ToolContext): string[] {
  const broken = new Map(session.tabs.open.flatMap((tab) => [...tab.debugging.maps.broken]));
  return [...broken].slice(0, 3).map(([script, reason]) => {
    const which = isAddress(url, script) ? "its source map" : `the source map of ${shownUrl(script)}`;
    return `Note: ${which} cannot be used: ${shownText(reason)}`;
  });
}

function kindOf({ logMessage }: BreakpointSpec): string {
  return logMessage === "" ? "breakpoint" : "logpoint";
}

function missing(argument: string, problem: string, example: string) {
  return fail("INVALID_ARGUMENT", { argument, problem, example });
}
