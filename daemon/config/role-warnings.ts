// Warns of roles whose login file is missing or has expired by its dates, or whose credentials cannot be typed.
import { statSync } from "node:fs";
import { expiredByDate } from "../../proto/text/login-end.ts";
import { credentialFaults } from "../credentials/credential-faults.ts";
import type { RoleSettings } from "./load.ts";
import { datedLogin } from "./login-file.ts";

/** Returns a warning for each such role. */
export function roleWarnings(
  roles: readonly Pick<RoleSettings, "name" | "auth" | "credentials">[],
  nowMs: number,
  env: NodeJS.ProcessEnv = process.env,
): string[] {
  return roles.flatMap((role) => {
    const { name, auth } = role;
    const fault = auth && faultOf(auth.file, nowMs);
    return [
      ...(fault ? [`role ${name}: its login ${auth.shown} ${fault}; troupe login ${name} makes one`] : []),
      ...credentialFaults(role, { env, nowMs }).map(
        (each) => `credential ${each.name}: ${each.found}. ${each.mend}`,
      ),
    ];
  });
}

function faultOf(file: string, nowMs: number): string | undefined {
  if (!statSync(file, { throwIfNoEntry: false })) return "is not there";
  const ended = endOf(file, nowMs);
  return ended && `has expired: ${ended}`;
}

function endOf(file: string, nowMs: number): string | undefined {
  // A file that cannot be read is no expired login.
  const login = datedLogin(file);
  return login && expiredByDate(login, nowMs);
}
