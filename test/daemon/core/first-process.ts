// A program that leaves an orphaned process behind and reports its state.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { goUnderInit } from "../../../daemon/core/under-init.ts";
import { within } from "../../harness/within.ts";

goUnderInit(process.argv.slice(1));

/** Returns the state of a process; undefined if it does not exist. */
function stateOf(pid: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.charAt(0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

// The inner shell outlives its parent, prints its process id, and ends with the pipe.
const parent = spawn("/bin/sh", ["-c", "sh -c 'echo $$; read line; exit 3' <&3 &"], {
  stdio: ["ignore", "pipe", "ignore", "pipe"],
});
const [said] = (await once(parent.stdio[1] as Readable, "data")) as [Buffer];
const orphan = said.toString().trim();
(parent.stdio[3] as Writable).destroy();
process.on("SIGTERM", () => process.exit(7));
const isCollected = await within(10_000, () => stateOf(orphan) === undefined);
process.stdout.write(
  `${process.pid === 1 ? "first" : "below"}, orphan ${orphan} ${isCollected ? "collected" : stateOf(orphan)}\n`,
);
setInterval(() => undefined, 60_000);
