// Reads arguments that are objects: another tool's arguments, or steps of which each is one such call.

import { quote } from "../text/quote.ts";
import { type Argument, type Called, findTool, type Tool } from "../tools/read-tools.ts";
import { isObject, type Json, type JsonObject } from "../wire/struct.ts";
import { looksLikeRef, plainName } from "./argument-names.ts";
import { type Fault, jsonOf, listIn, parsedJson, readValue } from "./argument-values.ts";

/** Reads the arguments of one tool's call. */
export type ReadCall = (tool: Called, args: JsonObject) => { request: Record<string, Json>; faults: Fault[] };

/** `value`: the request's form. `mended`: the JSON that is right; undefined if only the caller knows it. */
interface ObjectRead {
  value: Record<string, Json>;
  mended: JsonObject | undefined;
  faults: Omit<Fault, "mended">[];
}

/** Returns the request's value of an argument that is an object or a list of them. */
export function readObjects(
  argument: Argument,
  given: Json,
  readCall: ReadCall,
): { value: Json; faults: Fault[] } {
  const { name, repeated } = argument;
  const list = repeated ? (Array.isArray(given) ? given : (listIn(given) ?? [given])) : [given];
  const read = list.map((each, index) => {
    const label = repeated ? `${name.replace(/s$/, "")} ${index + 1}` : name;
    const one = readObject(argument, typeof each === "string" ? parsedJson(each) : each, readCall);
    return { ...one, faults: one.faults.map((fault) => labelled(fault, argument, label)) };
  });
  const value = read.map((each) => each.value);
  const all = read.flatMap(({ mended }) => mended ?? []);
  const mended = all.length === read.length ? { mended: { [name]: repeated ? all : (all[0] ?? null) } } : {};
  const faults = read.flatMap((each) => each.faults).map((fault) => ({ ...fault, ...mended }));
  return { value: repeated ? value : (value[0] ?? null), faults };
}

/** Returns the tool whose arguments an object holds, without those that belong to the whole call. */
export function toolInside(name: string): Tool {
  const tool = findTool(name);
  if (!tool) throw new Error(`there is no tool ${name}`);
  return { ...tool, arguments: tool.arguments.filter((argument) => argument.name !== "tab") };
}

/** Other servers' words for a control beside its ref. */
const BESIDE_REF: ReadonlySet<string> = new Set(["name", "type", "label", "role"]);

/** Returns an object that is no call and no step, as if its fields were arguments. */
export function recordOf(argument: Argument): Called | undefined {
  const { callOf, name, fields = [] } = argument;
  if (callOf !== undefined || actionsOf(argument).length > 0) return undefined;
  return { name, arguments: fields, answeredByDaemon: false, ignored: BESIDE_REF };
}

/** Returns the actions of which an object has exactly one. */
export function actionsOf({ fields = [] }: Argument): Argument[] {
  return fields.filter(({ callOf }) => callOf !== undefined);
}

/** Returns the fault of an object that has no action, or more than one. */
export function actionFault(argument: Argument, given: readonly string[]): Omit<Fault, "mended"> | undefined {
  const allowed = actionsOf(argument).map(({ name }) => name);
  if (allowed.length === 0 || given.length === 1) return undefined;
  const problem = given.length === 0 ? "it has no action" : `it has ${given.join(" and ")}`;
  return { argument: argument.name, problem, allowed, hint: "with exactly one action" };
}

/** Says in which object the fault is. */
export function labelled(
  fault: Omit<Fault, "mended">,
  { name }: Argument,
  label: string,
): Omit<Fault, "mended"> {
  const { argument, example, hint, ...others } = fault;
  const right = hint ?? (example === undefined ? undefined : `with ${argument} such as ${quote(example)}`);
  return {
    ...others,
    argument: name,
    problem: `${label}: ${fault.problem}`,
    hint: right === undefined ? `with ${label} corrected` : `${right} in ${label}`,
  };
}

