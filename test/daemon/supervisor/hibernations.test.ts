import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { pino } from "pino";
import { OWNER } from "../../../daemon/admission/client.ts";
import type { DaemonConfig, RoleSettings } from "../../../daemon/config/load.ts";
import { Sessions } from "../../../daemon/sessions/sessions.ts";
import { SlotQueue } from "../../../daemon/sessions/slot-queue.ts";
import { Hibernations } from "../../../daemon/supervisor/hibernations.ts";
import type { SupervisedRole } from "../../../daemon/supervisor/supervised-role.ts";
import { slotLimits } from "../../../daemon/supervisor/supervision.ts";
import { fakeClock } from "../../harness/fake-clock.ts";

test("storage of awake sessions ends no more than one hibernated session", async () => {
  const clock = fakeClock();
  const sessionLimits = { sessions: 9, sessionIdle: 600_000, sessionMax: 600_000 };
  const sessions = new Sessions({ limits: sessionLimits, firstRole: "one", clock });
  const limits = { queue: 9, queueWait: 1_000, sessionStore: 100 } as DaemonConfig["limits"];
  const kept = { used: () => undefined, bytes: 0 };
  const log = pino({ level: "silent" });
  using hibernations = new Hibernations({ config: { limits }, sessions, kept, clock, log });
  const settings = { name: "one", sessions: 9, hibernateAfter: 1_000 } as RoleSettings;
  const slots = new SlotQueue(slotLimits(settings, limits), clock);
  const role = {
    name: "one",
    slots,
    losses: { deaths: 0 },
    sessions: { putToRest: async () => ({ losses: [] }) },
  };
  hibernations.open(role as unknown as SupervisedRole);
  const never = new AbortController().signal;
  const rest = async (id: string) => {
    const caller = { session: id, client: OWNER, key: `local/${id}`, profile: "core" as const };
    const session = sessions.open({ ...caller, maxTokens: undefined, role: undefined, resumes: undefined });
    session.visits.set("one", { state: "AWAKE", deathsKnown: 0 });
    (await slots.take(session.key, id, 1_000, never))();
    clock.pass(1_000);
    await setImmediate();
  };
  for (const id of ["a", "b", "c"]) await rest(id);
  const resting = () =>
    sessions.list().filter(({ visits }) => visits.get("one")?.state === "HIBERNATED").length;
  assert.equal(resting(), 3);
  kept.bytes = 1_000;
  await rest("d");
  assert.equal(resting(), 3);
});
