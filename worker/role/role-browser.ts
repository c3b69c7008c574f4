// Starts a role's browser, and describes why one does not start.
import path from "node:path";
import { fail } from "../../proto/errors/catalogue.ts";
import type { RoleConfig } from "../../proto/gen/troupe.ts";
import { NoTemporaryFolder } from "../../proto/machine/temporary-folder.ts";
import { redactedAddress } from "../../proto/text/redact.ts";
import { attachChrome } from "../chrome/attach.ts";
import { BrowserNotFound } from "../chrome/browser-not-found.ts";
import type { Chrome } from "../chrome/chrome.ts";
import { BrowserDied, launchChrome, NO_WISHES } from "../chrome/launch.ts";
import { NoSandbox } from "../chrome/no-sandbox.ts";
import { NotConnected } from "../chrome/not-connected.ts";
import { traceCommands } from "../chrome/traced-commands.ts";
import { RolePolicy } from "../policy/role-policy.ts";
import { isAboutProxies } from "../policy/upstream.ts";

const RETRY_AFTER_MS = 1_000;

/** Puts the role's policy in force. Throws WORKER_UNAVAILABLE if the browser's arguments contradict it. */
export async function policyOf(config: RoleConfig): Promise<RolePolicy> {
  try {
    return await RolePolicy.open(config);
  } catch (error) {
    const { message: reason } = error as Error;
    const mend =
      "Name the network's proxy as --proxy-server=http://HOST:PORT in browser.args, or leave it out.";
    throw fail("WORKER_UNAVAILABLE", { role: config.name, reason, mend }, error);
  }
}

/** Starts the role's browser, or attaches to it. `asking`: called if it seems to ask a person first. */
export async function openBrowser(config: RoleConfig, proxy: string, asking: () => void): Promise<Chrome> {
  const connect = config.browser?.connect;
  const chrome = await (connect ? attach(config, connect, asking) : launch(config, proxy));
  traceCommands(chrome.connection);
  return chrome;
}

/** Sets the browser up for its role. Throws CHROME_NOT_CONNECTED if an attached one fails meanwhile. */
export async function setUp(
  { name: role }: RoleConfig,
  { endpoint }: Chrome,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (endpoint === undefined) throw error;
    throw fail("CHROME_NOT_CONNECTED", { role, endpoint, reason: FAILS, effect: "none" }, error);
  }
}

const FAILS = "it broke the connection off, or does not speak the DevTools protocol as Chrome does";

/** Throws CHROME_NOT_CONNECTED. */
async function attach(
  { name: role, isolation }: RoleConfig,
  connect: string,
  asking: () => void,
): Promise<Chrome> {
  const shown = redactedAddress(connect);
  try {
    const chrome = await attachChrome({ connect, shown, asking });
    if (isolation !== "role" || chrome.personalContext !== undefined) return chrome;
    await chrome.close();
    throw new NotConnected("it does not name the context of its own tabs: a newer Chrome does");
  } catch (error) {
    if (!(error instanceof NotConnected)) throw error;
    const { isDeclined, message: reason } = error;
    const data = { role, endpoint: shown, reason, effect: "none" as const };
    throw fail("CHROME_NOT_CONNECTED", { ...data, ...(isDeclined && { declined: true }) }, error);
  }
}

/**
 * Starts the role's browser behind its proxy. Throws WORKER_UNAVAILABLE, with a remedy if the browser does not start at
 * all.
 */
async function launch({ name, browser }: RoleConfig, proxy: string): Promise<Chrome> {
  try {
    const wishes = browser ?? NO_WISHES;
    // The policy follows the proxy arguments itself. In Chrome, they would lead past Troupe's proxy.
    const args = wishes.args.filter((arg) => !isAboutProxies(arg));
    return await launchChrome({ ...wishes, args }, { proxy, startsEmpty: true });
  } catch (error) {
    const message = withoutPaths((error as Error).message, browser);
    if (error instanceof BrowserDied) {
      throw fail("WORKER_UNAVAILABLE", { role: name, reason: message, retryAfterMs: RETRY_AFTER_MS }, error);
    }
    const isKnown =
      error instanceof BrowserNotFound || error instanceof NoTemporaryFolder || error instanceof NoSandbox;
    const mend = isKnown ? error.mend : mendOf(message);
    throw fail(
      "WORKER_UNAVAILABLE",
      { role: name, reason: `its browser does not start: ${firstLines(message)}`, mend },
      error,
    );
  }
}

/** Shortens the paths of programs to their names. A program that the configuration names keeps its written form. */
function withoutPaths(message: string, browser: RoleConfig["browser"]): string {
  const shown = new Map([
    [process.env.TROUPE_BROWSER, process.env.TROUPE_BROWSER],
    [browser?.executable, browser?.executableShown],
  ]);
  return message.replace(
    /(?<![\w:.])(?:\/[\w.+@~-]+)+/g,
    (found) => shown.get(found) || path.basename(found),
  );
}

function mendOf(message: string): string {
  if (/sandbox/i.test(message))
    return "Let Chrome have its sandbox (unprivileged user namespaces, or run the daemon as another user than root), or set browser.sandbox: false in troupe.yaml.";
  if (/shared librar/i.test(message))
    return "Install what Chrome needs: apt-get install chromium brings all of it.";
  return "Try the browser by hand, or name another one in TROUPE_BROWSER or browser.executable.";
}

function firstLines(message: string): string {
  return message.split("\n").filter(Boolean).slice(0, 3).join(" ").slice(0, 500);
}
