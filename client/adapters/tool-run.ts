// Runs a tool that a model asked for. A failure comes back as the text of its plan, because models read errors and
// cannot catch them.
import { parsedJson } from "../../proto/calls/argument-values.ts";
import { fail } from "../../proto/errors/catalogue.ts";
import { isObject, type JsonObject } from "../../proto/wire/struct.ts";
import { callError } from "../connection/call-error.ts";
import type { CallOptions } from "../sdk/tool-methods.ts";
import type { TroupeSession } from "../sdk/typed-session.ts";

/** The result of a call, as the model reads it. */
export interface ToolOutcome {
  text: string;
  isError: boolean;
  /** The picture in base64, with its media type. */
  picture?: { base64: string; mimeType: string };
}

/** The part of a session that adapters use. */
export type Caller = Pick<TroupeSession, "id" | "profile" | "call">;

/** Throws nothing but the reason of an aborted signal. `given`: the arguments as the model wrote them. */
export async function runTool(
  session: Caller,
  name: string,
  given: unknown,
  { signal }: CallOptions = {},
): Promise<ToolOutcome> {
  signal?.throwIfAborted();
  try {
    const { text, response } = await session.call(name, argumentsOf(name, given), { signal });
    const { image, mimeType } = response;
    if (!(image instanceof Uint8Array) || image.length === 0) return { text, isError: false };
    const base64 = Buffer.from(image).toString("base64");
    return { text, isError: false, picture: { base64, mimeType: String(mimeType) } };
  } catch (caught) {
    signal?.throwIfAborted();
    const { id, profile } = session;
    const call = { tool: name, arguments: {}, profile, role: "", session: id, tab: "" };
    return { text: callError(caught, call, id).text, isError: true };
  }
}

/** For APIs whose answers to tools hold no pictures. */
export function inText({ text, picture }: ToolOutcome): string {
  return picture ? `${text}\n(This interface has no place for the picture itself.)` : text;
}

/** Some APIs pass arguments as text. Models write nothing or null for no arguments. */
function argumentsOf(tool: string, given: unknown): JsonObject {
  const value = typeof given === "string" ? parsedJson(given.trim() || "{}") : (given ?? null);
  if (value === null) return {};
  if (isObject(value)) return value as JsonObject;
  const what = value === undefined ? "are no JSON, cut off perhaps" : `are ${kindOf(value)}`;
  throw fail("INVALID_ARGUMENT", {
    argument: "arguments",
    problem: `the arguments of ${tool} ${what}; what is taken is one JSON object`,
    hint: 'with its arguments as one JSON object, such as {"ref": "e5"}',
    likelyCause: "Names or texts in the JSON are not in double quotes, or its end is missing",
  });
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? "a list" : `a ${typeof value}`;
}
