// Finds where else a misused ref was delivered: in another tab, or, for the daemon, in another role.
import { fail, isTroupeError } from "../../proto/errors/catalogue.ts";
import { mayMean } from "../../proto/errors/steps/remembered.ts";
import type {
  FindAgainResponse,
  Input,
  WhereToldRequest,
  WhereToldResponse,
} from "../../proto/gen/troupe.ts";
import { type ParsedRef, parseRef } from "../refs/ref-text.ts";
import type { Session } from "../session/session.ts";
import type { Tab } from "../tab/tab.ts";

/** A tab whose present page has the ref, as delivered to the session. */
interface DeliveredAt {
  tab: string;
  element?: NonNullable<Input<FindAgainResponse>["element"]>;
}

/** Looks in the session of that key, its current tab first, and changes nothing there. */
export function whereDelivered(
  sessions: readonly Session[],
  { key, ref }: WhereToldRequest,
): Input<WhereToldResponse> {
  const session = sessions.find((each) => each.key === key);
  const parsed = parseRef(ref);
  if (!session || !parsed) return {};
  const current = session.tabs.get();
  const found = session.tabs.open.flatMap((tab) => deliveredAt(tab, parsed));
  const [first = undefined] = found.filter(({ tab }) => tab === current?.id).concat(found);
  return first ? { ...first, isCurrent: first.tab === current?.id } : {};
}

/** Adds to the error other tabs in which the ref is valid, if its own tab never delivered it. */
export function withPlaces(error: unknown, session: Session, tab: string): unknown {
  if (!isTroupeError(error) || error.type !== "UNKNOWN_REF") return error;
  const data = error.data as Extract<typeof error.data, { ref: string; cause: string }>;
  const parsed = parseRef(data.ref);
  const hasFound = "candidates" in data && (data.candidates?.length ?? 0) > 0;
  if (!parsed || hasFound) return error;
  const own = tab || session.tabs.currentId;
  const elsewhere = session.tabs.open
    .filter(({ id }) => id !== own)
    .flatMap((each) => deliveredAt(each, parsed))
    .filter(({ element }) => mayMean(data, element));
  return elsewhere.length === 0 ? error : fail("UNKNOWN_REF", { ...data, elsewhere } as never, error);
}

function deliveredAt(tab: Tab, ref: ParsedRef): DeliveredAt[] {
  const frame = tab.frames.numbered(ref.frame);
  const world = frame === "gone" ? undefined : frame?.world?.uniqueId;
  if (world === undefined || tab.delivered.knows(ref, world) !== "known") return [];
  const element = tab.delivered.elementOf(ref);
  return [{ tab: tab.id, ...(element && { element }) }];
}
