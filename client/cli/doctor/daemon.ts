// Reports a running daemon's version, roles and warnings, or why none answers.

import type { GetStatusResponse, Role } from "../../../proto/gen/troupe.ts";
import { type Finding, unwell, well } from "../../../proto/machine/finding.ts";

export function daemonFindings(status: GetStatusResponse, version: string): Finding[] {
  const { pid, roles, configProblems } = status;
  const found = `version ${status.version}, process ${pid}; this client: ${version}`;
  const same = status.version === version;
  const daemon = same
    ? well("daemon", found)
    : unwell(
        "daemon",
        found,
        "Run the same version on both sides: troupe drain, then start the daemon anew.",
      );
  const problems = configProblems.map((each) =>
    unwell("daemon's configuration", each, "Mend the file, then: troupe reload"),
  );
  return [daemon, ...problems, ...roles.flatMap(roleFindings)];
}

/** Reports only roles that are not well. `troupe status` shows the rest. */
function roleFindings({ name, state, reason, login }: Role): Finding[] {
  const isFailed = state === "ROLE_STATE_FAILED" || state === "ROLE_STATE_BACKING_OFF";
  const isOut = /unauthenticated|expired/.test(login);
  return [
    ...(isFailed
      ? [unwell(`role ${name}`, reason || state, `When what it names is mended: troupe restart ${name}`)]
      : []),
    ...(isOut ? [unwell(`role ${name}`, `login: ${login}`, `Log in anew: troupe login ${name}`)] : []),
  ];
}

/** The finding if no daemon answers. `expected`: an address was named, or a note says that a daemon should run. */
export function noDaemonFinding(
  { reason, mend }: { reason: string; mend?: string },
  expected: boolean,
): Finding {
  if (!expected) return well("daemon", "none runs; the first client starts one");
  return unwell(
    "daemon",
    `it does not answer: ${reason}`,
    mend ?? "Start it: troupe daemon; its log is daemon.log in the state folder.",
  );
}
