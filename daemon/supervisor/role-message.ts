// Makes the protocol's message of a role.
import type { Role } from "../../proto/gen/troupe.ts";
import type { Clock } from "../core/clock.ts";
import { timestamp } from "./failure-history.ts";
import type { RoleView } from "./supervision.ts";

export function roleMessage(role: RoleView, clock: Clock): Role {
  const { stand, current } = role;
  const { info } = current ?? {};
  const dateOf = (steadyMs: number) => timestamp(clock.now() + Math.round(steadyMs - clock.steady()));
  return {
    name: role.name,
    state: `ROLE_STATE_${stand.state}`,
    workerPid: current?.pid ?? 0,
    browserPid: info?.browserPid ?? 0,
    browserVersion: info?.browserVersion ?? "",
    browserSource: info?.browserSource ?? "",
    sandbox: info?.sandbox ?? "",
    sessions: role.slots.size,
    resting: role.hibernated,
    restarts: role.restarts,
    readySince: stand.state === "READY" ? dateOf(stand.sinceMs) : null,
    retryAt: "retryAtMs" in stand ? dateOf(stand.retryAtMs) : null,
    reason: "reason" in stand ? (stand.reason ?? "") : "",
    startUrl: role.settings.startUrl ?? "",
    login: loginOf(role),
  };
}

/** Returns the state of the role's login: as its worker found it, else as the configuration says. */
export function loginOf(role: RoleView): string {
  const found = role.current?.info?.login;
  return found || (role.settings.auth ? "login not loaded yet" : "no login");
}
