// Reads the tools from proto/troupe/v1/browser.proto, where each is declared: names, descriptions, arguments, flags.
import protobuf from "protobufjs";
import type { ControlMethods } from "../gen/troupe.ts";
import { once } from "../machine/once.ts";
import { schema } from "../wire/schema.ts";

export const PROFILES = ["small", "core", "full", "debug"] as const;
/** The sets of tools that clients are offered. Each profile holds the tools of those before it. */
export type Profile = (typeof PROFILES)[number];

/** The budget of snapshots that name none, for profiles with a budget of their own. */
export const SNAPSHOT_TOKENS: Partial<Record<Profile, number>> = { small: 1500 };

/** One argument of a tool: a field of its request. */
export interface Argument {
  /** The name in JSON: camelCase. */
  name: string;
  description: string;
  type: "string" | "boolean" | "integer" | "number" | "enum" | "object";
  /** The arguments that an object holds. */
  fields?: readonly Argument[];
  /** An object with the arguments of this tool. An object of several such fields has exactly one of them. */
  callOf?: string;
  repeated: boolean;
  /** The most items of a list. */
  maxItems?: number;
  required: boolean;
  /** The text is required but may be empty. */
  mayBeEmpty: boolean;
  /** The words of an enum, in lower case. */
  allowed?: readonly string[];
  /** The enum's value names, in the order of `allowed`. */
  enumNames?: readonly string[];
  minimum?: number;
  maximum?: number;
  /** In characters. */
  maxLength: number;
  example?: string;
  /** The smallest profile that shows it. Smaller ones accept it too. */
  profile: Profile;
  /** Texts may repeat its value. Other values may be the caller's secrets. */
  echo: boolean;
  /** It is typed into pages, so not even a corrected call repeats its value. */
  typed: boolean;
  /** It is for programs: models are not offered it. */
  unlisted: boolean;
  /** It names files of the client's machine, which the client itself reads or writes. */
  local: boolean;
}

/** An rpc with the `(tool)` option. */
export interface Tool {
  name: string;
  /** Some profile offers it to models. Otherwise it is for programs alone. */
  offered: boolean;
  /** The rpc's name, such as `Click`. */
  rpc: string;
  description: string;
  /** The description in the small profile. */
  smallDescription: string;
  profile: Profile;
  readOnly: boolean;
  /** The value of `action` with which it only reads. */
  readOnlyAction: string | undefined;
  destructive: boolean;
  /** Profile core lists it only where it is asked for. */
  whenConfigured: boolean;
  /** The folder of its handler in the worker. */
  room: string;
  answeredByDaemon: boolean;
  /** It belongs to no role. With it a client finds a role that it may use. */
  roleless: boolean;
  /** A call may name a role for itself alone. */
  takesRole: boolean;
  /** A call leads its session to another page in the tab, which the reply shows, or to another tab. */
  arrival: "page" | "tab" | undefined;
  /** It depends on nothing that was open before, so it can always be repeated. */
  startsAnew: boolean;
  /** How to go on after a crash, if the call depends on more than the page, which is opened again. */
  afterCrash: string | undefined;
  /** The call waits for no turn and overtakes those that do. */
  control: boolean;
  /** The stream lasts for as long as its client listens. */
  watches: boolean;
  /** It carries a file, for as long as bytes come. */
  transfers: boolean;
  /** The request comes in parts. */
  takesStream: boolean;
  /** A structural query: expected problems are part of its result. */
  query: boolean;
  /** The reply comes in parts. */
  streams: boolean;
  /** The reply is a snapshot within a budget of tokens. */
  snapshot: boolean;
  aliases: readonly string[];
  arguments: readonly Argument[];
  request: protobuf.Type;
  response: protobuf.Type;
}

/** The part of a tool that reading its arguments takes. Objects that are no calls have it too. */
export interface Called extends Pick<Tool, "name" | "arguments" | "answeredByDaemon"> {
  /** Names, as plain words, that are accepted and not used. */
  ignored?: ReadonlySet<string>;
}

