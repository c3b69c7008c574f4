// Warns of roles whose login file is missing or has expired by its dates.
import { readFileSync, statSync } from "node:fs";
import { expiredByDate, parseDatedLogin } from "../../proto/text/login-end.ts";
import type { RoleSettings } from "./load.ts";

/** A larger file is left to the role's worker, which reports an expired login itself. */
const READ_BYTES_MAX = 2 ** 20;

/** Returns a warning for each such role. */
export function loginWarnings(
  roles: readonly Pick<RoleSettings, "name" | "auth">[],
  nowMs: number,
): string[] {
  return roles.flatMap(({ name, auth }) => {
    const fault = auth && faultOf(auth.file, nowMs);
    return fault ? [`role ${name}: its login ${auth.shown} ${fault}; troupe login ${name} makes one`] : [];
  });
}

function faultOf(file: string, nowMs: number): string | undefined {
  if (!statSync(file, { throwIfNoEntry: false })) return "is not there";
  const ended = endOf(file, nowMs);
  return ended && `has expired: ${ended}`;
}

function endOf(file: string, nowMs: number): string | undefined {
  try {
    const { size } = statSync(file);
    return size > READ_BYTES_MAX
      ? undefined
      : expiredByDate(parseDatedLogin(readFileSync(file, "utf8")), nowMs);
  } catch {
    // A file that cannot be read is no expired login. The role's start reports its problem.
    return undefined;
  }
}
