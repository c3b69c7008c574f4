// A ref that its role does not know may be of another role of the session: the error names that one.

import type { Elsewhere } from "../../proto/errors/validation.ts";
import { type ErrorData, type ErrorDetail, fail, type TroupeError } from "../../proto/errors.ts";
import type { Log } from "../log.ts";
import type { SupervisedRole } from "../supervisor/supervised-role.ts";
import type { UnderWay } from "./under-way.ts";

/** An error is held up no longer. */
const ASK_MS_MAX = 1_000;

/** The error with the other roles in which the ref would be right; undefined where there are none. */
export async function inOtherRoles(
  { type, details, candidates }: ErrorDetail,
  { session, role: own }: UnderWay,
  roles: ReadonlyMap<string, SupervisedRole>,
  log: Log,
): Promise<TroupeError<"UNKNOWN_REF"> | undefined> {
  const data = details as unknown as ErrorData["UNKNOWN_REF"];
  const isOpen = type === "UNKNOWN_REF" && data.cause !== "malformed" && candidates.length === 0;
  if (!session || !isOpen || data.elsewhere) return undefined;
  const others = [...session.visits.keys()].flatMap((name) => (name === own ? [] : (roles.get(name) ?? [])));
  const told = await Promise.all(others.map((role) => toldIn(role, session.key, data.ref, log)));
  const elsewhere = told.flat();
  return elsewhere.length > 0 ? fail("UNKNOWN_REF", { ...data, elsewhere }) : undefined;
}

async function toldIn(role: SupervisedRole, key: string, ref: string, log: Log): Promise<Elsewhere[]> {
  const { worker } = role;
  if (!worker) return [];
  try {
    const { tab, isCurrent, element } = await worker.link.ask("WhereTold", { key, ref }, ASK_MS_MAX);
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
