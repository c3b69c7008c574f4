// Compares a configuration that was read again with the current one.
import { isDeepStrictEqual } from "node:util";
import type { DaemonConfig, RoleSettings } from "../config/load.ts";
import { workerConfig } from "../worker-process/worker-config.ts";

/** The differences that need an action. */
export interface ConfigChanges {
  added: RoleSettings[];
  removed: string[];
  /** `restarts` is true if the running worker was started with other settings. */
  changed: { settings: RoleSettings; restarts: boolean }[];
  /** Keys outside of roles that take effect at once. */
  applied: string[];
  /** Keys that take effect at the daemon's next start. */
  later: string[];
}

/** Keys that are bound, opened or decided once. */
const HELD_FROM_START = ["listen", "http", "hosts", "journal", "stateKeys"] as const;

/** Keys that the daemon's parts read anew. */
const APPLIED_AT_ONCE = ["limits", "restart", "log", "tokens", "tls"] as const;

export function configChanges(before: DaemonConfig, after: DaemonConfig): ConfigChanges {
  const differs = (key: keyof DaemonConfig) => !isDeepStrictEqual(before[key], after[key]);
  const later = laterKeys(before, after);
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
    applied: APPLIED_AT_ONCE.filter((key) => differs(key) && !later.includes(key)),
    later,
  };
}

function laterKeys(before: DaemonConfig, after: DaemonConfig): string[] {
  return [
    ...HELD_FROM_START.filter((key) => !isDeepStrictEqual(before[key], after[key])),
    // Other certificates take effect at once. The use of TLS at all is decided when the doors open.
    ...((before.tls === undefined) === (after.tls === undefined) ? clientCaChange(before, after) : ["tls"]),
  ];
}

/** Another authority takes effect at once. The requirement of client certificates is decided when the doors open. */
function clientCaChange({ tls: before }: DaemonConfig, { tls: after }: DaemonConfig): string[] {
  return (before?.clientCa === undefined) === (after?.clientCa === undefined) ? [] : ["tls.clientCa"];
}
