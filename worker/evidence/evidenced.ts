// Carries out a recorded call, and keeps evidence of it: its arguments, its reply, and a picture.
import { fail, isTroupeError, type TroupeError } from "../../proto/errors/catalogue.ts";
import type { EvidenceTaken, Input } from "../../proto/gen/troupe.ts";
import { named } from "../../proto/text/named.ts";
import { cut } from "../../proto/text/quote.ts";
import { redactedAddress } from "../../proto/text/redact.ts";
import type { Tool } from "../../proto/tools/read-tools.ts";
import type { Call } from "../core/call.ts";
import type { RecordedStep } from "../recording/recorded-step.ts";
import { parseRef } from "../refs/ref-text.ts";
import type { Session } from "../session/session.ts";
import { secretFieldsOf } from "./secret-fields.ts";
import { showsValue, withoutKeys, withoutValues } from "./secret-values.ts";
import { shownArguments } from "./shown-arguments.ts";
import { smallPicture } from "./small-picture.ts";

/** A longer reply is cut. */
const REPLY_LENGTH_MAX = 60_000;

/** A call's place, and the receiver of its evidence. */
export interface EvidenceOf {
  tool: Tool;
  call: Call;
  session: Session;
  /** The operator's selectors of what pictures hide. */
  masks: readonly string[];
  report(taken: Input<EvidenceTaken>): void;
}

/** The facts of a reply. */
interface Replied {
  text: string;
  element?: { role: string; name: string } | null | undefined;
}

/** Returns the result of `work`. A call without an id of its evidence is only carried out. */
export async function evidenced<T>(
  of: EvidenceOf,
  work: () => Promise<T>,
  replied: (result: T) => Replied,
): Promise<T> {
  const { call, session } = of;
  const id = call.evidence;
  session.camera.callBegan();
  if (id === undefined) return await work();
  const last = session.recording.last;
  const beganMs = performance.now();
  let said: Replied = { text: "" };
  try {
    const result = await work();
    said = replied(result);
    return result;
  } catch (error) {
    throw isTroupeError(error) ? withoutTyped(error, session) : error;
  } finally {
    const tookMs = performance.now() - beganMs;
    // The reply goes out first.
    setImmediate(() => void keep(of, id, { said, steps: session.recording.since(last), tookMs }));
  }
}

/** Returns the error with the typed secrets masked: its plan is kept as the client reads it. */
function withoutTyped(error: TroupeError, { recording }: Session): TroupeError {
  const data = JSON.stringify(error.data);
  const cleaned = recording.withoutTyped(data);
  return cleaned === data ? error : fail(error.type, JSON.parse(cleaned), error);
}

interface Ended {
  said: Replied;
  steps: readonly RecordedStep[];
  tookMs: number;
}

async function keep(
  { tool, call, session, masks, report }: EvidenceOf,
  id: string,
  { said, steps, tookMs }: Ended,
): Promise<void> {
  const { key, recording, camera, turns } = session;
  const tab = session.tabs.get(call.tab || undefined);
  const clean = (text: string) => recording.withoutTyped(text);
  const seen = {
    tool: tool.name,
    arguments: clean(JSON.stringify(shownArguments(tool, call.arguments, steps))),
    element: clean(elementOf(said, call, session)),
    tab: tab?.id ?? call.tab,
    url: tab ? clean(redactedAddress(tab.url)) : "",
    title: clean(tab?.title ?? ""),
  };
  const taken = Promise.withResolvers<void>();
  if (tab)
    camera.callEnded({
      tookMs,
      take: () => smallPicture({ tab, call, masks, recording, turns }),
      report: (picture) => void taken.promise.then(() => report({ key, id, picture })),
    });
  const fields = call.secretFields ?? (tab && showsValue(said.text) ? await secretFieldsOf(tab, call) : []);
  const reply = withoutKeys(withoutValues(said.text, fields), call.arguments, steps);
  report({ key, id, seen: { ...seen, reply: cut(clean(reply), REPLY_LENGTH_MAX) } });
  taken.resolve();
}

/** Returns the element in words: as the reply names it, or as it was delivered with the call's ref. */
function elementOf({ element }: Replied, call: Call, { tabs }: Session): string {
  if (element) return named(element);
  const { ref } = call.arguments;
  const parsed = typeof ref === "string" ? parseRef(ref) : undefined;
  const delivered = parsed && tabs.get(call.tab || undefined)?.delivered.elementOf(parsed);
  return delivered ? named(delivered) : "";
}
