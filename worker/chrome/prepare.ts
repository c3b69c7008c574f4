/**
 * Runs during set-up: finds the browser, unpacks the embedded one if needed, and names it in one line. Exits with 69 if
 * there is none, and says what is missing and how to get it.
 */
import { BrowserNotFound } from "./browser-not-found.ts";
import { findBrowser } from "./find-browser.ts";
import { browserVersion, missingLibraries } from "./try-browser.ts";

try {
  const browser = await findBrowser({ env: process.env });
  const version = await browserVersion(browser);
  process.stdout.write(`browser: ${version} (${browser.source}, ${browser.executable})\n`);
  for (const library of await missingLibraries(browser)) {
    process.stderr.write(
      `warning: https pages will not open, because the shared library ${library} is missing (on Debian and Ubuntu: apt-get install libsqlite3-0)\n`,
    );
  }
} catch (error) {
  if (!(error instanceof BrowserNotFound)) throw error;
  process.stderr.write(`There is no browser to work with: ${error.message}.\n${error.mend}\n`);
  process.exitCode = 69;
}
