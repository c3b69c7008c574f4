// Starts the daemon with broken databases in the state folder, or with those of a later version.
import { copyFile, readdir, readFile, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { testClient } from "../../harness/daemon.ts";
import { tempDir } from "../../harness/temp-dir.ts";
import { Agent } from "../scenario/agent.ts";
import type { Figure } from "../scenario/figures.ts";
import { startOwnDaemon } from "../scenario/own-daemon.ts";

const CONFIG = { roles: { red: {} } };
const OPEN = "http://a.test/";
const FILES = ["journal.db", "sessions.db"] as const;
const LATER = 7;
/** Enough calls to fill some pages of each file. */
const CALLS = 60;

interface Damage {
  what: string;
  /** The path to which the file is moved. */
  aside: string;
  do(file: string): Promise<void> | void;
}

const damages: readonly Damage[] = [
  {
    what: "no database",
    aside: "damaged",
    do: (file) => writeFile(file, "this is no database at all".repeat(1000)),
  },
  {
    what: "cut short",
    aside: "damaged",
    do: async (file) => truncate(file, Math.floor((await readFile(file)).length / 2 / 4096) * 4096 - 100),
  },
  { what: "overwritten in its middle", aside: "damaged", do: (file) => scratched(file) },
  { what: "of a later version", aside: `v${LATER}`, do: (file) => setVersion(file, LATER) },
];

export async function brokenFiles(interrupted: AbortSignal): Promise<Figure[]> {
  await using open = new AsyncDisposableStack();
  const { dir } = open.use(tempDir());
  const state = path.join(dir, "s");
  const at = (name: string) => path.join(state, name);
  /** Runs a daemon for some calls. Returns its output, and how many calls and sessions it has of an earlier run. */
  const live = async () => {
    await using daemon = await startOwnDaemon("standIn", CONFIG, interrupted, { dir });
    using agent = new Agent({ address: daemon.address, role: "red", name: "survivor" });
    const control = testClient(daemon.address);
    const listed = await control.ask("ListCalls", { session: "survivor", limit: 10_000 });
    const sessions = await control.ask("ListSessions", {});
    // The first call may report that worker and daemon were away.
    for (let call = 0; call < CALLS; call++) await agent.call("browser_navigate", { url: `${OPEN}${call}` });
    control.close();
    return {
      said: daemon.said(),
      serves: agent.outcomes.slice(1).every(({ answer }) => answer === "ok"),
      calls: listed.ok?.calls.length ?? Number.NaN,
      sessions: sessions.ok?.sessions.length ?? Number.NaN,
    };
  };
  await live();
  const figures: Figure[] = [];
  for (const file of FILES) {
    for (const { what, aside, do: damage } of damages) {
      await damage(at(file));
      const life = await live();
      const names = await readdir(state);
      const good = [life.serves, names.includes(`${file}.${aside}`), life.said.includes(`${file}.${aside}`)];
      const failing = ["it serves", "the file is aside", "it says so"].filter((_, index) => !good[index]);
      figures.push({
        name: `${file} ${what}`,
        value: failing.length,
        bar: { most: 0 },
        note: failing.length > 0 ? `not: ${failing.join(", ")}` : "serves, aside, said",
      });
    }
  }
  const known = await live();
  // As if an earlier version had set this version's file aside.
  for (const file of FILES) {
    await copyFile(at(file), at(`${file}.v1`));
    setVersion(at(file), 0);
    await writeFile(at(file), "what an earlier version wrote");
  }
  const forward = await live();
  figures.push(
    { name: "calls known after rolling forward", value: forward.calls, bar: { least: known.calls } },
    { name: "sessions known after rolling forward", value: forward.sessions, bar: { least: 1 } },
  );
  return figures;
}

function setVersion(file: string, version: number): void {
  const database = new DatabaseSync(file);
  try {
    database.exec(`PRAGMA user_version = ${version}`);
  } finally {
    database.close();
  }
}

/** Overwrites all pages except the first. */
async function scratched(file: string): Promise<void> {
  const bytes = await readFile(file);
  for (let page = 4096; page < bytes.length; page += 4096) bytes.fill(0xa5, page, page + 2048);
  await writeFile(file, bytes);
}
