// A state folder on a disk that fills up while a daemon works, and that is freed again.
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { chmod, open as openFile } from "node:fs/promises";
import path from "node:path";
import { testClient } from "../../harness/daemon.ts";
import { tempDir } from "../../harness/temp-dir.ts";
import { within } from "../../harness/within.ts";
import { Agent, typesOf } from "../scenario/agent.ts";
import { Bystander } from "../scenario/bystander.ts";
import { lostRecords } from "../scenario/call-log.ts";
import type { Figure } from "../scenario/figures.ts";
import { startOwnDaemon } from "../scenario/own-daemon.ts";

const DISK = "24m";
const BLOCK = Buffer.alloc(64 * 1024, 1);
const CALLS = 200;
const OPEN = "http://a.test/";
const SERVES_MS_MAX = 20_000;
const CONFIG = { log: { level: "info" }, roles: { red: {}, green: {}, blue: {} } };

export async function fullDisk(interrupted: AbortSignal): Promise<Figure[] | { skipped: string }> {
  await using open = new AsyncDisposableStack();
  const { dir } = open.use(tempDir());
  const why = mounted(dir);
  if (why) return { skipped: why };
  open.defer(() => void execFileSync("umount", ["--lazy", dir]));
  const daemon = open.use(await startOwnDaemon("standIn", CONFIG, interrupted, { dir }));
  const other = open.use(new Bystander({ address: daemon.address, role: "green", url: OPEN }));
  const agent = open.use(new Agent({ address: daemon.address, role: "red", name: "before" }));
  const control = testClient(daemon.address);
  open.defer(() => control.close());
  for (let call = 0; call < CALLS; call++) await agent.call("browser_navigate", { url: OPEN });
  const before = agent.outcomes.length;
  await using filler = await fill(path.join(dir, "filler"));
  for (let call = 0; call < CALLS; call++) await agent.call("browser_navigate", { url: OPEN });
  const meanwhile = agent.outcomes.slice(before);
  const said = await within(5000, () => /the journal cannot be written/.test(daemon.said()));
  // A worker dies, a role starts for the first time, a session begins: each of these writes something.
  const worker = (await control.ask("GetRole", { name: "red" })).ok?.role?.workerPid ?? 0;
  process.kill(worker, "SIGKILL");
  const serves = async (each: Agent) => (await each.call("browser_navigate", { url: OPEN })).answer === "ok";
  const again = await within(SERVES_MS_MAX, () => serves(agent));
  const fresh = open.use(new Agent({ address: daemon.address, role: "blue", name: `fresh-${randomUUID()}` }));
  const started = await within(SERVES_MS_MAX, () => serves(fresh));
  await filler.empty();
  const freed = agent.outcomes.length;
  for (let call = 0; call < CALLS; call++) await agent.call("browser_navigate", { url: OPEN });
  const after = agent.outcomes.slice(freed);
  const lost = await lostRecords(daemon.address, [...agent.outcomes.slice(0, before), ...after]);
  const failed = [...meanwhile, ...after].filter(({ answer }) => answer !== "ok");
  return [
    ...other.figures(),
    {
      name: "calls that failed on the full disk, and after it",
      value: failed.length,
      bar: { most: 0 },
      note: typesOf(failed),
    },
    { name: "said that the journal cannot be written", value: said ? 1 : 0, bar: { least: 1 } },
    {
      name: "a role whose worker dies meanwhile serves again",
      value: again ? 1 : 0,
      bar: { least: 1 },
      note: agent.outcomes.at(-1)?.text.slice(0, 100) ?? "",
    },
    {
      name: "a role starts meanwhile",
      value: started ? 1 : 0,
      bar: { least: 1 },
      note: fresh.outcomes.at(-1)?.text.slice(0, 100) ?? "",
    },
    { name: "lost journal records of before and after", value: lost.length, bar: { most: 0 } },
  ];
}

/** Mounts a small disk there. Returns a reason if that is impossible. */
function mounted(dir: string): string | undefined {
  if (process.getuid?.() !== 0) return "only root may mount a disk";
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${DISK},mode=711`, "tmpfs", dir], { stdio: "pipe" });
    return undefined;
  } catch (error) {
    return `no disk can be mounted here: ${(error as Error).message.split("\n")[0]}`;
  }
}

/** Fills the disk, and keeps it full until it is emptied. */
async function fill(file: string) {
  const handle = await openFile(file, "w");
  for (const size of [BLOCK.length, 4096, 1]) {
    const block = BLOCK.subarray(0, size);
    while (await wrote(handle.write(block)));
  }
  await chmod(file, 0o600);
  return {
    empty: () => handle.truncate(0),
    [Symbol.asyncDispose]: () => handle.close(),
  };
}

async function wrote(writing: Promise<unknown>): Promise<boolean> {
  try {
    await writing;
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOSPC") return false;
    throw error;
  }
}
