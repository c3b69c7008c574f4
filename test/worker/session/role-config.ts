// A role as the daemon gives it to its worker, for tests that run one in their own process.
import type { RoleConfig } from "../../../proto/gen/troupe.ts";
import { NO_WISHES } from "../../../worker/chrome/launch.ts";

/** A role without a login, a start page or prepared sessions. */
export const PLAIN_ROLE: RoleConfig = {
  name: "tester",
  startUrl: "",
  authFile: "",
  authFileShown: "",
  authRequired: false,
  allow: [],
  browser: NO_WISHES,
  isolation: "session",
  callTimeoutMs: 30_000,
  authCheck: null,
  allowRequests: [],
  daemonPorts: [],
  prepare: false,
  freezeAfterMs: 0,
};
