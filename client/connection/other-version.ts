// Handles a daemon of another version that was left in the background. It makes room for this version if no other
// session uses it.
import { watch } from "node:fs";
import type { ServiceError } from "@grpc/grpc-js";
import { fail, GRPC_CODE, type TroupeError } from "../../proto/errors/catalogue.ts";
import type { DaemonNote, StateFiles } from "../../proto/machine/locations.ts";
import { understands, VERSION } from "../../proto/machine/version.ts";
import { within } from "../../proto/machine/within.ts";
import { counted } from "../../proto/text/counted.ts";
import { SESSION } from "../../proto/wire/metadata.ts";
import { DEFAULT_ADDRESS } from "./address.ts";
import { isAlive } from "./autostart.ts";
import type { Connection } from "./connection.ts";
import { readNote } from "./discovery.ts";

const ANSWER_MS_MAX = 5_000;
/** A daemon without sessions has only its browsers to end. */
const LEAVE_MS_MAX = 30_000;
/** A killed daemon leaves its note behind, and no event in its folder reports that. */
const LOOK_MS = 250;
const RETRY_AFTER_MS = 10_000;
const NAMED_MAX = 5;

/** The daemon to look at, and this client's place in it. */
export interface OwnDaemon {
  files: Pick<StateFiles, "dir" | "note">;
  /** This client's own session. It keeps no daemon of another version from leaving. */
  session?: string | undefined;
}

/**
 * Decides if this client can use the daemon of its state folder. A daemon of another version that would leave by itself
 * is asked to leave now, if no other session holds it. Resolves to false once the daemon has left, also if another
 * client asked it to. Throws DAEMON_UNREACHABLE, with the sessions that hold it, if it stays and does not understand
 * this client.
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

/** A client started the daemon, for any client. */
function leavesByItself({ started }: DaemonNote): boolean {
  return started?.arguments.includes("--idle-exit") ?? false;
}

/** Resolves to the reason in words if the daemon stays, and to undefined if it leaves. */
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
    // Another client has asked it already, or it has ended by itself.
    if ((error as Partial<ServiceError>).code === GRPC_CODE.UNAVAILABLE) return undefined;
    return `it does not leave when asked: ${(error as Error).message}`;
  }
}

/** Resolves when the daemon has released its state folder. */
async function left(
  note: DaemonNote,
  { dir, note: file }: Pick<StateFiles, "dir" | "note">,
  signal: AbortSignal,
) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = () => (readNote(file)?.pid !== note.pid || !isAlive(note.pid)) && resolve();
  const late = () => held(note, "it was asked to leave and is still ending");
  const watcher = watch(dir, look);
  const again = setInterval(look, LOOK_MS);
  look();
  try {
    await within({ signal, aborted: late, timeMs: LEAVE_MS_MAX, late }, promise);
  } finally {
    clearInterval(again);
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
