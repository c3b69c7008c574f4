// Starts a Chrome as a person does: with a debugging port, a profile and a tab of its own. Tests attach roles to it.
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { createInterface } from "node:readline";
import { findBrowser } from "../../../worker/chrome/find-browser.ts";
import { afterEvents } from "../events/after-events.ts";
import { tempDir } from "../temp-dir.ts";

/** A tab in the answer of /json/list. */
export interface PersonsTab {
  id: string;
  type: string;
  url: string;
}

export interface PersonsChrome extends AsyncDisposable {
  /** The debugging address. */
  readonly address: string;
  /** The WebSocket of the browser itself. */
  readonly socket: string;
  readonly profileDir: string;
  /** Returns all open pages. */
  pages(): Promise<PersonsTab[]>;
  /** Opens a tab as the person does. */
  open(url: string): Promise<PersonsTab>;
  /** Resolves when these are the addresses of all pages, or rejects after a while. */
  shows(urls: readonly string[]): Promise<void>;
  /** Sends a signal to all its processes. */
  signal(name: NodeJS.Signals): void;
  /** Kills it without a warning. */
  kill(): Promise<void>;
}

/** `port`: 0 takes any free one. `profileDir`: default: a temporary folder. */
export async function startPersonsChrome({
  port = 0,
  profileDir,
}: {
  port?: number;
  profileDir?: string;
} = {}) {
  const temp = tempDir();
  const dir = profileDir ?? temp.dir;
  const { executable, env } = await findBrowser({ env: process.env });
  const child = spawn(executable, [...ARGS, `--remote-debugging-port=${port}`, `--user-data-dir=${dir}`], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, ...env, HOME: temp.dir },
    detached: true,
  });
  const socket = await socketOf(child);
  const { host } = new URL(socket);
  const address = `http://${host}`;
  const ask = async (path: string, method = "GET") =>
    await (await fetch(`${address}/json/${path}`, { method })).json();
  const pages = async () => ((await ask("list")) as PersonsTab[]).filter(({ type }) => type === "page");
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
    const exited = once(child, "exit");
    process.kill(-child.pid, "SIGKILL");
    await exited;
  };
  // If a connection has the port, Chrome listens at the same one of another address.
  if (port !== 0 && host !== `127.0.0.1:${port}`) {
    await kill();
    assert.fail(`port ${port} was taken`);
  }
  return {
    address,
    socket,
    profileDir: dir,
    pages,
    open: async (url) => (await ask(`new?${url}`, "PUT")) as PersonsTab,
    shows: async (urls) => {
      const sorted = [...urls].sort().join(" ");
      using reports = await targetReports(socket);
      const holds = async () =>
        (await pages())
          .map(({ url }) => url)
          .sort()
          .join(" ") === sorted;
      await afterEvents(reports.events, "message", holds, `the pages are ${sorted}`);
    },
    signal: (name) => void process.kill(-(child.pid ?? 0), name),
    kill,
    [Symbol.asyncDispose]: async () => {
      await kill();
      temp[Symbol.dispose]();
    },
  } satisfies PersonsChrome as PersonsChrome;
}

const ARGS = [
  "--headless",
  "--no-sandbox",
  "--no-first-run",
  "--no-default-browser-check",
  "--disable-gpu",
  "about:blank",
];

async function socketOf({ stderr }: ChildProcess): Promise<string> {
  assert.ok(stderr);
  const lines = createInterface({ input: stderr });
  try {
    for await (const line of lines) {
      const [, socket] = /^DevTools listening on (ws:\S+)/.exec(line) ?? [];
      if (socket) return socket;
    }
  } finally {
    stderr.resume();
  }
  assert.fail("the browser ended before it listened");
}

/** Follows all pages of the browser. Each message is an event. */
async function targetReports(address: string): Promise<{ events: EventEmitter } & Disposable> {
  const events = new EventEmitter();
  const socket = new WebSocket(address);
  await once(socket, "open");
  socket.addEventListener("message", () => events.emit("message"));
  socket.send(JSON.stringify({ id: 1, method: "Target.setDiscoverTargets", params: { discover: true } }));
  return { events, [Symbol.dispose]: () => socket.close() };
}
