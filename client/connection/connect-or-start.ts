// Makes the link to the daemon for clients that may start one if none runs.
import { existsSync } from "node:fs";
import type { DaemonStart } from "../../proto/machine/locations.ts";
import { type AutostartOptions, startDaemon } from "./autostart.ts";
import { DaemonLink } from "./daemon-link.ts";
import { readNote } from "./discovery.ts";
import { isUsable } from "./other-version.ts";

export interface DaemonReach
  extends Pick<AutostartOptions, "where" | "cwd" | "env" | "roles" | "idleExit" | "report"> {
  /** Allows this client to start a daemon. */
  autostart: boolean;
  /** This client's own session, if it has one. */
  session?: string | undefined;
}

/** Returns a link that connects when it is first needed. */
export function connectOrStart({ autostart, session, ...options }: DaemonReach): DaemonLink {
  const { where } = options;
  // A named address belongs to a daemon that this client does not start.
  if (!autostart || where.named) return new DaemonLink(where);
  let before: DaemonStart | undefined;
  const { socket, note } = where.files;
  return new DaemonLink({
    ...where,
    // A daemon that was killed leaves both. One that listens elsewhere has a note.
    isAbsent: () => !existsSync(socket) && !existsSync(note),
    // The note is read while the daemon lives, because a daemon that ends in order removes its note.
    connected: () => {
      before = readNote(where.files.note)?.started;
    },
    isUsable: (connection, signal) => isUsable(connection, { files: where.files, session }, signal),
    start: (signal) => startDaemon({ ...options, before, signal }),
  });
}
