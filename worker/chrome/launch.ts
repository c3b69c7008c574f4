// Starts the role's Chrome over a pipe, in a profile of its own, in its sandbox wherever it can be.
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import puppeteer, { type Browser, type CDPSession, type Connection } from "puppeteer-core";
import type { BrowserConfig } from "../../proto/gen/troupe.ts";
import { makeTemporaryFolder } from "../../proto/machine/temporary-folder.ts";
import { errorOutput } from "./error-output.ts";
import { type FoundBrowser, findBrowser } from "./find-browser.ts";
import { NoSandbox, saysNoSandbox } from "./no-sandbox.ts";
import { browserVersion } from "./try-browser.ts";
import { gainingPrivileges, giveTo, type OtherUser, otherUser, reachableByOthers } from "./unprivileged.ts";

/** How the profile folders of all workers begin: what is left of them is swept by it. */
const PROFILE_PREFIX = "troupe-profile-";
const LAUNCH_TIMEOUT_MS = 30_000;
const VIEWPORT = { width: 1280, height: 720 };

/** A browser of which the configuration says nothing. */
export const NO_WISHES: BrowserConfig = {
  executable: "",
  executableShown: "",
  headless: true,
  sandbox: "auto",
  args: [],
};

/** A running Chrome. */
export interface Chrome {
  browser: Browser;
  /** The browser target's session: contexts, targets, cookies. */
  session: CDPSession;
  connection: Connection;
  pid: number;
  /** Such as `Chromium 156.0.8078.73`. */
  version: string;
  source: FoundBrowser["source"];
  /** `on`, or `off: ` with the reason. */
  sandbox: string;
  profileDir: string;
  close(): Promise<void>;
}

/** The browser works, but died while it was starting: another try may go well. */
export class BrowserDied extends Error {
  override readonly name = "BrowserDied";

  constructor(executable: string, cause: unknown) {
    super(`${executable} ended while it was starting`, { cause });
  }
}

/**
 * `proxy`: what all its connections go through; undefined for whatever it uses by itself. `asksPerson`: somebody is there
 * to answer what Chrome itself asks.
 */
export interface LaunchOptions {
  env?: NodeJS.ProcessEnv;
  proxy?: string | undefined;
  asksPerson?: boolean;
}

/**
 * Starts Chrome, under `sandbox: auto` without its sandbox where this machine allows none. Rejects with BrowserNotFound,
 * NoSandbox, BrowserDied, or with an Error that has Chrome's own words.
 */
export async function launchChrome(
  config: BrowserConfig,
  { env = process.env, proxy, asksPerson = false }: LaunchOptions = {},
): Promise<Chrome> {
  const found = await findBrowser({ configured: config.executable || undefined, env });
  const user = (await mayBeReached(found)) ? otherUser() : undefined;
  const sandbox = sandboxOf(config.sandbox, user);
  const start = (state: string, as = user) =>
    startChrome({ config, found, user: as, sandbox: state, env, proxy, asksPerson });
  try {
    return await start(sandbox).catch((error: unknown) => {
      if (!(error instanceof NoSandbox) || !user) throw error;
      // Without user namespaces it may have the sandbox of a helper that becomes root.
      return start(sandbox, gainingPrivileges(user));
    });
  } catch (error) {
    if (!(error instanceof NoSandbox) || config.sandbox === "true") throw error;
    return await start(`off: ${error.words}`);
  }
}

type StartParts = Omit<LaunchParts, "profileDir"> & { asksPerson: boolean };

