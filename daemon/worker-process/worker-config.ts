// Makes the role's configuration for its worker.
import type { RoleConfig } from "../../proto/gen/troupe.ts";
import { decode, encode, messageType } from "../../proto/wire/schema.ts";
import type { RoleSettings } from "../config/load.ts";
import { splitOrigin } from "../config-schema/values.ts";
import { sourceOf } from "../credentials/read-source.ts";

const ROLE_CONFIG = messageType("troupe.v1.RoleConfig");

/** Returns the role's settings as a message. A field takes the key of its name; a missing setting is empty. */
export function workerConfig(
  settings: RoleSettings,
  callTimeoutMs: number,
  daemonPorts: readonly number[] = [],
): RoleConfig {
  const { auth, isolation, freezeAfter, approveWithin } = settings;
  const allowed = (settings.allow ?? []).map(splitOrigin);
  const fields = {
    ...settings,
    allow: allowed.map(({ origin }) => origin),
    readOnly: allowed.filter(({ readOnly }) => readOnly).map(({ origin }) => origin),
    authFile: auth?.file,
    authFileShown: auth?.shown,
    credentials: Object.entries(settings.credentials ?? {}).map(([name, each]) => ({
      name,
      origins: each.origins,
      source: sourceOf(each),
    })),
    approvalTimeMs: approveWithin,
    callTimeoutMs,
    daemonPorts,
    // A frozen page keeps its locks and open databases, and pages in the same context would wait for them.
    freezeAfterMs: isolation === "role" ? 0 : freezeAfter,
  };
  return decode(ROLE_CONFIG, encode(ROLE_CONFIG, fields));
}
