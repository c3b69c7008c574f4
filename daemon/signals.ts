// What the process does when it is told to end.
import type { Daemon } from "./daemon.ts";
import type { Log } from "./log.ts";

/** The exit code of whoever was told twice to end. */
const ENDED_AT_ONCE = 1;

/** The first SIGTERM or SIGINT drains the daemon, a second one ends it at once. SIGHUP has it read its configuration again. */
export function obeySignals(daemon: Pick<Daemon, "drain" | "kill" | "reload">, log: Log): void {
  let told = false;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      log.info({ signal }, told ? "told again to end: ending at once" : "told to end");
      if (told) {
        daemon.kill();
        process.exit(ENDED_AT_ONCE);
      }
      told = true;
      daemon.drain();
    });
  }
  process.on("SIGHUP", () => daemon.reload());
}
