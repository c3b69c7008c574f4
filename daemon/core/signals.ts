// What the process does with signals, from its first moment on: until there is a daemon, they are kept for it.
import type { Log } from "./log.ts";

/** The exit code of whoever was told twice to end. */
const ENDED_AT_ONCE = 1;

/** The daemon, as far as signals concern it. */
interface Obeying {
  drain(): void;
  kill(): void;
  reload(): void;
}

/** Signals that are heard. */
export interface Signals {
  /**
   * The first SIGTERM or SIGINT drains the daemon, a second one ends it at once. SIGHUP has it read its configuration
   * again. What came before is obeyed now.
   */
  obey(daemon: Obeying, log: Pick<Log, "info">): void;
}

/** Hears signals from now on: by default each of them would end the process. */
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
