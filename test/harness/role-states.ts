// Reads the states of a daemon's roles, and the state of their stand-in workers.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { Role, RoleState } from "../../proto/gen/troupe.ts";
import type { testClient } from "./daemon.ts";
import { afterEvents, EVENT_MS_MAX } from "./events/after-events.ts";

type Troupe = Pick<ReturnType<typeof testClient>, "ask" | "open" | "stream">;

export async function role(troupe: Troupe, name: string): Promise<Role> {
  const { ok } = await troupe.ask("GetRole", { name });
  assert.ok(ok?.role);
  return ok.role;
}

/** Resolves with the role when `holds` is true of it. */
export async function roleWhen(
  troupe: Troupe,
  name: string,
  holds: (role: Role) => boolean,
  what: string,
  withinMs = EVENT_MS_MAX,
): Promise<Role> {
  const events = troupe.stream("Control.WatchEvents", { role: name });
  // The wait cancels the stream at its end.
  events.on("error", () => undefined);
  const found = async () => {
    const now = await role(troupe, name);
    return holds(now) && now;
  };
  try {
    return await afterEvents(events, "data", found, what, withinMs);
  } finally {
    events.cancel();
  }
}

/** Resolves with the role when it is in this state. */
export function reaches(troupe: Troupe, name: string, state: RoleState, withinMs?: number): Promise<Role> {
  return roleWhen(troupe, name, (now) => now.state === state, `${name} is ${state}`, withinMs);
}

/** Resolves with the role when its worker was restarted so often and takes calls. */
export function restarted(troupe: Troupe, name: string, times = 1): Promise<Role> {
  const isBack = ({ restarts, state }: Role) => restarts === times && state === "ROLE_STATE_READY";
  return roleWhen(troupe, name, isBack, `${times} restarts of ${name}`);
}

/** Resolves when the daemon has all that the role's stand-in has reported so far, this login last. */
export async function reported(
  troupe: Troupe,
  name: string,
  login = `reported ${randomUUID()}`,
): Promise<void> {
  await troupe.open(`http://do/report-login?login=${login}`, { role: name });
  await roleWhen(troupe, name, (now) => now.login === login, `the reports of ${name} have come`);
}

export async function workerState(troupe: Troupe, given: { session?: string; role?: string } = {}) {
  const { ok = "{}" } = await troupe.open("http://do/state", given);
  return JSON.parse(ok) as { pid: number; restored: { key: string; tabs: { url: string }[] }[] };
}
