import assert from "node:assert/strict";
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