const TEXT_LENGTH_MAX = 65_536;
/** The smallest profile with tools that need transfers. */
const FILES_PROFILE = "full";
const OVERTAKING: ReadonlySet<unknown> = new Set(["LANE_CONTROL", "LANE_WATCH", "LANE_TRANSFER"]);
const ARRIVALS: Readonly<Record<string, Tool["arrival"]>> = { ARRIVAL_PAGE: "page", ARRIVAL_TAB: "tab" };

const methods = once(() =>
  schema()
    .lookupService("troupe.v1.Browser")
    .methodsArray.map((method) => method.resolve() as protobuf.Method),
);
const nameByRequest = once(
  () =>
    new Map(
      methods().map((method) => [method.resolvedRequestType, textOf(optionOf(method, "(tool)")?.name)]),
    ),
);

/** Returns all rpcs of `troupe.v1.Browser`, in the order of the .proto. */
export const rpcs: () => readonly Tool[] = once(() => methods().flatMap((method) => toolOf(method) ?? []));

/** Returns the rpcs that models are offered. */
export const tools: () => readonly Tool[] = once(() => rpcs().filter(({ offered }) => offered));

const byName = once(
  () => new Map(tools().flatMap((tool) => [tool.name, ...tool.aliases].map((name) => [name, tool] as const))),
);
const byRpc = once(() => new Map(tools().map((tool) => [tool.rpc, tool])));

/** Reports if a call only reads: its tool does, or the action in its arguments does. */
export function onlyReads(
  { readOnly, readOnlyAction }: Pick<Tool, "readOnly" | "readOnlyAction">,
  { action }: { action?: unknown },
): boolean {
  return readOnly || (readOnlyAction !== undefined && action === readOnlyAction);
}

/** Returns the tool of that name or alias. */
export function findTool(name: string): Tool | undefined {
  return byName().get(name);
}

/** Returns the tool of an rpc. */
export function toolOfRpc(rpc: string): Tool | undefined {
  return byRpc().get(rpc);
}

/** The flags of an rpc of `troupe.v1.Control`. */
export interface ControlFlags {
  /** It takes the right `control: write`. */
  write: boolean;
  /** It changes something. */
  changes: boolean;
  /** It does not count against the client's rate. */
  uncounted: boolean;
}

/** Returns the flags of an rpc of the control plane. */
export function controlFlags(rpc: keyof ControlMethods): ControlFlags {
  const option = optionOf(
    schema().lookupService("troupe.v1.Control").methods[rpc] as protobuf.Method,
    "(control)",
  );
  const write = option?.write === true;
  return { write, changes: write || option?.changes === true, uncounted: option?.uncounted === true };
}

/** Returns true if a client of `profile` is offered a tool of `least`. */
export function inProfile(least: Profile, profile: Profile): boolean {
  return PROFILES.indexOf(least) <= PROFILES.indexOf(profile);
}

/** Settings for the list of tools. */
export interface Listing {
  /** Profile core lists browser_ask_person. */
  asksPerson?: boolean;
}

/** Returns the tools that a client of this profile is offered. */
export function toolsOf(profile: Profile, { asksPerson = false }: Listing = {}): readonly Tool[] {
  const listsAll = asksPerson || inProfile("full", profile);
  return tools().filter((tool) => inProfile(tool.profile, profile) && (listsAll || !tool.whenConfigured));
}

/** Returns the profile of that name; undefined if there is none. */
export function profileNamed(name: string | undefined): Profile | undefined {
  return PROFILES.find((profile) => profile === name);
}

