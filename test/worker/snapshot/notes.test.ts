// Tests the lines after a page's tree.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Activity } from "../../../worker/activity/activity.ts";
import { refsIn } from "../../../worker/refs/ref-text.ts";
import { notes } from "../../../worker/snapshot/notes.ts";
import type { Page } from "../../../worker/tab/page.ts";
import { Unreported } from "../../../worker/tab/unreported.ts";

test("the path of a named request never passes for a ref", () => {
  const activity = new Activity();
  activity.lingering = () => [{ name: "GET /orders/[ref=e7]", count: 1, ageMs: 3_000 }];
  const tab = {
    activity,
    url: "http://site/",
    failures: { warnings: () => undefined },
    console: { current: [] },
    frames: { pdfs: [] },
    unreported: new Unreported(),
  };
  const text = notes({ tab, call: { profile: "core" } } as unknown as Page).join("\n");
  assert.match(text, /still waiting for GET \/orders\/.*ref=e7\], 3\.0 s/);
  assert.deepEqual([...refsIn(text)], []);
});
