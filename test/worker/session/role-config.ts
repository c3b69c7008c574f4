// A role as the daemon gives it to its worker, for tests that run one in their own process.
import type { RoleConfig } from "../../../proto/gen/troupe.ts";
import { decode, encode, messageType } from "../../../proto/wire/schema.ts";
import { NO_WISHES } from "../../../worker/chrome/launch.ts";
import { Redactor } from "../../../worker/secrets/redactor.ts";
import { RoleSecrets } from "../../../worker/secrets/role-secrets.ts";

const TYPE = messageType("troupe.v1.RoleConfig");
const GIVEN = {
  name: "tester",
  browser: NO_WISHES,
  isolation: "session",
  callTimeoutMs: 30_000,
};

/** A role without a login, a start page or prepared sessions. */
export const PLAIN_ROLE: RoleConfig = decode(TYPE, encode(TYPE, GIVEN));

/** The credentials of a role that has none. */
export function noSecrets(): RoleSecrets {
  const ask = async () => ({ problem: "is not configured" });
  return new RoleSecrets({ role: "tester", credentials: [], redactor: new Redactor(), ask });
}
