// Starts the role's Chrome over a pipe, in a profile of its own. It has its sandbox if the machine allows one.
import { mkdir, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import puppeteer, { type Browser } from "puppeteer-core";
import type { BrowserConfig } from "../../proto/gen/troupe.ts";
import { makeTemporaryFolder } from "../../proto/machine/temporary-folder.ts";
import type { Chrome } from "./chrome.ts";
import { errorOutput } from "./error-output.ts";
import { type FoundBrowser, findBrowser } from "./find-browser.ts";
import { NoSandbox, saysNoSandbox } from "./no-sandbox.ts";
import { browserVersion } from "./try-browser.ts";
import { gainingPrivileges, giveTo, type OtherUser, otherUser, reachableByOthers } from "./unprivileged.ts";

/** The prefix of all workers' profile folders. Leftover folders are found by it. */
const PROFILE_PREFIX = "troupe-profile-";
const LAUNCH_TIMEOUT_MS = 30_000;
const VIEWPORT = { width: 1280, height: 720 };

/** The wishes of a configuration without a browser section. */
export const NO_WISHES: BrowserConfig = {
  executable: "",
  executableShown: "",
  headless: true,
  sandbox: "auto",
  args: [],
  connect: "",
};

/** A Chrome that the worker has started. */
export interface LaunchedChrome extends Chrome {
  browser: Browser;
  source: FoundBrowser["source"];
  builtMs: number;
}

/** Reports a working browser that died while it was starting. Another try may succeed. */
export class BrowserDied extends Error {
  override readonly name = "BrowserDied";

  constructor(executable: string, cause: unknown) {
    super(`${executable} ended while it was starting`, { cause });
  }
}

/**
 * `proxy`: all connections go through it; undefined leaves the choice to Chrome. `asksPerson`: a person can answer
 * Chrome's own prompts. `startsEmpty`: a headless Chrome begins without a page of its own.
 */
export interface LaunchOptions {
  env?: NodeJS.ProcessEnv;
  proxy?: string | undefined;
  asksPerson?: boolean;
  startsEmpty?: boolean;
  /** Ends the start, with Chrome's processes and its profile. */
  signal?: AbortSignal | undefined;
}

/**
 * Starts Chrome. With `sandbox: auto`, it starts without the sandbox if this machine allows none. Rejects with
 * BrowserNotFound, NoSandbox, BrowserDied, or an Error with Chrome's own message.
 */
export async function launchChrome(
  config: BrowserConfig,
  { env = process.env, proxy, asksPerson = false, startsEmpty = false, signal }: LaunchOptions = {},
): Promise<LaunchedChrome> {
  const found = await findBrowser({
    configured: config.executable || undefined,
    env,
    needsWindow: !config.headless,
  });
  const user = (await mayBeReached(found)) ? otherUser() : undefined;
  const sandbox = sandboxOf(config.sandbox, user);
  const start = (state: string, as = user) =>
    startChrome({ config, found, user: as, sandbox: state, env, proxy, asksPerson, startsEmpty, signal });
  try {
    return await start(sandbox).catch((error: unknown) => {
      if (!(error instanceof NoSandbox) || !user) throw error;
      // Without user namespaces, Chrome may use the sandbox of a helper that becomes root.
      return start(sandbox, gainingPrivileges(user));
    });
  } catch (error) {
    if (!(error instanceof NoSandbox) || config.sandbox === "true") throw error;
    return await start(`off: ${error.words}`);
  }
}

type StartParts = Omit<LaunchParts, "profileDir"> & { asksPerson: boolean };

async function startChrome({ asksPerson, ...parts }: StartParts): Promise<LaunchedChrome> {
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
    const child = browser.process();
    const version = (await browser.version()).replace(/^(?:Headless)?Chrome\//, "Chromium ");
    const { source } = found;
    const { mtimeMs: builtMs } = await stat(found.executable);
    return {
      ...{ browser, session, connection, version, source, builtMs, sandbox, profileDir, user, close },
      pid: child?.pid ?? 0,
      endpoint: undefined,
      personalContext: undefined,
      get isConnected() {
        return browser.connected;
      },
      onGone: (callback) => void browser.once("disconnected", () => callback("the browser's process ended")),
      // A hung browser would not end on request. Its pages' processes die with it.
      giveUp: () => void child?.kill("SIGKILL"),
    };
  } catch (error) {
    const words = await said.whole();
    await rm(profileDir, { recursive: true, force: true, maxRetries: 3 });
    parts.signal?.throwIfAborted();
    throw await whyNot(error as Error, words, parts);
  }
}

/** Returns the error for a failed start. `words`: Chrome's error output. */
async function whyNot(error: Error, words: string, { found, sandbox, env }: StartFacts): Promise<Error> {
  if (sandbox === "on" && saysNoSandbox(words)) return new NoSandbox(found.executable, error);
  if (!/Target closed|Connection closed|Session closed/.test(error.message))
    return new Error(`${found.executable}: ${error.message}`, { cause: error });
  // The browser was killed, perhaps for its memory. But if it cannot even report its version, that call rejects with
  // the reason.
  await browserVersion(found, env);
  return new BrowserDied(found.executable, error);
}

type StartFacts = Pick<LaunchParts, "found" | "sandbox" | "env">;

/**
 * Decides about the sandbox. `true` requires it, `false` turns it off. `auto` turns it off only if root cannot change
 * users.
 */
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
  // Full Chrome would open connections in advance, even to origins that only storage is loaded for.
  const preferences = path.join(dir, "Default", "Preferences");
  await writeFile(preferences, JSON.stringify({ net: { network_prediction_options: 2 } }));
  // Chrome would ask for name and password in its own window, which no page sees. The request would wait for the
  // answer.
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
  startsEmpty: boolean;
  signal: AbortSignal | undefined;
}