function toolOf(method: protobuf.Method): Tool | undefined {
  const option = optionOf(method, "(tool)");
  if (!option || !method.resolvedRequestType || !method.resolvedResponseType) return undefined;
  const description = oneLine(method.comment);
  const args = method.resolvedRequestType.fieldsArray.map(argumentOf);
  const roleless = option.roleless === true;
  return {
    name: String(option.name),
    offered: option.profile !== undefined,
    rpc: method.name,
    description,
    smallDescription: textOf(option.small_description) ?? description,
    profile: profileOf(option) ?? (option.lane === "LANE_TRANSFER" ? FILES_PROFILE : "debug"),
    readOnly: option.read_only === true,
    readOnlyAction: textOf(option.read_only_action),
    destructive: option.destructive === true,
    whenConfigured: option.when_configured === true,
    room: textOf(option.room) ?? roomOf(option),
    answeredByDaemon: option.answered_by_daemon === true,
    roleless,
    takesRole: !roleless && !args.some(({ name }) => name === "role"),
    arrival: ARRIVALS[String(option.arrival)],
    startsAnew: option.starts_anew === true,
    afterCrash: textOf(option.after_crash),
    control: OVERTAKING.has(option.lane),
    watches: option.lane === "LANE_WATCH",
    transfers: option.lane === "LANE_TRANSFER",
    takesStream: method.requestStream === true,
    query: option.query === true,
    streams: method.responseStream === true,
    snapshot: method.resolvedResponseType.name === "SnapshotResponse",
    aliases: [option.aliases ?? []].flat().map(String),
    arguments: args,
    request: method.resolvedRequestType,
    response: method.resolvedResponseType,
  };
}

function roomOf(option: Options): string {
  if (profileOf(option) === "debug") return "debugging";
  if (option.read_only === true) return "reading";
  return option.arrival === undefined ? "acting" : "arriving";
}

function argumentOf(field: protobuf.Field): Argument {
  const option = optionOf(field, "(argument)") ?? {};
  const type = field.resolve().resolvedType;
  return {
    name: field.name,
    description: oneLine(field.comment),
    type: type instanceof protobuf.Enum ? "enum" : jsonType(field.type),
    ...(type instanceof protobuf.Type && objectOf(type)),
    repeated: field.repeated,
    ...(option.max_items !== undefined && { maxItems: Number(option.max_items) }),
    required: option.required === true,
    mayBeEmpty: option.may_be_empty === true,
    ...(type instanceof protobuf.Enum && enumWords(type)),
    ...(option.minimum !== undefined && { minimum: Number(option.minimum) }),
    ...(option.maximum !== undefined && { maximum: Number(option.maximum) }),
    maxLength: Number(option.max_length ?? TEXT_LENGTH_MAX),
    ...(option.example !== undefined && { example: String(option.example) }),
    profile: profileOf(option) ?? "small",
    echo: option.echo === true,
    typed: option.typed === true,
    unlisted: option.unlisted === true,
    local: option.local === true,
  };
}

/** The tab is the whole call's, so no object in it names one. */
function objectOf(type: protobuf.Type): Pick<Argument, "type" | "fields" | "callOf"> {
  const callOf = nameByRequest().get(type);
  const fields = type.fieldsArray.filter(({ name }) => name !== "tab").map(argumentOf);
  return { type: "object", fields, ...(callOf !== undefined && { callOf }) };
}

function profileOf({ profile }: Options): Profile | undefined {
  return profileNamed(textOf(profile)?.replace("PROFILE_", "").toLowerCase());
}

function textOf(value: unknown): string | undefined {
  return value === undefined ? undefined : String(value);
}

/** `MOUSE_BUTTON_LEFT` is `left`: the zero value's name without `UNSPECIFIED` is the prefix of all. */
function enumWords(type: protobuf.Enum): Pick<Argument, "allowed" | "enumNames"> {
  const [zero = "", ...names] = Object.keys(type.values);
  const prefix = zero.replace(/UNSPECIFIED$/, "");
  return { allowed: names.map((name) => name.slice(prefix.length).toLowerCase()), enumNames: names };
}

function jsonType(type: string): Argument["type"] {
  if (type === "bool") return "boolean";
  if (type === "double" || type === "float") return "number";
  // JSON has bytes as base64.
  return type === "string" || type === "bytes" ? "string" : "integer";
}

type Options = Record<string, unknown>;

function optionOf(of: protobuf.ReflectionObject, name: string): Options | undefined {
  return (of.parsedOptions as Record<string, Options>[] | undefined)?.find((each) => name in each)?.[name];
}

function oneLine(comment: string | null): string {
  return (comment ?? "").replace(/\s+/g, " ").trim();
}
