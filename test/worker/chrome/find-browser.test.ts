import assert from "node:assert/strict";
import { chmod, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { BrowserNotFound } from "../../../worker/chrome/browser-not-found.ts";
import { embeddedFolder, unpackEmbedded } from "../../../worker/chrome/embedded.ts";
import {
  type BrowserSearch,
  candidates,
  findBrowser,
  namedBrowser,
} from "../../../worker/chrome/find-browser.ts";
import { browserVersion, missingLibraries } from "../../../worker/chrome/try-browser.ts";

const embeddable = process.platform === "linux" && process.arch === "x64";

test("the environment decides before the configuration, and without either nothing is named", () => {
  const configured = "/opt/a";
  assert.deepEqual(namedBrowser({ configured, env: { TROUPE_BROWSER: "/opt/b" } }), {
    path: "/opt/b",
    source: "TROUPE_BROWSER",
  });
  assert.deepEqual(namedBrowser({ configured, env: {} }), { path: "/opt/a", source: "configured" });
  assert.equal(namedBrowser({ env: { TROUPE_BROWSER: "" } }), undefined);
});

test("the search tries the headless shell first and scripts last, and never relative folders", () => {
  const found = candidates({ env: { PATH: "/usr/bin:bin:.:/usr/local/bin" }, platform: "linux" });
  assert.equal(found[0], "/usr/bin/chrome-headless-shell");
  assert.equal(found[2], "/usr/lib/chromium/chromium-headless-shell");
  assert.ok(found.indexOf("/usr/lib/chromium/chromium") < found.indexOf("/usr/bin/chromium"));
  assert.ok(found.every((path) => path.startsWith("/")));
});

test("for a window the search leaves the headless shell out", async () => {
  await using folder = await temporaryFolder();
  await folder.program("chrome-headless-shell");
  const path = await folder.program("google-chrome");
  const search = { env: { PATH: folder.path }, usualPlaces: [], platform: "linux" } as const;
  assert.equal((await findBrowser(search)).kind, "headless-shell");
  const found = await findBrowser({ ...search, needsWindow: true });
  assert.deepEqual(found, { executable: path, source: "machine", kind: "chrome" });
});

test("on macOS the search tries the applications of the machine and of the user", () => {
  const found = candidates({ env: { HOME: "/Users/ada" }, platform: "darwin" });
  assert.ok(found.includes("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"));
  assert.ok(found.includes("/Users/ada/Applications/Chromium.app/Contents/MacOS/Chromium"));
});

test("a browser that is named is taken as it is", async () => {
  await using folder = await temporaryFolder();
  const path = await folder.program("chrome-headless-shell");
  const found = await findBrowser({ env: { TROUPE_BROWSER: path } });
  assert.deepEqual(found, { executable: path, source: "TROUPE_BROWSER", kind: "headless-shell" });
});

test("a named browser that is missing, no program or a relative path is refused, not replaced", async () => {
  await using folder = await temporaryFolder();
  const text = await folder.program("notes.txt", 0o644);
  const refusals = [
    ["/nowhere/chrome", "missing", /TROUPE_BROWSER names \/nowhere\/chrome, which does not exist/],
    [folder.path, "not-executable", /which is not a file/],
    [text, "not-executable", /may not be run/],
    ["chrome", "not-executable", /is not an absolute path/],
  ] as const;
  for (const [path, reason, message] of refusals) {
    const error = await refusal({ env: { TROUPE_BROWSER: path } });
    assert.equal(error.reason, reason);
    assert.match(error.message, message);
    assert.match(error.mend, /Let TROUPE_BROWSER name the Chrome or Chromium program/);
    assert.deepEqual(error.lookedFor, [path]);
  }
  assert.match(
    (await refusal({ configured: "/nowhere", env: {} })).message,
    /^browser\.executable names \/nowhere/,
  );
});

test("a Chrome on the PATH is found if the usual places have none", async () => {
  await using folder = await temporaryFolder();
  const path = await folder.program("google-chrome");
  const found = await findBrowser({ env: { PATH: folder.path }, platform: "linux", usualPlaces: [] });
  assert.deepEqual(found, { executable: path, source: "machine", kind: "chrome" });
});

test("snaps, as links and as scripts, and files that may not be run are skipped", async () => {
  await using folder = await temporaryFolder();
  await writeFile(join(folder.path, "chromium-browser"), '#!/bin/sh\nexec /snap/bin/chromium "$@"\n', {
    mode: 0o755,
  });
  await folder.program("google-chrome", 0o644);
  await symlink(join(folder.path, "gone"), join(folder.path, "chrome"));
  const search = { env: { PATH: folder.path }, usualPlaces: [], platform: "linux", arch: "arm64" } as const;
  assert.equal((await refusal(search)).reason, "unsupported-platform");
});

test("without any browser, an unsupported processor's error says what to install", async () => {
  const search = { env: { PATH: "/nowhere" }, usualPlaces: [], platform: "linux", arch: "arm64" } as const;
  const error = await refusal(search);
  assert.equal(error.reason, "unsupported-platform");
  assert.match(error.message, /runs on Linux x64 only, not on linux arm64/);
  assert.match(error.mend, /apt-get install chromium/);
  assert.ok(error.lookedFor.includes("/nowhere/chromium"));
});

test("root's embedded browser lies where Chrome's user can read it, another user's in the user's cache", () => {
  const version = "1.2.3";
  assert.equal(
    embeddedFolder({ env: { HOME: "/root" }, uid: 0, version }),
    "/var/cache/troupe/chromium-1.2.3",
  );
  assert.equal(embeddedFolder({ env: { HOME: "/h" }, uid: 7, version }), "/h/.cache/troupe/chromium-1.2.3");
  assert.equal(
    embeddedFolder({ env: { HOME: "/h", XDG_CACHE_HOME: "/c" }, uid: 7, version }),
    "/c/troupe/chromium-1.2.3",
  );
  // The XDG specification says that a relative path is ignored.
  assert.equal(
    embeddedFolder({ env: { HOME: "/h", XDG_CACHE_HOME: "c" }, uid: 7, version }),
    "/h/.cache/troupe/chromium-1.2.3",
  );
});

test("the embedded browser runs, also where several processes unpack it at once", {
  skip: !embeddable,
}, async () => {
  await using folder = await temporaryFolder();
  const target = join(folder.path, "troupe/chromium-1");
  const [first, second] = await Promise.all([unpackEmbedded(target), unpackEmbedded(target)]);
  assert.deepEqual(first, second);
  assert.deepEqual(await readdir(join(folder.path, "troupe")), ["chromium-1"]);
  const found = { ...first, source: "embedded", kind: "headless-shell" } as const;
  assert.match(await browserVersion(found), /^Chromium \d+\./);
  assert.ok((await missingLibraries(found)).every((library) => library.startsWith("libsqlite3")));
});

test("a folder for the embedded browser that others can write is refused", {
  skip: !embeddable,
}, async () => {
  await using folder = await temporaryFolder();
  const parent = join(folder.path, "troupe");
  await mkdir(parent);
  await chmod(parent, 0o777);
  await assert.rejects(
    unpackEmbedded(join(parent, "chromium-1")),
    isRefusal("cannot-unpack", /only this user can write/),
  );
  await chmod(parent, 0o755);
  await symlink("/tmp", join(parent, "chromium-2"));
  await assert.rejects(
    unpackEmbedded(join(parent, "chromium-2")),
    isRefusal("cannot-unpack", /chromium-2 is not a folder/),
  );
});

test("a folder for the embedded browser that cannot be made is said with its reason", {
  skip: !embeddable,
}, async () => {
  await using folder = await temporaryFolder();
  const file = await folder.program("file");
  await assert.rejects(
    unpackEmbedded(join(file, "troupe/chromium-1")),
    isRefusal("cannot-unpack", /EEXIST|ENOTDIR/),
  );
});

test("a program that is no Chrome, or lacks a library, does not pass for a browser", async () => {
  await using folder = await temporaryFolder();
  const other = await folder.program("other");
  const source = "machine";
  await assert.rejects(
    browserVersion({ executable: other, source, kind: "chrome" }),
    isRefusal("does-not-start", /says "hello" when asked for its version/),
  );
  const said = "chrome: error while loading shared libraries: libnss3.so: cannot open shared object file";
  const broken = await folder.program("broken", 0o755, `echo '${said}' >&2; exit 127`);
  await assert.rejects(
    browserVersion({ executable: broken, source, kind: "chrome" }),
    isRefusal("does-not-start", /the shared library libnss3\.so is missing/),
  );
});

async function refusal(search: BrowserSearch): Promise<BrowserNotFound> {
  const outcome = await findBrowser(search).catch((error: unknown) => error);
  assert.ok(outcome instanceof BrowserNotFound, `expected a refusal, got ${JSON.stringify(outcome)}`);
  return outcome;
}

function isRefusal(reason: BrowserNotFound["reason"], message: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof BrowserNotFound, String(error));
    assert.equal(error.reason, reason);
    assert.match(error.message, message);
    return true;
  };
}

async function temporaryFolder() {
  const path = await mkdtemp(join(tmpdir(), "troupe-test-"));
  return {
    path,
    async program(name: string, mode = 0o755, script = "echo hello"): Promise<string> {
      await writeFile(join(path, name), `#!/bin/sh\n${script}\n`, { mode });
      return join(path, name);
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}
