// The daemon's process. Signals are heard before the rest is loaded, which takes a while.
import { hearSignals } from "./signals.ts";
import { goUnderInit } from "./under-init.ts";

goUnderInit(process.argv.slice(1));
const signals = hearSignals();
const { runDaemon } = await import("./run-daemon.ts");
await runDaemon(signals);
