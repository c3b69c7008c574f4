// Runs the browser checks of `troupe doctor`. Its argument is the browser's settings as JSON. It prints findings as
// JSON.
import { tmpdir } from "node:os";
import type { BrowserConfig } from "../../proto/gen/troupe.ts";
import { sharedMemoryFinding } from "./shared-memory.ts";
import { browserFindings } from "./started-browser.ts";

const ANSWER_MS_MAX = 25_000;

const over = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => over.abort(new Error(`ended by ${signal}`)));
const config = JSON.parse(process.argv[2] ?? "{}") as BrowserConfig;
const asked = { answerMs: ANSWER_MS_MAX, over: over.signal };
const findings = [...(await browserFindings(config, asked)), await sharedMemoryFinding(tmpdir())];
process.stdout.write(`${JSON.stringify(findings)}\n`);
