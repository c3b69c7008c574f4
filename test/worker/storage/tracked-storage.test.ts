import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { mock, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { CDPSession } from "puppeteer-core";
import { FailureLog } from "../../../worker/failures/failure-log.ts";
import { TrackedStorage } from "../../../worker/storage/tracked-storage.ts";
import type { Tab } from "../../../worker/tab/tab.ts";

/** Ends a call that did something. */
function ended(kept: TrackedStorage): Promise<void> {
  kept.begin()();
  return kept.reported();
}

/** A context that asks for its cookies once for each given answer. */
function keep() {
  const asked: ((value: string) => void)[] = [];
  const told: string[] = [];
  const send = () =>
    new Promise((resolve) => {
      asked.push((value) => resolve({ cookies: [{ name: "kept", value, domain: "a.example", path: "/" }] }));
    });
  const kept = new TrackedStorage({
    browser: { send } as unknown as CDPSession,
    contextId: "c",
    key: "ann",
    owner: () => "ann",
    storageScript: "",
    failures: new FailureLog(() => undefined),
    storageChanged: (_key, parts) => told.push(...parts.map(({ data }) => Buffer.from(data).toString())),
  });
  return { kept, asked, told };
}

test("a call's stored data has been reported when its end resolves", async () => {
  const { kept, asked, told } = keep();
  let isOver = false;
  const over = ended(kept).then(() => {
    isOver = true;
  });
  await setImmediate();
  assert.equal(isOver, false);
  asked[0]?.("first");
  await over;
  assert.match(told.join(), /first/);
  kept.close();
});

test("an answer requested before the call's end does not count as the call's result", async () => {
  const { kept, asked, told } = keep();
  const earlier = ended(kept);
  await setImmediate();
  const later = ended(kept);
  asked[0]?.("before");
  await earlier;
  await setImmediate();
  assert.equal(asked.length, 2);
  asked[1]?.("after");
  await later;
  assert.match(told.at(-1) ?? "", /after/);
  kept.close();
});

test("a browser that does not answer delays no reply for long", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const { kept } = keep();
    const over = ended(kept);
    await setImmediate();
    mock.timers.tick(500);
    await over;
    kept.close();
  } finally {
    mock.timers.reset();
  }
});

const TOO_LARGE = "x".repeat(2_000_001);

/** A context of one tab, whose session is made under `key` and then taken by `owner`. */
function context({ key, owner }: { key: string; owner: string }) {
  const client = Object.assign(new EventEmitter(), { send: async () => ({ cookies: [] }) });
  const failures = new FailureLog(() => undefined);
  const kept = new TrackedStorage({
    browser: client as unknown as CDPSession,
    contextId: "1",
    key,
    owner: () => owner,
    storageScript: "",
    failures,
    storageChanged: () => undefined,
  });
  const tab = { id: "t1", client } as unknown as Tab;
  return {
    /** Returns the incidents once a page has stored too much. */
    async incidents(isLocalStorage: boolean, keyOfTab = key) {
      kept.watchTab(tab, keyOfTab, undefined);
      await kept.watch(client as unknown as CDPSession, tab, keyOfTab);
      const storageId = { isLocalStorage, storageKey: "https://shop.example/" };
      client.emit("DOMStorage.domStorageItemAdded", { storageId, key: "k", newValue: TOO_LARGE });
      await kept.flush();
      kept.close();
      return failures
        .toWire()
        .incidents.map(({ error, session }) => [error.replace(/ is too .*/, ""), session]);
    },
  };
}

test("storage that is not kept is recorded for its session, even for a former warm session", async () => {
  for (const key of ["ci/a", ""]) {
    const own = { key, owner: "ci/a" };
    assert.deepEqual(await context(own).incidents(true), [["local https://shop.example", "ci/a"]]);
    assert.deepEqual(await context(own).incidents(false), [["session t1 https://shop.example", "ci/a"]]);
  }
});

test("in a shared context, a tab's own storage is recorded for its session, the rest for none", async () => {
  const shared = { key: "", owner: "" };
  assert.deepEqual(await context(shared).incidents(false, "ci/a"), [
    ["session t1 https://shop.example", "ci/a"],
  ]);
  assert.deepEqual(await context(shared).incidents(true, "ci/a"), [["local https://shop.example", ""]]);
});

test("the oldest records of very many lost parts are forgotten", async () => {
  const client = Object.assign(new EventEmitter(), { send: async () => ({ cookies: [] }) });
  const session = client as unknown as CDPSession;
  const said: string[] = [];
  const kept = new TrackedStorage({
    browser: session,
    contextId: "1",
    key: "ann",
    owner: () => "ann",
    storageScript: "",
    failures: new FailureLog(({ entry }) => said.push(JSON.stringify(entry))),
    storageChanged: () => undefined,
  });
  await kept.watch(session, { id: "t1", client } as unknown as Tab, "ann");
  const lose = async (origin: number) => {
    const storageId = { isLocalStorage: true, storageKey: `https://s${origin}.example/` };
    client.emit("DOMStorage.domStorageItemAdded", { storageId, key: "k", newValue: TOO_LARGE });
    await kept.flush();
  };
  for (let origin = 0; origin <= 200; origin++) await lose(origin);
  await lose(200);
  assert.equal(said.length, 201);
  await lose(0);
  assert.equal(said.filter((entry) => entry.includes("https://s0.example")).length, 2);
  kept.close();
});

test("a page that stores much is reported at a bounded rate, and a call's end at once", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const client = Object.assign(new EventEmitter(), { send: async () => ({ cookies: [] }) });
    const session = client as unknown as CDPSession;
    const tab = { id: "t1", client } as unknown as Tab;
    const told: number[] = [];
    const kept = new TrackedStorage({
      browser: session,
      contextId: "1",
      key: "ann",
      owner: () => "ann",
      storageScript: "",
      failures: new FailureLog(() => undefined),
      storageChanged: (_key, parts) => told.push(...parts.map(({ data }) => data.length)),
    });
    await kept.watch(session, tab, "ann");
    const storageId = { isLocalStorage: true, storageKey: "https://shop.example/" };
    const store = (value: string) =>
      client.emit("DOMStorage.domStorageItemAdded", { storageId, key: "k", newValue: value });
    const after = async (ms: number) => {
      mock.timers.tick(ms);
      await setImmediate();
      return told.length;
    };
    store("a".repeat(1_000_000));
    assert.equal(await after(200), 1);
    store("b".repeat(1_000_000));
    assert.equal(await after(1_000), 1);
    await ended(kept);
    assert.equal(told.length, 2);
    store("c");
    assert.equal(await after(1_000), 2);
    assert.equal(await after(10_000), 3);
    kept.close();
  } finally {
    mock.timers.reset();
  }
});
