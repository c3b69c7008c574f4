import assert from "node:assert/strict";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { launchChrome, NO_WISHES } from "../../../worker/chrome/launch.ts";

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
