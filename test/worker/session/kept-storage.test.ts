import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { CDPSession } from "puppeteer-core";
import { FailureLog } from "../../../worker/session/failure-log.ts";
import { KeptStorage } from "../../../worker/session/kept-storage.ts";

/** A context whose cookies are asked for once for each answer that is given. */
function keep() {
  const asked: ((value: string) => void)[] = [];
  const told: string[] = [];
  const send = () =>
    new Promise((resolve) => {
      asked.push((value) => resolve({ cookies: [{ name: "kept", value, domain: "a.example", path: "/" }] }));
    });
  const kept = new KeptStorage({
    browser: { send } as unknown as CDPSession,
    contextId: "c",
    key: "ann",
    storageScript: "",
    failures: new FailureLog(() => undefined),
    storageChanged: (_key, parts) => told.push(...parts.map(({ data }) => Buffer.from(data).toString())),
  });
  return { kept, asked, told };
}

test("what a call stored has been told when its end resolves", async () => {
  const { kept, asked, told } = keep();
  let isOver = false;
  const over = kept
    .begin()()
    .then(() => {
      isOver = true;
    });
  await setImmediate();
  assert.equal(isOver, false);
  asked[0]?.("first");
  await over;
  assert.match(told.join(), /first/);
  kept.close();
});

test("an answer that was asked for before the call's end is not taken for what it stored", async () => {
  const { kept, asked, told } = keep();
  const earlier = kept.begin()();
  await setImmediate();
  const later = kept.begin()();
  asked[0]?.("before");
  await earlier;
  await setImmediate();
  assert.equal(asked.length, 2);
  asked[1]?.("after");
  await later;
  assert.match(told.at(-1) ?? "", /after/);
  kept.close();
});

test("a browser that does not answer keeps no reply for long", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const { kept } = keep();
    const over = kept.begin()();
    await setImmediate();
    mock.timers.tick(500);
    await over;
    kept.close();
  } finally {
    mock.timers.reset();
  }
});
