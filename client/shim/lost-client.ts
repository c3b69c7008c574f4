// Notices that the client was killed. A client may close its output early and still read, so the end of stdin alone
// does not say it.
import type { Readable, Writable } from "node:stream";
import { processStat } from "../../proto/machine/proc-stat.ts";

/** A killed process closes its pipes a moment before its children have another parent. */
const ORPHANED_AFTER_MS = 1_000;
const ANCESTORS_MAX = 32;
/** Any server may send it. Only a write shows whether a pipe still has a reader. */
const PING = `${JSON.stringify({ jsonrpc: "2.0", id: "still-there", method: "ping" })}\n`;

/**
 * Writes a ping to the output after the end of the input, if a process above this one has ended too. That is the
 * client, or a program that started it. If the client was killed, the write fails, and that ends the output.
 */
export function pingOrphanedClient(input: Readable, output: Writable, chain = ancestors): void {
  const before = chain().join();
  input.once("end", () => {
    const look = () => {
      if (chain().join() !== before && !output.destroyed) output.write(PING);
    };
    setTimeout(look, ORPHANED_AFTER_MS).unref();
  });
}

/** Returns the ids of the processes above this one, from the parent up. Only Linux shows more than the parent. */
function ancestors(): number[] {
  const found = [process.ppid];
  for (let pid = process.ppid; pid > 1 && found.length < ANCESTORS_MAX; found.push(pid)) {
    const parent = parentOf(pid);
    if (parent === undefined) break;
    pid = parent;
  }
  return found;
}

function parentOf(pid: number): number | undefined {
  try {
    return Number(processStat(pid)[1]);
  } catch {
    // Other systems have no such file, and a process may end at any time.
    return undefined;
  }
}
