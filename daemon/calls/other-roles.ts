// A ref that its role does not know may belong to another role of the session. The error names that role, unless the call
// named its own.

import { type ErrorData, type ErrorDetail, fail, type TroupeError } from "../../proto/errors/catalogue.ts";
import type { Elsewhere } from "../../proto/errors/entries/validation.ts";
import { mayMean } from "../../proto/errors/steps/remembered.ts";
import type { Log } from "../core/log.ts";
import type { SupervisedRole } from "../supervisor/supervised-role.ts";
import type { InFlightCall } from "./in-flight-call.ts";

/** The longest time that the error waits for other roles. */
const ASK_MS_MAX = 1_000;
/** The time left for the error itself to reach the client. */
const ANSWER_MS = 250;

/** Returns the error with the other roles that delivered the ref, or undefined if there are none. */
export async function inOtherRoles(
  { type, details, candidates }: ErrorDetail,
  under: InFlightCall,
  roles: ReadonlyMap<string, SupervisedRole>,
  log: Log,
): Promise<TroupeError<"UNKNOWN_REF"> | undefined> {
  const { session, role: own } = under;
  const data = details as unknown as ErrorData["UNKNOWN_REF"];
  const isOpen = type === "UNKNOWN_REF" && data.cause !== "malformed" && candidates.length === 0;
  if (!session || !isOpen || data.elsewhere || under.caller?.role !== undefined) return undefined;
  const others = [...session.visits.keys()].flatMap((name) => (name === own ? [] : (roles.get(name) ?? [])));
  const waitMs = Math.min(ASK_MS_MAX, under.leftMs() - ANSWER_MS);
  if (waitMs <= 0) return undefined;
  const asked = { key: session.key, ref: data.ref };
  const delivered = await Promise.all(others.map((role) => deliveredIn(role, asked, waitMs, log)));
  const elsewhere = delivered.flat().filter(({ element }) => mayMean(data, element));
  return elsewhere.length > 0 ? fail("UNKNOWN_REF", { ...data, elsewhere }) : undefined;
}

async function deliveredIn(
  role: SupervisedRole,
  asked: { key: string; ref: string },
  waitMs: number,
  log: Log,
): Promise<Elsewhere[]> {
  const { worker } = role;
  if (!worker) return [];
  try {
    const { tab, isCurrent, element } = await worker.link.ask("WhereTold", asked, waitMs);
    if (!tab) return [];
    return [
      {
        role: role.name,
        ...(!isCurrent && { tab }),
        ...(element && { element: { role: element.role, name: element.name } }),
      },
    ];
  } catch (error) {
    log.debug({ err: error, role: role.name }, "a role was not asked for a ref");
    return [];
  }
}
