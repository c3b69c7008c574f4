// Describes where a page is paused, and why.
import type { Protocol } from "puppeteer-core";
import { within } from "../../proto/machine/within.ts";
import { cut } from "../../proto/text/quote.ts";
import { baseName } from "../source-maps/script-address.ts";
import type { Place } from "../source-maps/source-map.ts";
import { type Locals, readLocals } from "./locals.ts";
import type { PausedEvent, ProcessDebugger } from "./process-debugger.ts";
import { valueText } from "./value-text.ts";

/** A pause of a page. */
export interface Stop {
  process: ProcessDebugger;
  frames: readonly Protocol.Debugger.CallFrame[];
  asyncParent: Protocol.Runtime.StackTrace | undefined;
  place: Place;
  /** The reason in words, such as `breakpoint b1`. */
  reason: string;
  /** The place and the reason, such as `app.ts:12 in addToCart (breakpoint b1)`. */
  words: string;
  locals: Locals | undefined;
}

/** A source map that comes later does not delay the call that met a breakpoint. */
const MAP_MS_MAX = 1_000;
const NAME_LENGTH_MAX = 100;
const REASON_LENGTH_MAX = 300;

/** `wasAsked`: the session asked for a pause. `last`: the locals of the stop before. */
export async function describeStop(
  process: ProcessDebugger,
  event: PausedEvent,
  { wasAsked, last }: { wasAsked: boolean; last: Locals | undefined },
): Promise<Stop> {
  const [top] = event.callFrames;
  if (!top) throw new Error("Chrome paused without a frame");
  const [original, locals] = await Promise.all([
    within({ timeMs: MAP_MS_MAX }, process.places.of(top.location)),
    readLocals(process.client, top, last),
  ]);
  const place = original ?? process.places.inScript(top.location);
  const reason = cut(reasonOf(process, event, wasAsked), REASON_LENGTH_MAX);
  const name = functionName(top);
  const words = `${baseName(place.url) || "a script"}:${place.line}${name === "" ? "" : ` in ${name}`} (${reason})`;
  const { callFrames: frames, asyncStackTrace: asyncParent } = event;
  return { process, frames, asyncParent, place, reason, words, locals };
}

export function functionName({ functionName: name }: { functionName: string }): string {
  return cut(name, NAME_LENGTH_MAX);
}

function reasonOf(process: ProcessDebugger, event: PausedEvent, wasAsked: boolean): string {
  const { reason, hitBreakpoints = [], data } = event;
  const ids = hitBreakpoints.flatMap((id) => process.breakpoints.idOf(id) ?? []);
  if (ids.length > 0) return `${ids.length === 1 ? "breakpoint" : "breakpoints"} ${ids.join(", ")}`;
  if (reason === "exception" || reason === "promiseRejection") {
    const { uncaught, ...thrown } = (data ?? {}) as Protocol.Runtime.RemoteObject & { uncaught?: boolean };
    return `${uncaught === false ? "caught" : "uncaught"} exception: ${valueText(thrown)}`;
  }
  if (wasAsked) return "pause asked for";
  return reason === "step" ? "step" : "debugger statement";
}
