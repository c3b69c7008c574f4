// A ref that its role does not know may be of another role of the session: the error names that one.

import { type ErrorData, type ErrorDetail, fail, type TroupeError } from "../../proto/errors/catalogue.ts";
import type { Elsewhere } from "../../proto/errors/validation.ts";
import type { Log } from "../core/log.ts";
import type { SupervisedRole } from "../supervisor/supervised-role.ts";
import type { InFlightCall } from "./in-flight-call.ts";

/** An error is held up no longer. */
const ASK_MS_MAX = 1_000;
/** What is left for the error itself. */
const ANSWER_MS = 250;

/** The error with the other roles in which the ref would be right; undefined where there are none. */
export async function inOtherRoles(
  { type, details, candidates }: ErrorDetail,
  under: InFlightCall,
  roles: ReadonlyMap<string, SupervisedRole>,
  log: Log,
): Promise<TroupeError<"UNKNOWN_REF"> | undefined> {
  const { session, role: own } = under;
  const data = details as unknown as ErrorData["UNKNOWN_REF"];
  const isOpen = type === "UNKNOWN_REF" && data.cause !== "malformed" && candidates.length === 0;
  if (!session || !isOpen || data.elsewhere) return undefined;
  const others = [...session.visits.keys()].flatMap((name) => (name === own ? [] : (roles.get(name) ?? [])));
  const waitMs = Math.min(ASK_MS_MAX, under.leftMs() - ANSWER_MS);
  if (waitMs <= 0) return undefined;
  const asked = { key: session.key, ref: data.ref };
  const told = await Promise.all(others.map((role) => toldIn(role, asked, waitMs, log)));
  const elsewhere = told.flat();
  return elsewhere.length > 0 ? fail("UNKNOWN_REF", { ...data, elsewhere }) : undefined;
}

async function toldIn(
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
