// Reads the local variables of a paused function, and marks those that changed since its last stop.
import type { CDPSession, Protocol } from "puppeteer-core";
import { cut } from "../../proto/text/quote.ts";
import { valueText } from "./value-text.ts";

/** A variable. `was`: its text at the last stop in the same function, if that was another. */
export interface Local {
  name: string;
  text: string;
  was?: string;
}

/** The variables of a stop, and the function that they belong to. */
export interface Locals {
  of: string;
  all: Local[];
  /** More variables than are listed. */
  isCut: boolean;
}

const LOCALS_MAX = 30;
const TEXT_LENGTH_MAX = 200;
const NAME_LENGTH_MAX = 100;
const OWN_SCOPES: ReadonlySet<string> = new Set(["local", "block", "catch", "eval", "module"]);

/** Reads the variables of the frame's own scopes, innermost first. */
export async function readLocals(
  client: CDPSession,
  frame: Protocol.Debugger.CallFrame,
  last: Locals | undefined,
): Promise<Locals> {
  const scopes = frame.scopeChain.filter(({ type }) => OWN_SCOPES.has(type));
  const read = await Promise.all(scopes.map(({ object }) => propertiesOf(client, object)));
  const values = new Map<string, Protocol.Runtime.RemoteObject>();
  for (const { name, value } of read.flat()) if (value && !values.has(name)) values.set(name, value);
  const of = functionOf(frame);
  const before = new Map(last?.of === of ? last.all.map(({ name, text }) => [name, text]) : []);
  const all = [...values].slice(0, LOCALS_MAX).map(([name, value]) => {
    const text = cut(valueText(value), TEXT_LENGTH_MAX);
    const was = before.get(name);
    return { name: cut(name, NAME_LENGTH_MAX), text, ...(was !== undefined && was !== text && { was }) };
  });
  return { of, all, isCut: values.size > all.length };
}

/** Chrome lists the properties of a scope without running code of the page. */
async function propertiesOf(
  client: CDPSession,
  { objectId }: Protocol.Runtime.RemoteObject,
): Promise<Protocol.Runtime.PropertyDescriptor[]> {
  if (!objectId) return [];
  const asked = { objectId, ownProperties: true, generatePreview: true };
  return (await client.send("Runtime.getProperties", asked)).result;
}

function functionOf({ functionLocation, location }: Protocol.Debugger.CallFrame): string {
  const { scriptId, lineNumber, columnNumber } = functionLocation ?? { ...location, lineNumber: -1 };
  return `${scriptId}:${lineNumber}:${columnNumber ?? 0}`;
}
