import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { reportProgress } from "../../../proto/mcp/progress.ts";

test("a client that asked for progress is notified about once a second, until the call ends", () => {
  mock.timers.enable({ apis: ["setInterval"] });
  try {
    const told: unknown[] = [];
    const progress = reportProgress(
      "token",
      "browser_wait_for",
      async ({ params }) => void told.push(params),
    );
    mock.timers.tick(999);
    assert.deepEqual(told, []);
    mock.timers.tick(1001);
    assert.deepEqual(told, [
      { progressToken: "token", progress: 1, message: "browser_wait_for: 1 s" },
      { progressToken: "token", progress: 2, message: "browser_wait_for: 2 s" },
    ]);
    progress.stop();
    mock.timers.tick(5000);
    assert.equal(told.length, 2);
  } finally {
    mock.timers.reset();
  }
});

test("a client that did not ask is not notified", () => {
  mock.timers.enable({ apis: ["setInterval"] });
  try {
    const told: unknown[] = [];
    reportProgress(undefined, "browser_click", async (each) => void told.push(each));
    mock.timers.tick(5000);
    assert.deepEqual(told, []);
  } finally {
    mock.timers.reset();
  }
});
