// What a worker is told of its role.
import type { RoleConfig } from "../../proto/gen/troupe.ts";
import type { RoleSettings } from "../config/load.ts";

/** The role's settings as they travel: what is not set is empty. */
export function workerConfig(
  settings: RoleSettings,
  callTimeoutMs: number,
  daemonPorts: readonly number[] = [],
): RoleConfig {
  const { name, startUrl, auth, authCheck, authRequired, allow, allowRequests, browser, isolation } =
    settings;
  const { prepare, freezeAfter } = settings;
  return {
    name,
    startUrl: startUrl ?? "",
    authFile: auth?.file ?? "",
    authFileShown: auth?.shown ?? "",
    authRequired,
    allow: allow ?? [],
    browser: {
      executable: browser.executable ?? "",
      executableShown: browser.executableShown ?? "",
      headless: browser.headless,
      sandbox: String(browser.sandbox),
      args: browser.args,
    },
    isolation,
    callTimeoutMs,
    authCheck: authCheck
      ? { loginUrl: authCheck.loginUrl ?? "", loggedInText: authCheck.loggedInText ?? "" }
      : null,
    allowRequests: allowRequests ?? [],
    daemonPorts: [...daemonPorts],
    prepare,
    // A page that stands still keeps its locks and its open databases, of which those in the same context wait.
    freezeAfterMs: isolation === "role" ? 0 : freezeAfter,
  };
}
