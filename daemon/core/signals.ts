// Handles signals from the process's first moment, and keeps them until the daemon is there.
import type { Log } from "./log.ts";

/** The exit code after a second request to end. */
const ENDED_AT_ONCE = 1;

/** The daemon's methods that signals call. */
interface Obeying {
  drain(): void;
  kill(): void;
  reload(): void;
}

export interface Signals {
  /**
   * The first SIGTERM or SIGINT drains the daemon, a second one ends it at once. SIGHUP makes it read its configuration
   * again. Signals that came earlier take effect now.
   */
  obey(daemon: Obeying, log: Pick<Log, "info">): void;
}

/** Installs the signal handlers. Without them each of these signals would end the process. */
export function hearSignals(): Signals {
  let obeying: { daemon: Obeying; log: Pick<Log, "info"> } | undefined;
  let ended: NodeJS.Signals | undefined;
  let isToReload = false;
  const end = (signal: NodeJS.Signals) => {
    const isSecond = ended !== undefined;
    ended = signal;
    obeying?.log.info({ signal }, isSecond ? "told again to end: ending at once" : "told to end");
    if (isSecond) {
      obeying?.daemon.kill();
      process.exit(ENDED_AT_ONCE);
    }
    obeying?.daemon.drain();
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => end(signal));
  process.on("SIGHUP", () => {
    isToReload = true;
    obeying?.daemon.reload();
  });
  return {
    obey(daemon, log) {
      obeying = { daemon, log };
      if (isToReload) daemon.reload();
      if (ended === undefined) return;
      log.info({ signal: ended }, "told to end while it started");
      daemon.drain();
    },
  };
}
