/** Checks if a browser that was found runs on this machine. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { BrowserNotFound } from "./browser-not-found.ts";
import type { FoundBrowser } from "./find-browser.ts";

/**
 * Returns the browser's version, such as `Chromium 156.0.8078.79`: the cheapest proof that it runs. Rejects with
 * `BrowserNotFound`.
 */
export function browserVersion(browser: FoundBrowser, env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const options = {
    env: { ...env, ...browser.env },
    timeout: versionTimeoutMs,
    killSignal: "SIGKILL",
  } as const;
  execFile(browser.executable, ["--version"], options, (error, stdout, stderr) => {
    const version = /^.*Chrom.*\d+\.\d+.*$/m.exec(stdout)?.[0].trim();
    if (!error && version) resolve(version);
    else
      reject(
        doesNotStart(
          browser,
          `${stderr}\n${error?.message ?? `it says "${stdout.trim()}" when asked for its version, as no Chrome does`}`,
        ),
      );
  });
  return promise;
}

/**
 * Returns missing shared libraries that the embedded browser loads only while it runs, such as for the first https
 * page. Empty for any other browser, because its packages install them.
 */
export function missingLibraries({ source, env = {} }: FoundBrowser): Promise<string[]> {
  if (source !== "embedded") return Promise.resolve([]);
  const { promise, resolve, reject } = Promise.withResolvers<string[]>();
  const loaded = join(env.LD_LIBRARY_PATH ?? "", "libsoftokn3.so");
  execFile(
    "ldd",
    [loaded],
    { env: { ...process.env, ...env }, timeout: versionTimeoutMs },
    (error, stdout) => {
      // A machine without ldd gives no answer, which is no reason to stop.
      if (error && error.code !== "ENOENT") reject(error);
      else resolve(Array.from(stdout.matchAll(/(\S+) => not found/g), ([, library]) => String(library)));
    },
  );
  return promise;
}

const versionTimeoutMs = 20_000;

function doesNotStart({ executable, source }: FoundBrowser, said: string): BrowserNotFound {
  const library = /error while loading shared libraries: ([^:\s]+)/.exec(said)?.[1];
  const another = source === "embedded" ? "" : ` or have the embedded one used (TROUPE_BROWSER=embedded)`;
  return new BrowserNotFound("does-not-start", {
    message: library
      ? `${executable} does not start: the shared library ${library} is missing`
      : `${executable} does not start: ${said.trim().split("\n")[0]}`,
    lookedFor: [executable],
    mend: library
      ? `Install the package that holds ${library} (on Debian and Ubuntu: apt-get install chromium brings all),${another || " or name another browser in TROUPE_BROWSER"}.`
      : `Install it anew${source === "embedded" ? ": remove its folder and try again" : another}.`,
  });
}
