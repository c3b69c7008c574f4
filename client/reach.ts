// The way to the daemon for whoever may start one where none runs.
import { type AutostartOptions, startDaemon } from "./autostart.ts";
import { DaemonLink } from "./daemon-link.ts";

export interface Reach extends Pick<AutostartOptions, "where" | "cwd" | "env" | "roles" | "idleExit"> {
  /** Whether one is started at all. */
  autostart: boolean;
}

/** A link that connects when it is first needed. */
export function reachDaemon({ autostart, ...options }: Reach): DaemonLink {
  const { where } = options;
  // An address that somebody named is another daemon's business.
  if (!autostart || where.named) return new DaemonLink(where);
  return new DaemonLink({ ...where, start: (signal) => startDaemon({ ...options, signal }) });
}
