// What is otherwise in a configuration that was read again.
import { isDeepStrictEqual } from "node:util";
import type { DaemonConfig, RoleSettings } from "../config/load.ts";
import { workerConfig } from "../worker-process/worker-config.ts";

/** The differences, as far as somebody has to act on them. */
export interface ConfigChanges {
  added: RoleSettings[];
  /** By name. */
  removed: string[];
  /** `restarts`: the worker that runs was started with something else. */
  changed: { settings: RoleSettings; restarts: boolean }[];
  /** Keys that hold from the daemon's next start. */
  later: string[];
}

/** What is bound, opened or decided once. */
const HELD_FROM_START = ["listen", "http", "hosts", "journal", "stateKeys"] as const;

/** Compares two configurations. */
export function configChanges(before: DaemonConfig, after: DaemonConfig): ConfigChanges {
  const known = new Map(before.roles.map((role) => [role.name, role]));
  const wanted = new Set(after.roles.map(({ name }) => name));
  return {
    added: after.roles.filter(({ name }) => !known.has(name)),
    removed: [...known.keys()].filter((name) => !wanted.has(name)),
    changed: after.roles.flatMap((settings) => {
      const old = known.get(settings.name);
      if (!old || isDeepStrictEqual(old, settings)) return [];
      return [{ settings, restarts: !isDeepStrictEqual(workerConfig(old, 0), workerConfig(settings, 0)) }];
    }),
    later: [
      ...HELD_FROM_START.filter((key) => !isDeepStrictEqual(before[key], after[key])),
      // Other certificates hold at once; that there are any at all is decided with the doors.
      ...((before.tls === undefined) === (after.tls === undefined) ? clientCaChange(before, after) : ["tls"]),
    ],
  };
}

/** Another authority holds at once; that clients show certificates at all is decided with the doors. */
function clientCaChange({ tls: before }: DaemonConfig, { tls: after }: DaemonConfig): string[] {
  return (before?.clientCa === undefined) === (after?.clientCa === undefined) ? [] : ["tls.clientCa"];
}