function launchOptions(parts: LaunchParts) {
  const { config, found, user, sandbox, profileDir, env, proxy, startsEmpty, signal } = parts;
  const headless = found.kind === "headless-shell" ? ("shell" as const) : config.headless;
  const isEmpty = startsEmpty && config.headless;
  const defaults = puppeteer.defaultArgs({
    headless,
    userDataDir: profileDir,
    args: [
      ...OUR_ARGS,
      ...(isEmpty ? [NO_WINDOW] : []),
      ...(sandbox === "on" ? [] : ["--no-sandbox"]),
      ...config.args,
      ...(proxy ? [`--proxy-server=${proxy}`, ...WALL_ARGS] : []),
    ],
  });
  const args = defaults.filter((arg) => arg !== UNPROTECTED && !(isEmpty && arg === FIRST_PAGE));
  return {
    executablePath: user?.command ?? found.executable,
    args: [...(user ? [...user.args, found.executable] : []), ...args],
    ignoreDefaultArgs: true,
    pipe: true,
    // The worker owns the process and ends Chrome itself, so puppeteer must not handle signals.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    defaultViewport: null,
    waitForInitialPage: false,
    timeout: LAUNCH_TIMEOUT_MS,
    ...(signal && { signal }),
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

/** Returns the display variables and the display's access key for a visible browser: its home is not the person's. */
function displayOf(env: NodeJS.ProcessEnv) {
  const { DISPLAY, WAYLAND_DISPLAY, XDG_RUNTIME_DIR, XAUTHORITY, HOME } = env;
  const key = XAUTHORITY ?? (DISPLAY && HOME ? path.join(HOME, ".Xauthority") : undefined);
  return { DISPLAY, WAYLAND_DISPLAY, XDG_RUNTIME_DIR, XAUTHORITY: key };
}

const NO_UDP = [
  "--webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
];

/**
 * WebRTC resolves its servers' names past the proxy. So Chrome resolves no name, and the proxy resolves what it gets.
 */
const NO_NAMES = "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1";

/** These arguments come last, because the last one of a repeated argument wins. Loopback goes through the proxy too. */
const WALL_ARGS = ["--proxy-bypass-list=<-loopback>", ...NO_UDP, NO_NAMES];

/**
 * Chrome's own pages, which are not visible here. Each new window, and so each session, would start one for address bar
 * suggestions. Its process takes four times what the session itself does.
 */
const BROWSER_PAGES = "WebUIOmniboxPopup,WebUIOmniboxAimPopup";

/**
 * One of puppeteer's default arguments. With it, a page's address changes could keep the browser busy, and with it all
 * other pages.
 */
const UNPROTECTED = "--disable-ipc-flooding-protection";

/** Chrome would begin with an empty page that no session uses. It would take a process and a tenth of the start. */
const NO_WINDOW = "--no-startup-window";
/** Puppeteer's argument for the page. The headless shell opens it even without a window. */
const FIRST_PAGE = "about:blank";

const OUR_ARGS = [
  // Every site gets its own process in every build, so that a hung or foreign frame blocks no other.
  "--site-per-process",
  // A page that was left is gone for good, so that its refs never become valid again. Chrome's spare renderer is not
  // needed beside warm sessions. A person's swipe scrolls, and never leads back to the page before.
  `--disable-features=BackForwardCache,OverscrollHistoryNavigation,SpareRendererForSitePerProcess,${BROWSER_PAGES}`,
  ...NO_UDP,
  `--window-size=${VIEWPORT.width},${VIEWPORT.height}`,
  // On a machine without a mouse, pages would show their touch layout. Input here is a mouse's.
  "--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4",
  "--hide-scrollbars",
  "--mute-audio",
  "--no-first-run",
  "--no-default-browser-check",
];
