import assert from "node:assert/strict";
import { test } from "node:test";
import { missesDeath, nextVisit, type Visit, type VisitEvent } from "../../../daemon/sessions/visit.ts";

const awake = (deathsKnown: number): Visit => ({ state: "AWAKE", deathsKnown });
const hibernated = (isReported: boolean): Visit => ({ state: "HIBERNATED", isReported });
const interrupted: Visit = { state: "INTERRUPTED" };

/** The role's worker has died twice. */
const table: [what: string, visit: Visit, event: VisitEvent, next: Visit][] = [
  ["a session that knows of all deaths hibernates", awake(2), "hibernated", hibernated(false)],
  ["a session that misses one must still report it", awake(1), "hibernated", interrupted],
  ["an interrupted session stays so", interrupted, "hibernated", interrupted],
  ["deaths during hibernation do not concern a woken session", hibernated(false), "woken", awake(2)],
  ["a session that is woken without a report must still report", interrupted, "woken", awake(-1)],
  ["an informed session knows of all deaths", awake(0), "informed", awake(2)],
  ["a hibernated session reports its hibernation once", hibernated(false), "informed", hibernated(true)],
  ["an interrupted session reports its interruption once", interrupted, "informed", hibernated(true)],
];

for (const [what, visit, event, next] of table)
  test(what, () => assert.deepEqual(nextVisit(visit, event, 2), next));

test("a session misses a death until it is informed", () => {
  const visits = [awake(1), awake(2), hibernated(false), interrupted];
  assert.deepEqual(
    visits.map((visit) => missesDeath(visit, 2)),
    [true, false, false, true],
  );
});
