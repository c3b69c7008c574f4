// Tests the tabs of a dead worker. Each gets its id back when it is opened, not while it waits for its turn.
import assert from "node:assert/strict";
import { test } from "node:test";
import { TabsToRestore } from "../../../worker/session/tabs-to-restore.ts";

const tab = (id: string, current = false) => ({ id, url: `http://${id}.test/`, title: "", current });

test("the next page belongs to a lost tab from its turn on, until the tab is open", async () => {
  const lost = new TabsToRestore([tab("t1"), tab("t4", true)]);
  const seen: unknown[] = [];
  await lost.reopen(
    async (work) => {
      seen.push(["waits", lost.idNext]);
      await work();
      seen.push(["open", lost.idNext]);
    },
    async (url) => void seen.push([url, lost.idNext]),
  );
  assert.deepEqual(seen, [
    ["waits", undefined],
    ["http://t1.test/", "t1"],
    ["open", undefined],
    ["waits", undefined],
    ["http://t4.test/", "t4"],
    ["open", undefined],
  ]);
  assert.deepEqual(lost.left, []);
});

test("a tab that could not be opened stays queued, with all after it", async () => {
  const lost = new TabsToRestore([tab("t1"), tab("t2", true), tab("t3")]);
  const reopening = lost.reopen(
    (work) => work(),
    async (url) => {
      if (url.includes("t2")) throw new Error("the browser is gone");
    },
  );
  await assert.rejects(reopening, /gone/);
  assert.deepEqual(
    [lost.left.map(({ id }) => id), lost.currentId, lost.idNext],
    [["t2", "t3"], "t2", undefined],
  );
});

test("a tab that is being restored does not count as missing", async () => {
  const lost = new TabsToRestore([tab("t1"), tab("t2")]);
  lost.setAside(tab("t3"));
  assert.equal(lost.size, 3);
  const sizes: number[] = [];
  await lost.reopen(
    (work) => work(),
    async () => void sizes.push(lost.size),
  );
  assert.deepEqual([...sizes, lost.size], [2, 1, 1]);
});
