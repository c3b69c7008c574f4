// The way to the daemon for whoever may start one where none runs.
import type { DaemonStart } from "../../proto/machine/locations.ts";
import { type AutostartOptions, startDaemon } from "./autostart.ts";
import { DaemonLink } from "./daemon-link.ts";
import { readNote } from "./discovery.ts";
import { isUsable } from "./other-version.ts";

export interface DaemonReach extends Pick<AutostartOptions, "where" | "cwd" | "env" | "roles" | "idleExit"> {
  /** Whether one is started at all. */
  autostart: boolean;
  /** This client's own session, where it has one. */
  session?: string | undefined;
}

/** A link that connects when it is first needed. */
export function connectOrStart({ autostart, session, ...options }: DaemonReach): DaemonLink {
  const { where } = options;
  // An address that somebody named is another daemon's business.
  if (!autostart || where.named) return new DaemonLink(where);
  let before: DaemonStart | undefined;
  return new DaemonLink({
    ...where,
    // While it lives: one that ends in order takes its note along.
    connected: () => {
      before = readNote(where.files.note)?.started;
    },
    isUsable: (connection, signal) => isUsable(connection, { files: where.files, session }, signal),
    start: (signal) => startDaemon({ ...options, before, signal }),
  });
}
