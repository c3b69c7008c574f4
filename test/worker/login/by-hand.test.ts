import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import type { Browser } from "puppeteer-core";
import { requireWindow, saidDone } from "../../../worker/login/by-hand.ts";

/** A browser with a given number of windows. */
class Windows extends EventEmitter {
  open = 1;
  targets() {
    return Array.from({ length: this.open }, () => ({ type: () => "page" }));
  }
}

function begin() {
  const windows = new Windows();
  const input = new PassThrough();
  return { windows, input, said: saidDone(windows as unknown as Browser, input) };
}

test("Enter ends the wait, even if one of several windows was closed before", async () => {
  const { windows, input, said } = begin();
  windows.emit("targetdestroyed");
  input.write("\n");
  await said;
  assert.deepEqual(windows.eventNames(), []);
});

test("a closed last window, a dead browser and an ended input each give their own error", async () => {
  const lastWindow = begin();
  lastWindow.windows.open = 0;
  lastWindow.windows.emit("targetdestroyed");
  await assert.rejects(lastWindow.said, { exitCode: 1, message: /^the window was closed before Enter/ });
  const gone = begin();
  gone.windows.emit("disconnected");
  await assert.rejects(gone.said, { exitCode: 1, message: /^the window was closed before Enter/ });
  const silent = begin();
  silent.input.end();
  await assert.rejects(silent.said, {
    exitCode: 1,
    message: /^standard input ended.*so no login was saved$/,
  });
});

test("a person who never comes back does not keep the browser for ever", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { said } = begin();
  t.mock.timers.tick(30 * 60_000 - 1);
  assert.equal(await Promise.race([said, Promise.resolve("waiting")]), "waiting");
  t.mock.timers.tick(1);
  await assert.rejects(said, { exitCode: 1, message: /^nobody pressed Enter within 30 minutes/ });
});

test("a display is required if windows need one", async () => {
  const wishes = {
    executable: process.execPath,
    executableShown: "",
    headless: true,
    sandbox: "auto",
    args: [],
    connect: "",
  };
  await assert.rejects(requireWindow(wishes, {}, "linux"), { exitCode: 69, message: /^there is no display/ });
  for (const env of [{ DISPLAY: ":0" }, { WAYLAND_DISPLAY: "wayland-0" }])
    await requireWindow(wishes, env, "linux");
  await requireWindow(wishes, {}, "darwin");
});
