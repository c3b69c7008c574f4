// Compares a configuration that was read again with the current one.
import { isDeepStrictEqual } from "node:util";
import type { DaemonConfig, RoleSettings } from "../config/load.ts";
import type { Configuration } from "../config-schema/definition.ts";
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

type OutsideRoles = Exclude<keyof Configuration, "roles" | "browser" | "files">;

/** The daemon's parts read a key anew at once, or the key is bound, opened or decided once. */
const EFFECT: Readonly<Record<OutsideRoles, "at once" | "at the start">> = {
  limits: "at once",
  restart: "at once",
  log: "at once",
  tokens: "at once",
  oidc: "at once",
  tls: "at once",
  listen: "at the start",
  http: "at the start",
  hosts: "at the start",
  journal: "at the start",
  takeover: "at the start",
  evidence: "at the start",
  stateKeys: "at once",
  store: "at the start",
  peers: "at once",
};
const OUTSIDE_ROLES = Object.keys(EFFECT) as OutsideRoles[];

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
    applied: OUTSIDE_ROLES.filter((key) => EFFECT[key] === "at once" && differs(key) && !later.includes(key)),
    later,
  };
}

function laterKeys(before: DaemonConfig, after: DaemonConfig): string[] {
  return [
    ...OUTSIDE_ROLES.filter(
      (key) => EFFECT[key] === "at the start" && !isDeepStrictEqual(before[key], after[key]),
    ),
    // Other certificates take effect at once. The use of TLS at all is decided when the doors open.
    ...((before.tls === undefined) === (after.tls === undefined) ? clientCaChange(before, after) : ["tls"]),
    ...(isDeepStrictEqual(peerDoor(before), peerDoor(after)) ? [] : ["peers"]),
  ];
}

/** The other daemons' door. Its certificates take effect at once. */
function peerDoor({ peers }: DaemonConfig) {
  return peers && { listen: peers.listen, address: peers.address };
}

/** Another authority takes effect at once. The requirement of client certificates is decided when the doors open. */
function clientCaChange({ tls: before }: DaemonConfig, { tls: after }: DaemonConfig): string[] {
  return (before?.clientCa === undefined) === (after?.clientCa === undefined) ? [] : ["tls.clientCa"];
}
