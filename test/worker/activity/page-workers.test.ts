// Workers of a page are waited for, and never make an action fail.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { CDPSession } from "puppeteer-core";
import { PageWorkers } from "../../../worker/activity/page-workers.ts";

test("a worker that cannot be asked counts as idle, and is asked again the next time", async () => {
  const workers = new PageWorkers();
  let asked = 0;
  const client = {
    async send() {
      asked++;
      throw new Error("Cannot find default execution context");
    },
  };
  workers.add(client as unknown as CDPSession);
  await workers.idle(10_000);
  await workers.idle(10_000);
  assert.equal(asked, 2);
});
