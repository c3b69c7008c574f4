import assert from "node:assert/strict";
import { chmod, mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { findBrowser } from "../../../worker/chrome/find-browser.ts";
import { launchChrome, NO_WISHES } from "../../../worker/chrome/launch.ts";
import { NoSandbox } from "../../../worker/chrome/no-sandbox.ts";

test("a session costs its own page, and none of the browser's", { timeout: 60_000 }, async () => {
  const chrome = await launchChrome(NO_WISHES);
  try {
    const { session } = chrome;
    const { browserContextId } = await session.send("Target.createBrowserContext");
    await session.send("Target.createTarget", { url: "about:blank", browserContextId });
    const { targetInfos } = await session.send("Target.getTargets", { filter: [{}] });
    const others = targetInfos.filter(({ type }) => type !== "page" && type !== "tab");
    assert.deepEqual(others, []);
  } finally {
    await chrome.close();
  }
});

for (const executable of ["", "embedded"])
  test(`the ${executable || "usual"} browser of a role starts empty, and outlives its last page`, {
    timeout: 60_000,
  }, async () => {
    const chrome = await launchChrome({ ...NO_WISHES, executable }, { startsEmpty: true });
    try {
      const { session } = chrome;
      const pages = async () => {
        const { targetInfos } = await session.send("Target.getTargets");
        return targetInfos.filter(({ type }) => type === "page").length;
      };
      assert.equal(await pages(), 0);
      const { browserContextId } = await session.send("Target.createBrowserContext");
      await session.send("Target.createTarget", { url: "about:blank", browserContextId });
      assert.equal(await pages(), 1);
      await session.send("Target.disposeBrowserContext", { browserContextId });
      assert.equal(await pages(), 0);
      const { browserContextId: next } = await session.send("Target.createBrowserContext");
      await session.send("Target.createTarget", { url: "about:blank", browserContextId: next });
      assert.equal(await pages(), 1);
    } finally {
      await chrome.close();
    }
  });

test("a TMPDIR that the user of Chrome cannot enter keeps no browser from starting", {
  timeout: 60_000,
}, async () => {
  const { TMPDIR } = process.env;
  await using shut = await mkdtempDisposable(path.join(tmpdir(), "shut-"));
  process.env.TMPDIR = shut.path;
  try {
    const chrome = await launchChrome(NO_WISHES);
    await chrome.close();
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
});

for (const executable of ["", "embedded"])
  test(`pages of the ${executable || "usual"} browser know of a mouse`, { timeout: 60_000 }, async () => {
    const chrome = await launchChrome({ ...NO_WISHES, executable });
    try {
      const page = await chrome.browser.newPage();
      const media = "(hover: hover) and (pointer: fine) and (any-hover: hover) and (any-pointer: fine)";
      assert.equal(await page.evaluate(`matchMedia("${media}").matches`), true);
      assert.equal(await page.evaluate(`matchMedia("(any-pointer: coarse)").matches`), false);
    } finally {
      await chrome.close();
    }
  });

/** A browser to which the kernel gives no user namespaces, as in most container runtimes. */
async function withoutNamespaces() {
  const { executable, env } = await findBrowser({ env: process.env });
  const folder = await mkdtempDisposable(path.join(tmpdir(), "denied-"));
  await chmod(folder.path, 0o755);
  const file = path.join(folder.path, "chrome");
  const deny = `echo 0 > /proc/sys/user/max_user_namespaces; exec "$0" "$@"`;
  const variables = Object.entries(env ?? {}).map(([name, value]) => `export ${name}='${value}'\n`);
  await writeFile(
    file,
    `#!/bin/sh\n${variables.join("")}exec unshare --user --map-current-user --keep-caps /bin/sh -c '${deny}' ${executable} "$@"\n`,
    { mode: 0o755 },
  );
  return { executable: file, [Symbol.asyncDispose]: () => folder.remove() };
}

test("sandbox: auto goes without where the machine denies it, and says so", { timeout: 60_000 }, async () => {
  await using browser = await withoutNamespaces();
  const chrome = await launchChrome({ ...NO_WISHES, executable: browser.executable });
  try {
    assert.equal(chrome.sandbox, "off: this machine allows Chrome no sandbox");
    assert.ok(await chrome.browser.newPage());
  } finally {
    await chrome.close();
  }
});

test("sandbox: true says what to allow where the machine denies it", { timeout: 60_000 }, async () => {
  await using browser = await withoutNamespaces();
  const start = launchChrome({ ...NO_WISHES, sandbox: "true", executable: browser.executable });
  await assert.rejects(start, (error: unknown) => {
    assert.ok(error instanceof NoSandbox);
    assert.match(error.message, /finds no usable sandbox/);
    assert.match(error.mend, /user namespaces[\s\S]*browser\.sandbox/);
    return true;
  });
});
