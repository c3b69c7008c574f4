// Makes the protocol's message of a role.
import type { Role } from "../../proto/gen/troupe.ts";
import { redactedAddress } from "../../proto/text/redact.ts";
import { loginEndMs } from "../config/login-end.ts";
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
    browserEndpoint: endpointOf(role.settings),
    sandbox: info?.sandbox ?? "",
    sessions: role.slots.size,
    resting: role.hibernated,
    waiting: role.slots.waiting,
    memoryBytes: role.memory ? role.memory.worker + role.memory.browser : 0,
    restarts: role.restarts,
    readySince: stand.state === "READY" ? dateOf(stand.sinceMs) : null,
    retryAt: "retryAtMs" in stand ? dateOf(stand.retryAtMs) : null,
    reason: role.isAsking ? ASKING : "reason" in stand ? (stand.reason ?? "") : "",
    startUrl: role.settings.startUrl ?? "",
    login: loginOf(role),
    loginEnds: endOf(role),
  };
}

/** The reason of a start that waits for a person. */
export const ASKING = "its browser does not answer yet: it may ask a person to allow the connection";

/** Returns the browser that the role is attached to, as the configuration names it. Empty for one of its own. */
export function endpointOf({ browser }: Pick<RoleView["settings"], "browser">): string {
  return browser.connect === undefined ? "" : redactedAddress(browser.connect);
}

function endOf({ settings: { auth } }: RoleView): Role["loginEnds"] {
  const endMs = auth && loginEndMs(auth);
  return endMs === undefined ? null : timestamp(endMs);
}

/** Returns the state of the role's login: as its worker found it, else as the configuration says. */
export function loginOf(role: RoleView): string {
  const found = role.current?.info?.login;
  return found || (role.settings.auth ? "login not loaded yet" : "no login");
}
