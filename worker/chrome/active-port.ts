// Finds the browsers of this user that have remote debugging switched on: each writes its port into its profile folder.
import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { NotConnected } from "./not-connected.ts";

const FILE = "DevToolsActivePort";

/** Returns the profile folders of Chrome and Chromium for a user. The stable Chrome comes first. */
export function profileFolders(
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): string[] {
  const { HOME = "", XDG_CONFIG_HOME, CHROME_CONFIG_HOME } = env;
  if (platform === "darwin") {
    const root = path.join(HOME, "Library", "Application Support");
    return MAC.map((name) => path.join(root, name));
  }
  const root = CHROME_CONFIG_HOME || XDG_CONFIG_HOME || path.join(HOME, ".config");
  return [...LINUX.map((name) => path.join(root, name)), path.join(HOME, SNAP)];
}

const MAC = [
  "Google/Chrome",
  "Google/Chrome Beta",
  "Google/Chrome Dev",
  "Google/Chrome Canary",
  "Google/Chrome for Testing",
  "Chromium",
];
const LINUX = [
  "google-chrome",
  "google-chrome-beta",
  "google-chrome-unstable",
  "google-chrome-canary",
  "google-chrome-for-testing",
  "chromium",
];
const SNAP = "snap/chromium/common/chromium";

/**
 * Returns the browsers' WebSockets. The browser that wrote its port last comes first. A file may be left over from a
 * browser that crashed. Rejects with NotConnected if there is no file.
 */
export async function findActivePorts(env: NodeJS.ProcessEnv): Promise<string[]> {
  const folders = profileFolders(env);
  const found = (await Promise.all(folders.map(read))).flatMap((each) => each ?? []);
  const sockets = found.sort((a, b) => b.writtenAtMs - a.writtenAtMs).map(({ socket }) => socket);
  if (sockets.length > 0) return sockets;
  throw new NotConnected("no Chrome or Chromium of the daemon's user has remote debugging switched on");
}

async function read(folder: string): Promise<{ socket: string; writtenAtMs: number } | undefined> {
  const file = path.join(folder, FILE);
  try {
    const [text, { mtimeMs, size }] = await Promise.all([readFile(file, "latin1"), stat(file)]);
    const socket = size < 1_000 ? socketIn(text) : undefined;
    return socket === undefined ? undefined : { socket, writtenAtMs: mtimeMs };
  } catch {
    // The browser of this folder has no debugging port, or does not exist.
    return undefined;
  }
}

/** The file has two lines: the port, and the WebSocket's path, which only this user can read. */
export function socketIn(text: string): string | undefined {
  const [, port, place] = /^(\d{1,5})\r?\n(\/devtools\/browser\/[\w-]{1,100})\s*$/.exec(text) ?? [];
  return port && place && Number(port) > 0 && Number(port) < 65_536
    ? `ws://127.0.0.1:${port}${place}`
    : undefined;
}
