// Prints roles as a table for people.
import type { Role } from "../../../proto/gen/troupe.ts";
import { untilText } from "../../../proto/text/login-end.ts";
import { timeText } from "../../../proto/wire/proto-json.ts";
import { table } from "./table.ts";

const HEAD = [
  "role",
  "state",
  "login",
  "expires",
  "awake",
  "resting",
  "restarts",
  "worker",
  "browser",
  "sandbox",
];

/** Prints one line for each role. Below the table it says why roles are not ready. */
export function roleTable(roles: readonly Role[], nowMs = Date.now()): string {
  const rows = roles.map((role) => [
    role.name,
    stateOf(role),
    role.login,
    role.loginEnds ? untilText(msOf(role.loginEnds), nowMs) : "",
    role.sessions,
    role.resting,
    role.restarts,
    role.workerPid || "",
    browserOf(role),
    role.sandbox,
  ]);
  const reasons = roles.filter(({ reason }) => reason).map(({ name, reason }) => `${name}: ${reason}`);
  return [table(HEAD, rows), ...reasons].join("\n");
}

function msOf({ seconds }: NonNullable<Role["loginEnds"]>): number {
  return Number(seconds) * 1000;
}

/** The state in the contract's words: READY, BACKING_OFF … */
function stateOf({ state, retryAt }: Pick<Role, "state" | "retryAt">): string {
  const word = state.replace("ROLE_STATE_", "");
  return retryAt && word === "BACKING_OFF" ? `${word} until ${timeText(retryAt)}` : word;
}

function browserOf({ browserVersion, browserSource, browserPid, browserEndpoint }: Role): string {
  if (browserEndpoint) return [browserVersion, `attached to ${browserEndpoint}`].filter(Boolean).join(", ");
  if (!browserPid) return browserVersion;
  return `${browserVersion} (${browserSource}, ${browserPid})`;
}
