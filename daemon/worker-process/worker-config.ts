// Makes the role's configuration for its worker.
import type { RoleConfig } from "../../proto/gen/troupe.ts";
import type { RoleSettings } from "../config/load.ts";

/** Returns the role's settings as a message. A missing setting is empty. */
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
    // A frozen page keeps its locks and open databases, and pages in the same context would wait for them.
    freezeAfterMs: isolation === "role" ? 0 : freezeAfter,
  };
}
