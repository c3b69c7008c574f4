import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { RestoreOrder } from "../../../worker/session/restore-order.ts";

function begun(restorings: RestoreOrder, count: number) {
  const order: number[] = [];
  const ends = Array.from({ length: count }, () => Promise.withResolvers<void>());
  const works = ends.map(({ promise }, index) =>
    restorings.take(() => {
      order.push(index);
      return promise;
    }),
  );
  return { order, ends, works };
}

test("as many begin as there are places, and the others follow in order as these end or fail", async () => {
  const { order, ends, works } = begun(new RestoreOrder({ beside: 2 }), 4);
  await setImmediate();
  assert.deepEqual(order, [0, 1]);
  ends[1]?.reject(new Error("the tab is gone"));
  await assert.rejects(works[1] as Promise<void>, /gone/);
  await setImmediate();
  assert.deepEqual(order, [0, 1, 2]);
  for (const { resolve } of ends) resolve();
  await Promise.all([works[0], works[2], works[3]]);
  assert.deepEqual(order, [0, 1, 2, 3]);
});

test("a tab that hangs passes its place on, once", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const { order, ends, works } = begun(new RestoreOrder({ beside: 1, placeMs: 2_000 }), 3);
    await setImmediate();
    assert.deepEqual(order, [0]);
    mock.timers.tick(2_000);
    await setImmediate();
    assert.deepEqual(order, [0, 1]);
    // It ends after all. Its place already belongs to another, and no second one becomes free.
    ends[0]?.resolve();
    await works[0];
    await setImmediate();
    assert.deepEqual(order, [0, 1]);
    for (const { resolve } of ends) resolve();
    await Promise.all(works);
  } finally {
    mock.timers.reset();
  }
});
