// Measures sessions, queues and memory at each scrape.
import { VERSION } from "../../proto/machine/version.ts";
import type { Supervisor } from "../supervisor/supervisor.ts";
import type { Metrics } from "./metrics.ts";

export interface Measured {
  supervisor: Supervisor;
  logLinesDropped?: () => number;
}

/** Updates the gauges at each scrape. */
export function measure(metrics: Metrics, { supervisor, logLinesDropped = () => 0 }: Measured): void {
  const { of } = metrics;
  of.troupe_build_info.set({ version: VERSION, node: process.version }, 1);
  metrics.onScrape(() => {
    of.troupe_memory_bytes.set({ role: "", process: "daemon" }, process.memoryUsage.rss());
    of.troupe_log_lines_dropped_total.reset();
    of.troupe_log_lines_dropped_total.inc(logLinesDropped());
    of.troupe_browser_info.reset();
    // Roles come and go with the configuration.
    of.troupe_sessions.reset();
    of.troupe_queue_depth.reset();
    for (const { name: role, current, slots, hibernated } of supervisor.roles.values()) {
      if (current?.info)
        of.troupe_browser_info.set(
          { role, version: current.info.browserVersion, source: current.info.browserSource },
          1,
        );
      of.troupe_sessions.set({ role, state: "awake" }, slots.size);
      of.troupe_sessions.set({ role, state: "resting" }, hibernated);
      of.troupe_queue_depth.set({ role }, slots.waiting);
    }
  });
}