async function startChrome({ asksPerson, ...parts }: StartParts): Promise<Chrome> {
  const { user, found, sandbox } = parts;
  const profileDir = await makeProfile(user, asksPerson);
  using said = errorOutput(profileDir);
  try {
    const browser = await puppeteer.launch(launchOptions({ ...parts, profileDir }));
    const session = await browser.target().createCDPSession();
    const connection = session.connection();
    if (!connection) throw new Error("the browser has no connection");
    const close = async () => {
      await browser.close();
      await rm(profileDir, { recursive: true, force: true, maxRetries: 3 });
    };
    const pid = browser.process()?.pid ?? 0;
    const version = (await browser.version()).replace(/^(?:Headless)?Chrome\//, "Chromium ");
    return { browser, session, connection, pid, version, source: found.source, sandbox, profileDir, close };
  } catch (error) {
    const words = await said.whole();
    await rm(profileDir, { recursive: true, force: true, maxRetries: 3 });
    throw await whyNot(error as Error, words, parts);
  }
}

/** The error that a failed start ends with. `words`: what Chrome wrote. */
async function whyNot(error: Error, words: string, { found, sandbox, env }: StartFacts): Promise<Error> {
  if (sandbox === "on" && saysNoSandbox(words)) return new NoSandbox(found.executable, error);
  if (!/Target closed|Connection closed|Session closed/.test(error.message))
    return new Error(`${found.executable}: ${error.message}`, { cause: error });
  // It is gone: killed, perhaps for its memory, unless it cannot even tell its version, which says why.
  await browserVersion(found, env);
  return new BrowserDied(found.executable, error);
}

type StartFacts = Pick<LaunchParts, "found" | "sandbox" | "env">;

/** Whether the sandbox is on: `true` insists, `false` forgoes, `auto` forgoes only where root cannot change users. */
function sandboxOf(wanted: string, user: OtherUser | undefined): string {
  if (wanted === "false") return "off: the configuration says so";
  const possible = process.getuid?.() !== 0 || user !== undefined;
  if (possible) return "on";
  const reason = "Chrome refuses its sandbox to root, and it cannot be run as another user here";
  if (wanted === "true") throw new Error(`sandbox: true, but ${reason}`);
  return `off: ${reason}`;
}

async function mayBeReached(found: FoundBrowser): Promise<boolean> {
  return process.getuid?.() !== 0 || (await reachableByOthers(found.executable));
}

async function makeProfile(user: OtherUser | undefined, asksPerson: boolean): Promise<string> {
  const dir = makeTemporaryFolder(PROFILE_PREFIX, { isShared: user !== undefined });
  await mkdir(path.join(dir, "Default"));
  // Full Chrome would open connections ahead of need, also to origins that only storage is loaded for.
  const preferences = path.join(dir, "Default", "Preferences");
  await writeFile(preferences, JSON.stringify({ net: { network_prediction_options: 2 } }));
  // It would ask for name and password in a window that no page sees, and hold the request until that is answered.
  const state = path.join(dir, "Local State");
  await writeFile(state, JSON.stringify(asksPerson ? {} : { auth: { schemes: "" } }));
  if (user) for (const each of [state, preferences, path.join(dir, "Default"), dir]) await giveTo(user, each);
  return dir;
}

interface LaunchParts {
  config: BrowserConfig;
  found: FoundBrowser;
  user: OtherUser | undefined;
  sandbox: string;
  profileDir: string;
  env: NodeJS.ProcessEnv;
  proxy: string | undefined;
}

function launchOptions({ config, found, user, sandbox, profileDir, env, proxy }: LaunchParts) {
  const headless = found.kind === "headless-shell" ? ("shell" as const) : config.headless;
  const defaults = puppeteer.defaultArgs({
    headless,
    userDataDir: profileDir,
    args: [
      ...OUR_ARGS,
      ...(sandbox === "on" ? [] : ["--no-sandbox"]),
      ...config.args,
      ...(proxy ? [`--proxy-server=${proxy}`, ...WALL_ARGS] : []),
    ],
  });
  const args = defaults.filter((arg) => arg !== UNPROTECTED);
  return {
    executablePath: user?.command ?? found.executable,
    args: [...(user ? [...user.args, found.executable] : []), ...args],
    ignoreDefaultArgs: true,
    pipe: true,
    // Who owns the process owns the signals: the worker ends Chrome itself.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    defaultViewport: null,
    waitForInitialPage: false,
    timeout: LAUNCH_TIMEOUT_MS,
    protocolTimeout: 0,
    env: {
      PATH: env.PATH,
      LANG: env.LANG,
      TZ: env.TZ,
      HOME: profileDir,
      TMPDIR: profileDir,
      ...displayOf(env),
      ...found.env,
    },
  };
}

/** A visible browser needs to know its display, and what lets it in there: its home is not the person's. */
function displayOf(env: NodeJS.ProcessEnv) {
  const { DISPLAY, WAYLAND_DISPLAY, XDG_RUNTIME_DIR, XAUTHORITY, HOME } = env;
  const key = XAUTHORITY ?? (DISPLAY && HOME ? path.join(HOME, ".Xauthority") : undefined);
  return { DISPLAY, WAYLAND_DISPLAY, XDG_RUNTIME_DIR, XAUTHORITY: key };
}

const NO_UDP = [
  "--webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
];

/** WebRTC resolves its servers' names past the proxy: Chrome knows no name, and the proxy resolves what it is given. */
const NO_NAMES = "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1";

/** Last, as of arguments that come twice the last one holds. Loopback goes through the proxy too. */
const WALL_ARGS = ["--proxy-bypass-list=<-loopback>", ...NO_UDP, NO_NAMES];

/**
 * Pages of the browser's own, which nobody sees here: each new window, so each session, would start one for suggestions
 * to its address bar, with a process that takes four times what the session itself does.
 */
const BROWSER_PAGES = "WebUIOmniboxPopup,WebUIOmniboxAimPopup";

/** Among puppeteer's: a page could keep the browser, and with it all others, busy with changes of its address. */
const UNPROTECTED = "--disable-ipc-flooding-protection";

const OUR_ARGS = [
  // Every site in a process of its own, in every build: a hung or foreign frame holds nobody else.
  "--site-per-process",
  // A page that was left is gone: refs of it never come alive again. And no spare renderer: we keep our own spares.
  `--disable-features=BackForwardCache,SpareRendererForSitePerProcess,${BROWSER_PAGES}`,
  ...NO_UDP,
  `--window-size=${VIEWPORT.width},${VIEWPORT.height}`,
  // A machine without a mouse would have pages show what they made for fingers: input here is a mouse's.
  "--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4",
  "--hide-scrollbars",
  "--mute-audio",
  "--no-first-run",
  "--no-default-browser-check",
];
