/** Chooses the browser: a named one, or else Chrome or Chromium on the machine, or else the embedded one. */
import { constants } from "node:fs";
import { access, open, realpath, stat } from "node:fs/promises";
import { basename, delimiter, join } from "node:path";
import { BrowserNotFound } from "./browser-not-found.ts";
import { embeddedFolder, unpackEmbedded } from "./embedded.ts";

/** A browser that can be started. */
export interface FoundBrowser {
  /** The program's absolute path. */
  executable: string;
  /**
   * The origin of the choice: `browser.executable` of the configuration, the environment, or the search. "embedded" is
   * also the last resort.
   */
  source: "configured" | "TROUPE_BROWSER" | "machine" | "embedded";
  /** The headless shell has no visible window and no chrome:// pages, and needs a third less memory. */
  kind: "chrome" | "headless-shell";
  /** Additional environment variables for the program. */
  env?: Record<string, string>;
}

export interface BrowserSearch {
  /** `browser.executable`: an absolute path, or `embedded`. */
  configured?: string;
  env: Readonly<Record<string, string | undefined>>;
  platform?: NodeJS.Platform;
  arch?: NodeJS.Architecture;
  /** The real user id. Undefined if the system has none. */
  uid?: number;
  /** True if a person must see the pages. The search then leaves headless shells out. */
  needsWindow?: boolean;
  /** The paths where the platform's packages put their programs. */
  usualPlaces?: readonly string[];
}

/** Returns the browser to use. Unpacks the embedded one if it is chosen. Rejects with `BrowserNotFound`. */
export async function findBrowser(search: BrowserSearch): Promise<FoundBrowser> {
  const named = namedBrowser(search);
  if (named?.path === "embedded") return await embedded(search);
  if (named) {
    await requireProgram(named.path, named.source);
    return { executable: named.path, source: named.source, kind: kindOf(named.path) };
  }
  const onMachine = await browserOnMachine(search);
  return onMachine ?? (await embedded(search));
}

/** Returns the named browser. The environment goes before the configuration. */
export function namedBrowser({ configured, env }: Pick<BrowserSearch, "configured" | "env">) {
  if (env.TROUPE_BROWSER) return { path: env.TROUPE_BROWSER, source: "TROUPE_BROWSER" } as const;
  if (configured) return { path: configured, source: "configured" } as const;
  return undefined;
}

/** Returns the files to try, best first: the headless shell, then real programs before the scripts that start them. */
export function candidates({ env, platform, usualPlaces, needsWindow }: BrowserSearch): string[] {
  const folders = (env.PATH ?? "").split(delimiter).filter((folder) => folder.startsWith("/"));
  const onPath = (name: string) => folders.map((folder) => join(folder, name));
  const usual = usualPlaces ?? (platform === "darwin" ? placesOnMac(env.HOME) : placesOnLinux);
  const all = [...onPath("chrome-headless-shell"), ...usual, ...programNames.flatMap(onPath)];
  return [...new Set(all)].filter((path) => !needsWindow || kindOf(path) === "chrome");
}

const programNames = ["google-chrome-stable", "google-chrome", "chrome", "chromium", "chromium-browser"];

// These are the programs behind the shell scripts of Debian, Fedora and Google. The scripts add a desktop's flags.
// Google's also puts processes between the worker and Chrome. The programs run without the scripts, over a pipe and as
// another user.
const placesOnLinux = [
  // Debian's headless shell makes no window for each session, so a session wakes with two fifths less processor time.
  "/usr/lib/chromium/chromium-headless-shell",
  "/opt/google/chrome/chrome",
  "/usr/lib/chromium/chromium",
  "/usr/lib64/chromium-browser/chromium-browser",
];

const placesOnMac = (home = "") =>
  ["Google Chrome", "Chromium"].flatMap((name) =>
    ["", home].map((root) => `${root}/Applications/${name}.app/Contents/MacOS/${name}`),
  );

async function browserOnMachine(search: BrowserSearch): Promise<FoundBrowser | undefined> {
  for (const path of candidates({ platform: process.platform, ...search })) {
    if ((await whyNoProgram(path)) || (await isSnap(path))) continue;
    return { executable: path, source: "machine", kind: kindOf(path) };
  }
  return undefined;
}

async function embedded(search: BrowserSearch): Promise<FoundBrowser> {
  const { platform = process.platform, arch = process.arch, env, uid = process.getuid?.() } = search;
  if (platform !== "linux" || arch !== "x64") {
    throw new BrowserNotFound("unsupported-platform", {
      message: `no Chrome or Chromium on this machine, and the embedded one runs on Linux x64 only, not on ${platform} ${arch}`,
      lookedFor: candidates({ ...search, platform }),
      mend: platform === "linux" ? installChromium : "Install Google Chrome, or name one in TROUPE_BROWSER.",
    });
  }
  return {
    ...(await unpackEmbedded(embeddedFolder({ env, uid }))),
    source: "embedded",
    kind: "headless-shell",
  };
}

const installChromium =
  "Install Chromium (on Debian and Ubuntu: apt-get install chromium), or name one in TROUPE_BROWSER.";

function kindOf(path: string): FoundBrowser["kind"] {
  return /headless[-_]shell/.test(basename(path)) ? "headless-shell" : "chrome";
}

async function requireProgram(path: string, source: "configured" | "TROUPE_BROWSER"): Promise<void> {
  const where = source === "configured" ? "browser.executable" : source;
  const fault = path.startsWith("/") ? await whyNoProgram(path) : "is not an absolute path";
  if (!fault) return;
  throw new BrowserNotFound(fault === "does not exist" ? "missing" : "not-executable", {
    message: `${where} names ${path}, which ${fault}`,
    lookedFor: [path],
    mend: `Let ${where} name the Chrome or Chromium program itself, or say "embedded", or take it out to have one found.`,
  });
}

/** Returns undefined if the path is a program that this user may run. */
async function whyNoProgram(path: string): Promise<string | undefined> {
  try {
    if (!(await stat(path)).isFile()) return "is not a file";
    await access(path, constants.R_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return "does not exist";
    return code === "EACCES" || code === "EPERM"
      ? "may not be run by this user"
      : `cannot be read (${message})`;
  }
}

/** A snap sees neither Troupe's profile folders nor another user's: it starts and then fails. */
async function isSnap(path: string): Promise<boolean> {
  const real = await realpath(path);
  if (real.startsWith("/snap/") || real === "/usr/bin/snap") return true;
  await using file = await open(real);
  const start = (await file.read(Buffer.alloc(4096), 0, 4096, 0)).buffer.toString("latin1");
  return start.startsWith("#!") && start.includes("/snap/bin/");
}
