// Measures sessions, queues and memory at each scrape.
import { VERSION } from "../../proto/machine/version.ts";
import type { SessionSlots } from "../sessions/session-slots.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { Supervisor } from "../supervisor/supervisor.ts";
import type { Metrics } from "./metrics.ts";

/** The measured parts. */
export interface Measured {
  sessions: Sessions;
  supervisor: Supervisor;
  places: ReadonlyMap<string, SessionSlots>;
  logLinesDropped?: () => number;
}

/** Updates the gauges at each scrape. */
export function measure(
  metrics: Metrics,
  { sessions, supervisor, places, logLinesDropped = () => 0 }: Measured,
): void {
  const { of } = metrics;
  of.troupe_build_info.set({ version: VERSION, node: process.version }, 1);
  metrics.onScrape(() => {
    of.troupe_memory_bytes.set({ role: "", process: "daemon" }, process.memoryUsage.rss());
    of.troupe_log_lines_dropped_total.reset();
    of.troupe_log_lines_dropped_total.inc(logLinesDropped());
    of.troupe_browser_info.reset();
    for (const { name: role, current } of supervisor.roles.values()) {
      if (current?.info)
        of.troupe_browser_info.set(
          { role, version: current.info.browserVersion, source: current.info.browserSource },
          1,
        );
    }
    // Roles come and go with the configuration.
    of.troupe_sessions.reset();
    of.troupe_queue_depth.reset();
    for (const [role, { size, waiting }] of places) {
      of.troupe_sessions.set({ role, state: "awake" }, size);
      of.troupe_sessions.set({ role, state: "resting" }, sessions.restingIn(role));
      of.troupe_queue_depth.set({ role }, waiting);
    }
  });
}
