// A tool's reply: the text for the model, and the response message as a plain object.
import type { PageInfo, SnapshotHeader, SnapshotResponse } from "../gen/troupe.ts";
import { isObject } from "./struct.ts";

export interface Reply {
  text: string;
  page: PageInfo | undefined;
  /** The response message. For a snapshot it is the header. */
  response: Readonly<Record<string, unknown>>;
}

export function replyOf(response: object): Reply {
  const { text, page } = response as { text?: string; page?: PageInfo | null };
  return { text: text ?? "", page: page ?? undefined, response: response as Reply["response"] };
}

/** Assembles a snapshot's parts. Throws if the header or part of the text is missing. */
export async function assembled(
  parts: Iterable<SnapshotResponse> | AsyncIterable<SnapshotResponse>,
): Promise<Reply> {
  let header: SnapshotHeader | undefined;
  const chunks: string[] = [];
  for await (const part of parts) {
    header ??= part.header ?? undefined;
    if (part.chunk !== undefined) chunks.push(part.chunk);
  }
  const text = chunks.join("");
  if (!header) throw new Error("the snapshot has no header");
  if (text.length !== header.textLength)
    throw new Error(`the snapshot has ${text.length} of ${header.textLength} characters`);
  return { text, page: header.page ?? undefined, response: { ...header } };
}

/** The page as programs get it in replies. Empty warnings are left out. */
export function toldPage({ warnings, ...page }: PageInfo): Record<string, unknown> {
  const told = filled(warnings ?? {});
  return { ...page, ...(Object.keys(told).length > 0 && { warnings: told }) };
}

/** Returns the result of a structural query; undefined for any other response. */
export function queryResult(response: Reply["response"]): Record<string, unknown> | undefined {
  const { result } = response;
  return isObject(result) ? withNulls(result) : undefined;
}

/** Messages leave out a missing index. A query's result has it as null. */
function withNulls(result: Record<string, unknown>): Record<string, unknown> {
  return "siblings" in result ? { targetSiblingIndex: null, ...result } : result;
}

function filled(object: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(object).filter(([, value]) => (Array.isArray(value) ? value.length > 0 : Boolean(value))),
  );
}
