// Reads the states of a daemon's roles, and the state of their stand-in workers.
import assert from "node:assert/strict";
import type { Role, RoleState, WatchEventsResponse } from "../../proto/gen/troupe.ts";
import type { testDaemon } from "./daemon.ts";

type Troupe = Awaited<ReturnType<typeof testDaemon>>;

export async function role(troupe: Troupe, name: string) {
  const { ok } = await troupe.ask("GetRole", { name });
  assert.ok(ok?.role);
  return ok.role;
}

/** Resolves with the role when it is in this state. */
export async function reaches(troupe: Troupe, name: string, state: RoleState): Promise<Role> {
  const events = troupe.stream<WatchEventsResponse>(
    "Control.WatchEvents",
    { role: name },
    { deadlineMs: 8000 },
  );
  // The wait cancels the stream at its end.
  events.on("error", () => undefined);
  for await (const event of events) {
    // The first event is a heartbeat. It confirms that all later changes come.
    const now = event.role ?? (event.heartbeat && (await role(troupe, name)));
    if (now?.state !== state) continue;
    events.cancel();
    return now;
  }
  throw new Error(`${name} did not become ${state}`);
}

export async function workerState(troupe: Troupe, given: { session?: string; role?: string } = {}) {
  const { ok = "{}" } = await troupe.open("http://do/state", given);
  return JSON.parse(ok) as { pid: number; restored: { key: string; tabs: { url: string }[] }[] };
}
