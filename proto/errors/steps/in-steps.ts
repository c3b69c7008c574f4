// Errors of a step in a call of several. Their plans are those of the step's own tool, and go on with the steps left.

import { counted } from "../../text/counted.ts";
import { findTool } from "../../tools/read-tools.ts";
import { isObject, type Json, type JsonObject } from "../../wire/struct.ts";
import type { Candidate, FailedCall, Step, StepPlace } from "./step.ts";
import { CANDIDATE, namingRef, say, tabOf } from "./step-words.ts";

/** Any error may be about a step. */
export interface InSteps {
  step?: StepPlace;
}

/** Adds the step's place to the error's data. */
export function withPlace<Data extends object>(data: Data, { step }: FailedCall): Data & InSteps {
  return step === undefined ? data : { ...data, step };
}

/** Says in a line how far the steps came. */
export function placeInWords({ at, of, done }: StepPlace): string {
  const rest = at > of ? "the wait at the end did not" : `step ${at} of ${of} did not`;
  if (done === 0) return `Nothing was done: ${rest} succeed.`;
  return `${done === 1 ? "Step 1 was" : `Steps 1 to ${done} were`} carried out: ${rest} succeed.`;
}

/** Returns the call that the error's own plan is for: of the step's tool, or of all steps if nothing was done. */
export function stepCall(data: InSteps & { ref?: unknown }, call: FailedCall): FailedCall {
  const { step } = data;
  const found = step && actionAt(call, step);
  if (!step || !found) return namingRef(call, data);
  const { tool, args } = found;
  const { refName } = namingRef({ ...call, tool, arguments: args }, data);
  const own = { ...call, tool: step.done === 0 ? call.tool : tool, arguments: { ...args, ...tabOf(call) } };
  return refName === undefined ? own : { ...own, refName };
}

/** Makes the step's plan one of the whole call: its repetition becomes that of all steps that are not done yet. */
export function goingOn(
  plan: readonly Step[],
  data: InSteps & { effect?: unknown },
  call: FailedCall,
  candidates: readonly Candidate[],
): Step[] {
  const { step } = data;
  const found = step && actionAt(call, step);
  if (!step || !found) return [...plan];
  const own = stepCall(data, call);
  const last = plan.at(-1);
  if (last?.tool === own.tool && last.arguments && repeats(last.arguments, own))
    return [...plan.slice(0, -1), joined(last, found, step, call, candidates)];
  // Nothing was done, so the plan already speaks of the whole call.
  if (step.done === 0) return [...plan];
  const left = stepsOf(call).slice(step.at);
  const { until } = call.arguments;
  if (left.length === 0 && (until === undefined || step.at > step.of)) return [...plan];
  if ("effect" in data || plan.some(({ tool }) => tool === "browser_navigate"))
    return [
      ...plan,
      say(`Then do what is left, with new refs: ${left.map(wordOf).join(", ") || "the wait"}`),
    ];
  if (left.length === 0) return [...plan, say("Then wait with browser_wait_for as before")];
  return [
    ...plan,
    wholeStep(call, left, `<the last ${counted(left.length, "step")} as before>`, " to go on"),
  ];
}

/** The action of a step, with its tool. `name`: its name in the step. */
interface ActionFound {
  name: string;
  tool: string;
  args: JsonObject;
}

function actionAt(call: FailedCall, { at, of }: StepPlace): ActionFound | undefined {
  const fields = findTool(call.tool)?.arguments ?? [];
  const step = at > of ? call.arguments : stepsOf(call)[at - 1];
  if (step && listOf(call) === "fields") return { name: "", tool: call.tool, args: step };
  const actions = at > of ? fields : (fields.find(({ name }) => name === "steps")?.fields ?? []);
  for (const { name, callOf } of actions) {
    const args = step?.[name];
    if (callOf !== undefined && isObject(args)) return { name, tool: callOf, args };
  }
  return undefined;
}

/** A form's fields are steps without a name: all of them are filled. */
function listOf(call: FailedCall): "steps" | "fields" {
  return "fields" in call.arguments ? "fields" : "steps";
}

function stepsOf(call: FailedCall): JsonObject[] {
  const steps = call.arguments[listOf(call)];
  return Array.isArray(steps) ? steps.filter((each) => isObject(each)) : [];
}

/** The step calls the tool with the arguments of the failed call, some of them changed. */
function repeats(args: JsonObject, own: FailedCall): boolean {
  return Object.keys(own.arguments).some((name) => name in args);
}

/** Repeats the failed step as its own plan says, and then the others. */
function joined(
  last: Step,
  { name, args }: ActionFound,
  { at, of, done }: StepPlace,
  call: FailedCall,
  candidates: readonly Candidate[],
): Step {
  const { tab: _tab, role: _role, session: _session, ...given } = last.arguments ?? {};
  const [likely] = candidates;
  const inside = Object.fromEntries(
    Object.entries(given).map(([key, value]) => [key, value === CANDIDATE && likely ? likely.ref : value]),
  );
  const purpose = /\)( [^)]*)$/.exec(last.text)?.[1] ?? "";
  if (at > of) return wholeStep(call, [], "", purpose, inside);
  const steps = stepsOf(call);
  const mended = name === "" ? inside : { ...steps[at - 1], [name]: inside };
  const left = [...steps.slice(done, at - 1), mended, ...steps.slice(at)];
  const changed = Object.entries(inside).filter(([key, value]) => !isSame(value, args[key]));
  const words = changed.map(([key, value]) => ` with ${key} ${key === "ref" ? spelled(value) : "corrected"}`);
  const which = done === 0 ? "all" : `the last ${left.length}`;
  const where = words.length > 0 ? `, step ${at}${words.join(" and")}` : "";
  return wholeStep(call, left, `<${which} as before${where}>`, purpose);
}

/** Calls the tool with the steps left. Without any, it waits alone. */
function wholeStep(
  call: FailedCall,
  left: readonly JsonObject[],
  shown: string,
  purpose: string,
  until?: JsonObject,
): Step {
  const { ownRole, role, ownSession: session } = call;
  const place = {
    ...tabOf(call),
    ...(ownRole && { role }),
    ...(session !== undefined && { session }),
  };
  const spelledPlace = Object.entries(place).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  if (left.length === 0) {
    const words = ["<as before>", ...spelledPlace].join(", ");
    const text = `Call browser_wait_for(${words})${purpose}`;
    return { text, tool: "browser_wait_for", arguments: { ...until, ...place } };
  }
  const wait = call.arguments.until === undefined ? [] : ["until: <as before>"];
  const text = `Call ${call.tool}(${[`${listOf(call)}: ${shown}`, ...wait, ...spelledPlace].join(", ")})${purpose}`;
  const args = { ...call.arguments, ...place, [listOf(call)]: [...left] };
  return { text, tool: call.tool, arguments: args };
}

function spelled(ref: Json | undefined): string {
  return ref === CANDIDATE ? "as its ref" : String(ref);
}

function wordOf(step: JsonObject): string {
  return Object.keys(step).find((name) => name !== "expectNavigation") ?? "";
}

function isSame(one: Json | undefined, other: Json | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
