// Makes a role's credentials of its configuration: absolute paths, and the origins that they are bound to.
import path from "node:path";
import type { RoleDefinition } from "../config-schema/role-definition.ts";
import { splitOrigin } from "../config-schema/values.ts";
import type { CredentialSettings, Source } from "../credentials/read-source.ts";

type Written = NonNullable<RoleDefinition["credentials"]>[string];

/** `base`: the configuration's folder. */
export function credentialsOf(role: RoleDefinition, base: string): Record<string, CredentialSettings> {
  return Object.fromEntries(
    Object.entries(role.credentials ?? {}).map(([name, { totp, origins, ...source }]) => [
      name,
      {
        ...sourceOf(source, base),
        ...(totp && { totp: sourceOf(totp, base) }),
        origins: origins ?? defaultOrigins(role),
      },
    ]),
  );
}

/** None: the credential is never typed, and a warning says so. */
function defaultOrigins({ allow, startUrl }: RoleDefinition): string[] {
  if (allow && allow.length > 0) return allow.map((each) => splitOrigin(each).origin);
  return startUrl === undefined ? [] : [new URL(startUrl).origin];
}

function sourceOf({ file, env, command }: Pick<Written, "file" | "env" | "command">, base: string): Source {
  if (file !== undefined) return { file: { path: path.resolve(base, file), shown: file } };
  return command === undefined ? { env } : { command: { words: command, cwd: base } };
}
