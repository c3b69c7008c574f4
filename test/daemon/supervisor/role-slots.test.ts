import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { pino } from "pino";
import { OWNER } from "../../../daemon/admission/client.ts";
import type { DaemonConfig } from "../../../daemon/config/load.ts";
import { Sessions } from "../../../daemon/sessions/sessions.ts";
import { RoleSlots } from "../../../daemon/supervisor/role-slots.ts";
import type { SupervisedRole } from "../../../daemon/supervisor/supervised-role.ts";
import { fakeClock } from "../fixtures/fake-clock.ts";

test("storage of awake sessions ends no more than one hibernated session", async () => {
  const clock = fakeClock();
  const sessions = new Sessions({ sessions: 9, sessionIdle: 600_000, sessionMax: 600_000 }, "one", clock);
  const limits = { queue: 9, queueWait: 1_000, sessionStore: 100 } as DaemonConfig["limits"];
  const kept = { used: () => undefined, bytes: 0 };
  const log = pino({ level: "silent" });
  using rolePlaces = new RoleSlots({ config: { limits }, sessions, kept, clock, log });
  const role = {
    name: "one",
    settings: { name: "one", sessions: 9, hibernateAfter: 1_000 },
    sessions: {},
    deaths: 0,
    putToRest: async () => ({ isSpared: false, losses: [] }),
  };
  rolePlaces.open(role as unknown as SupervisedRole);
  const places = rolePlaces.all.get("one");
  const never = new AbortController().signal;
  const rest = async (id: string) => {
    const caller = { session: id, client: OWNER, key: `local/${id}`, profile: "core" as const };
    const session = sessions.open({ ...caller, maxTokens: undefined, role: undefined, resumes: undefined });
    session.visits.set("one", { deathsKnown: 0 });
    (await places?.take(session.key, id, 1_000, never))?.();
    clock.pass(1_000);
    await setImmediate();
  };
  for (const id of ["a", "b", "c"]) await rest(id);
  assert.equal(sessions.restingIn("one"), 3);
  kept.bytes = 1_000;
  await rest("d");
  assert.equal(sessions.restingIn("one"), 3);
});
