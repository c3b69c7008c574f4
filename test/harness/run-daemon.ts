// The daemon's process with stand-in workers. It does what daemon/main.ts does, without a browser.

import { parseFlags } from "../../daemon/config/command-line.ts";
import { loadConfig } from "../../daemon/config/load.ts";
import { systemClock } from "../../daemon/core/clock.ts";
import { openLog } from "../../daemon/core/log.ts";
import { hearSignals } from "../../daemon/core/signals.ts";
import { openDaemon } from "../../daemon/daemon.ts";
import { StateDir } from "../../daemon/state/state-dir.ts";
import { WORKER_TIMES } from "../../daemon/worker-process/worker.ts";
import { standIn } from "./daemon.ts";

const signals = hearSignals();
const flags = parseFlags(process.argv.slice(2), console.log);
if (!flags) throw new Error("nothing to run");
const { env } = process;
const load = () => loadConfig({ flags, env, cwd: process.cwd() });
const config = load();
const { log, dropped } = openLog(config.log.level);
using state = StateDir.open(config.state);
await using daemon = await openDaemon(config, state, {
  worker: standIn,
  times: WORKER_TIMES,
  env,
  clock: systemClock,
  log,
  logLinesDropped: dropped,
  load,
});
console.log("ready");
signals.obey(daemon, log);
await daemon.over;