function readObject(argument: Argument, given: Json | undefined, readCall: ReadCall): ObjectRead {
  if (!isObject(given ?? null)) {
    const problem = "it must be an object";
    return { value: {}, mended: undefined, faults: [{ argument: argument.name, problem }] };
  }
  const { callOf } = argument;
  const record = recordOf(argument);
  if (record) return readInside(record, given as JsonObject, readCall);
  return callOf === undefined
    ? readStep(argument, asStep(argument, given as JsonObject), readCall)
    : readInside(toolInside(callOf), given as JsonObject, readCall);
}

function readInside(tool: Called, given: JsonObject, readCall: ReadCall): ObjectRead {
  const { request, faults } = readCall(tool, given);
  const known = tool.arguments.filter(({ name }) => name in request);
  const right = Object.fromEntries(
    known.map((each) => [each.name, jsonOf(each, request[each.name] as Json)]),
  );
  const isCertain = faults.every(({ mended }) => mended !== undefined);
  const mended = isCertain ? Object.assign(right, ...faults.map((fault) => fault.mended)) : undefined;
  return { value: request, mended, faults: faults.map(({ mended: _mended, ...fault }) => fault) };
}

function readStep(argument: Argument, given: JsonObject, readCall: ReadCall): ObjectRead {
  const whole: ObjectRead = { value: {}, mended: {}, faults: [] };
  for (const [name, value] of Object.entries(given).filter(([, each]) => each !== null)) {
    const field = fieldNamed(argument, name);
    const read = field ? readField(field, value as Json, readCall) : unknownField(argument, name);
    Object.assign(whole.value, read.value);
    whole.faults.push(...read.faults);
    whole.mended = whole.mended && read.mended && { ...whole.mended, ...read.mended };
  }
  const actions = actionsOf(argument).map(({ name }) => name);
  const fault = actionFault(
    argument,
    actions.filter((name) => name in whole.value),
  );
  return fault ? { ...whole, mended: undefined, faults: [...whole.faults, fault] } : whole;
}

function readField(field: Argument, given: Json, readCall: ReadCall): ObjectRead {
  const { name } = field;
  if (field.type === "object") {
    const { value, mended, faults } = readObject(field, given, readCall);
    return { value: { [name]: value }, mended: mended && { [name]: mended }, faults };
  }
  const reading = readValue(field, given);
  if (reading.kind === "absent") return { value: {}, mended: {}, faults: [] };
  if (reading.kind === "taken")
    return { value: { [name]: reading.value }, mended: { [name]: jsonOf(field, reading.value) }, faults: [] };
  const { mended } = reading;
  const fault = {
    argument: name,
    problem: `${name} must be true or false`,
    hint: `with ${name} as true or false`,
  };
  return { value: {}, mended: mended === undefined ? undefined : { [name]: mended }, faults: [fault] };
}

function unknownField({ fields = [] }: Argument, given: string): ObjectRead {
  const allowed = fields.map(({ name }) => name);
  const fault = { argument: given.slice(0, 100), problem: `there is no ${quote(given, 100)} in it`, allowed };
  return { value: {}, mended: undefined, faults: [fault] };
}

/** `browser_click` and `select_option` mean the fields click and selectOption. */
function fieldNamed({ fields = [] }: Argument, given: string): Argument | undefined {
  const plain = plainName(given.replace(/^browser[_-]?/i, ""));
  return fields.find(({ name }) => name.toLowerCase() === plain);
}

/** Names with which other servers say which action a step is. */
const ACTION_NAMES = ["action", "tool", "name", "type"];
const INSIDE_NAMES = ["arguments", "args", "params", "input"];

/** Understands `{action: "click", ref: "e5"}` and `{tool: "browser_click", arguments: {ref: "e5"}}`. */
function asStep(argument: Argument, given: JsonObject): JsonObject {
  for (const name of ACTION_NAMES) {
    const word = given[name];
    const field = typeof word === "string" && !looksLikeRef(word) ? fieldNamed(argument, word) : undefined;
    if (!field?.callOf) continue;
    const { [name]: _word, ...others } = given;
    const inside = INSIDE_NAMES.find((each) => isObject(others[each] ?? null));
    if (inside === undefined) return { [field.name]: others };
    const { [inside]: args = null, ...beside } = others;
    return { [field.name]: args, ...beside };
  }
  return given;
}
