// Reads the states of a daemon's roles, and the state of their stand-in workers.
import assert from "node:assert/strict";
import type { RoleState } from "../../proto/gen/troupe.ts";
import { type testDaemon, until } from "./daemon.ts";

type Troupe = Awaited<ReturnType<typeof testDaemon>>;

export async function role(troupe: Troupe, name: string) {
  const { ok } = await troupe.ask("GetRole", { name });
  assert.ok(ok?.role);
  return ok.role;
}

export const reaches = (troupe: Troupe, name: string, state: RoleState) =>
  until(async () => (await role(troupe, name)).state === state, `${name} is ${state}`);

export async function workerState(troupe: Troupe, given: { session?: string; role?: string } = {}) {
  const { ok = "{}" } = await troupe.open("http://do/state", given);
  return JSON.parse(ok) as { pid: number; restored: { key: string; tabs: { url: string }[] }[] };
}
