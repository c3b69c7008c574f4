// A daemon of another version, left in the background: it makes room for one of ours where nobody uses it.
import { watch } from "node:fs";
import { type ServiceError, status } from "@grpc/grpc-js";
import { fail, type TroupeError } from "../../proto/errors/catalogue.ts";
import type { DaemonNote, StateFiles } from "../../proto/machine/locations.ts";
import { understands, VERSION } from "../../proto/machine/version.ts";
import { counted } from "../../proto/text/counted.ts";
import { SESSION } from "../../proto/wire/metadata.ts";
import { DEFAULT_ADDRESS } from "./address.ts";
import { isAlive } from "./autostart.ts";
import type { Connection } from "./connection.ts";
import { readNote } from "./discovery.ts";

const ANSWER_MS_MAX = 5_000;
/** A daemon without sessions has only its browsers to end. */
const LEAVE_MS_MAX = 30_000;
/** One that is killed takes no note along, and nothing in its folder tells of that. */
const LOOK_MS = 250;
const RETRY_AFTER_MS = 10_000;
const NAMED_MAX = 5;

/** Whose daemon it is that is looked at. */
export interface OwnDaemon {
  files: Pick<StateFiles, "dir" | "note">;
  /** This client's own session, which keeps no daemon of another version from leaving. */
  session?: string | undefined;
}

/**
 * Whether this client can go on with the daemon of its state folder. One of another version that would leave by itself
 * is asked to do so now, if no other session holds it: false once it has left, whoever asked it to. Throws
 * DAEMON_UNREACHABLE, naming who holds it, where it stays and does not understand this client.
 */
export async function isUsable(
  connection: Connection,
  { files, session }: OwnDaemon,
  signal: AbortSignal,
): Promise<boolean> {
  const note = readNote(files.note);
  if (!note || note.version === VERSION || !leavesByItself(note)) return connection.usable;
  const stays = await askToLeave(connection, session, signal);
  if (stays === undefined || !isAlive(note.pid)) {
    await left(note, files, signal);
    return false;
  }
  if (understands(note.version)) return connection.usable;
  throw held(note, stays);
}

/** It was started by a client, for whoever comes. */
function leavesByItself({ started }: DaemonNote): boolean {
  return started?.arguments.includes("--idle-exit") ?? false;
}

/** Resolves to why it stays, in words; undefined where it leaves. */
async function askToLeave(
  connection: Connection,
  session: string | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const headers: Record<string, string> = session === undefined ? {} : { [SESSION]: session };
    const options = { headers, signal, deadlineMs: ANSWER_MS_MAX };
    const { heldBy } = await connection.call("Control", "Drain", { ifUnused: true }, options);
    if (heldBy.length === 0) return undefined;
    const more = heldBy.length - NAMED_MAX;
    const named = heldBy.slice(0, NAMED_MAX).join(", ");
    return `${counted(heldBy.length, "session")} in use (${named}${more > 0 ? `, and ${more} more` : ""})`;
  } catch (error) {
    // Somebody else has asked it to already, or it has ended by itself.
    if ((error as Partial<ServiceError>).code === status.UNAVAILABLE) return undefined;
    return `it does not leave when asked: ${(error as Error).message}`;
  }
}

/** Resolves when the daemon has given its state folder back. */
async function left(
  note: DaemonNote,
  { dir, note: file }: Pick<StateFiles, "dir" | "note">,
  signal: AbortSignal,
) {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const look = () => (readNote(file)?.pid !== note.pid || !isAlive(note.pid)) && resolve();
  const giveUp = () => reject(held(note, "it was asked to leave and is still ending"));
  const timer = setTimeout(giveUp, LEAVE_MS_MAX);
  signal.addEventListener("abort", giveUp, { once: true });
  const watcher = watch(dir, look);
  const again = setInterval(look, LOOK_MS);
  look();
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    clearInterval(again);
    signal.removeEventListener("abort", giveUp);
    watcher.close();
  }
}

function held({ version, pid }: DaemonNote, why: string): TroupeError {
  return fail("DAEMON_UNREACHABLE", {
    address: DEFAULT_ADDRESS,
    reason: `a daemon of version ${version} (process ${pid}) has this state folder, this client is ${VERSION}: ${why}`,
    mend: "end that daemon with: troupe drain, or give this client a daemon of its own with --state-dir",
    retryAfterMs: RETRY_AFTER_MS,
    effect: "none",
  });
}
