// The daemon's process. It installs signal handlers first, because the rest takes a while to load.
import { hearSignals } from "./core/signals.ts";
import { goUnderInit } from "./core/under-init.ts";

goUnderInit(process.argv.slice(1));
const signals = hearSignals();
const { runDaemon } = await import("./startup/run-daemon.ts");
await runDaemon(signals);
