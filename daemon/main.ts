// The daemon's process. Signals are heard before the rest is loaded, which takes a while.
import { hearSignals } from "./core/signals.ts";
import { goUnderInit } from "./core/under-init.ts";

goUnderInit(process.argv.slice(1));
const signals = hearSignals();
const { runDaemon } = await import("./startup/run-daemon.ts");
await runDaemon(signals);
