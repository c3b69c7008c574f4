// Checks the browser that the settings lead to, by starting it without a window. An attached one is only looked for.
import { homedir } from "node:os";
import type { BrowserConfig } from "../../proto/gen/troupe.ts";
import { type Finding, unwell } from "../../proto/machine/finding.ts";
import { NoTemporaryFolder } from "../../proto/machine/temporary-folder.ts";
import { BrowserNotFound } from "../chrome/browser-not-found.ts";
import { findBrowser } from "../chrome/find-browser.ts";
import { launchChrome } from "../chrome/launch.ts";
import { NoSandbox } from "../chrome/no-sandbox.ts";
import { attachedFinding } from "./attached-browser.ts";
import { browserFinding } from "./browser.ts";
import { fontFolders, fontsFinding } from "./fonts.ts";
import { sandboxFinding } from "./sandbox.ts";

const TRY_IT = "Try the browser by hand, or name another one in TROUPE_BROWSER or browser.executable.";

/** `over` ends the check, with Chrome's processes and its profile. The findings then say nothing. */
export async function browserFindings(
  wanted: BrowserConfig,
  { answerMs, over }: { answerMs: number; over: AbortSignal },
): Promise<Finding[]> {
  if (wanted.connect) return [await attachedFinding(wanted.connect, process.env)];
  const late = AbortSignal.timeout(answerMs);
  try {
    const found = await findBrowser({ configured: wanted.executable || undefined, env: process.env });
    const fonts = await fontsFinding(fontFolders(homedir()), found.env?.FONTCONFIG_FILE !== undefined);
    const signal = AbortSignal.any([over, late]);
    const chrome = await launchChrome({ ...wanted, headless: true }, { signal });
    const { version, source, builtMs, sandbox } = chrome;
    await chrome.close();
    const facts = { version, executable: found.executable, source, builtMs };
    return [browserFinding(facts, Date.now()), sandboxFinding(sandbox), fonts];
  } catch (error) {
    if (error === late.reason)
      return [unwell("browser", `the browser did not answer within ${answerMs / 1000} s`, TRY_IT)];
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
