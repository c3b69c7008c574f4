// Roles whose login's file is not there, or has expired by the dates in it.
import { readFileSync, statSync } from "node:fs";
import { expiredByDate, parseDatedLogin } from "../../proto/text/login-end.ts";
import type { RoleSettings } from "./load.ts";

/** The role's worker reads a larger file, and says that it has expired. */
const READ_BYTES_MAX = 2 ** 20;

/** A warning for each, as things are now. */
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
    // A file that cannot be read is no expired login: the role's start tells what is wrong with it.
    return undefined;
  }
}
