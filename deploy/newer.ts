// Adds the parts of ECMAScript 2026 that Node 22 lacks. Every program of the package begins with it.
import { createRequire } from "node:module";
import { ownPath } from "../proto/machine/program.ts";

// A newer Node has them, and is spared the time to load them.
if (!("AsyncDisposableStack" in globalThis && "try" in Promise))
  createRequire(import.meta.url)(ownPath("deploy/polyfills.cjs"));
