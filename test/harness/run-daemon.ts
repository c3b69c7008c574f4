// The daemon's process with stand-in workers. It does what daemon/main.ts does, without a browser.

import { parseFlags } from "../../daemon/config/command-line.ts";
import { loadConfig } from "../../daemon/config/load.ts";
import { systemClock } from "../../daemon/core/clock.ts";
import { openLog } from "../../daemon/core/log.ts";
import { hearSignals } from "../../daemon/core/signals.ts";
import { openDaemon } from "../../daemon/daemon.ts";
import { TraceRecord } from "../../daemon/state/leftovers.ts";
import { StateDir } from "../../daemon/state/state-dir.ts";
import { EarlyProcess } from "../../daemon/worker-process/early-process.ts";
import { WORKER_TIMES } from "../../daemon/worker-process/worker-times.ts";
import { standIn } from "./daemon.ts";

const signals = hearSignals();
const flags = parseFlags(process.argv.slice(2), console.log);
if (!flags) throw new Error("nothing to run");
const { env } = process;
const load = () => loadConfig({ flags, env, cwd: process.cwd() });
const config = load();
const { log, dropped } = openLog(config.log.level);
using state = StateDir.open(config.state);
const traces = await TraceRecord.open(config.state.dir, log);
const workers = { worker: standIn, times: WORKER_TIMES, env, traces };
await using early = EarlyProcess.begin(config, { ...workers, log });
await using daemon = await openDaemon(config, state, {
  ...workers,
  early,
  clock: systemClock,
  log,
  logLinesDropped: dropped,
  load,
});
console.log("ready");
signals.obey(daemon, log);
await daemon.over;
