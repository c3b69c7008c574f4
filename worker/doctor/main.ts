// Runs the browser checks of `troupe doctor`. Its argument is the browser's settings as JSON. It prints findings as
// JSON.
import { stat } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import type { BrowserConfig } from "../../proto/gen/troupe.ts";
import { type Finding, unwell } from "../../proto/machine/finding.ts";
import { NoTemporaryFolder } from "../../proto/machine/temporary-folder.ts";
import { BrowserNotFound } from "../chrome/browser-not-found.ts";
import { findBrowser } from "../chrome/find-browser.ts";
import { launchChrome } from "../chrome/launch.ts";
import { NoSandbox } from "../chrome/no-sandbox.ts";
import { browserFinding } from "./browser.ts";
import { fontFolders, fontsFinding } from "./fonts.ts";
import { sandboxFinding } from "./sandbox.ts";
import { sharedMemoryFinding } from "./shared-memory.ts";

const TRY_IT = "Try the browser by hand, or name another one in TROUPE_BROWSER or browser.executable.";

const config = JSON.parse(process.argv[2] ?? "{}") as BrowserConfig;
const findings = [...(await browserFindings(config)), await sharedMemoryFinding(tmpdir())];
process.stdout.write(`${JSON.stringify(findings)}\n`);

/** Checks the browser that the settings lead to, by starting it without a window. */
async function browserFindings(wanted: BrowserConfig): Promise<Finding[]> {
  try {
    const found = await findBrowser({ configured: wanted.executable || undefined, env: process.env });
    const fonts = await fontsFinding(fontFolders(homedir()), found.env?.FONTCONFIG_FILE !== undefined);
    const chrome = await launchChrome({ ...wanted, headless: true });
    const { version, source, sandbox } = chrome;
    await chrome.close();
    const { mtimeMs } = await stat(found.executable);
    const facts = { version, executable: found.executable, source, builtMs: mtimeMs };
    return [browserFinding(facts, Date.now()), sandboxFinding(sandbox), fonts];
  } catch (error) {
    return [whyNone(error as Error)];
  }
}

/** Returns the one finding for a browser that does not start. */
function whyNone(error: Error): Finding {
  if (error instanceof NoSandbox) return unwell("sandbox", error.message, error.mend);
  const isKnown = error instanceof BrowserNotFound || error instanceof NoTemporaryFolder;
  const [found = ""] = error.message.split("\n");
  return unwell("browser", found, isKnown ? error.mend : TRY_IT);
}
