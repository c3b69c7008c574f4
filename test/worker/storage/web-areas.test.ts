// Tests web storage built from events: changes are reported whole, and within a bound.
import assert from "node:assert/strict";
import { test } from "node:test";
import { WebAreas } from "../../../worker/storage/web-areas.ts";

const set = (key: string, value: string) => ({ kind: "set", key, value }) as const;
const told = (areas: WebAreas) =>
  Object.fromEntries([...areas.takeChanged()].map(([name, text]) => [name, text && JSON.parse(text)]));
const item = (name: string, value: string) => ({ name, value });

test("a changed area is reported with all its items, once", () => {
  const areas = new WebAreas(1_000);
  areas.apply("a", set("one", "1"));
  areas.apply("a", set("two", "2"));
  areas.apply("b", set("one", "b"));
  assert.deepEqual(told(areas), { a: [item("one", "1"), item("two", "2")], b: [item("one", "b")] });
  assert.ok(!areas.hasChanged);
  areas.apply("a", set("one", "3"));
  areas.apply("a", { kind: "removed", key: "two" });
  assert.deepEqual(told(areas), { a: [item("one", "3")] });
  areas.apply("a", { kind: "cleared" });
  assert.deepEqual(told(areas), { a: "" });
});

test("an area beyond the bound is unknown until it is cleared, and the others are not affected", () => {
  const areas = new WebAreas(10);
  areas.apply("b", set("k", "v"));
  areas.apply("a", set("k", "x".repeat(9)));
  assert.deepEqual(told(areas), { b: [item("k", "v")], a: undefined });
  areas.apply("a", set("j", "1"));
  assert.deepEqual(told(areas), { a: undefined });
  areas.apply("a", { kind: "cleared" });
  areas.apply("a", set("j", "1"));
  assert.deepEqual(told(areas), { a: [item("j", "1")] });
});

test("overwritten and removed items do not count any more", () => {
  const areas = new WebAreas(10);
  for (let count = 0; count < 100; count++) {
    areas.apply("a", set("k", "12345678"));
    areas.apply("b", set("k", "12"));
    areas.apply("a", { kind: "removed", key: "k" });
    areas.apply("b", { kind: "cleared" });
  }
  areas.apply("a", set("k", "123456789"));
  assert.deepEqual(told(areas), { a: [item("k", "123456789")], b: "" });
});

test("a popup begins with its opener's areas, and a closed tab's areas are dropped", () => {
  const areas = new WebAreas(1_000);
  areas.apply("t1\n\nhttps://a.test", set("k", "v"));
  areas.copy("t1\n\n", "t2\n\n");
  told(areas);
  areas.apply("t2\n\nhttps://a.test", set("l", "w"));
  areas.drop("t1\n\n");
  assert.deepEqual(told(areas), {
    "t1\n\nhttps://a.test": "",
    "t2\n\nhttps://a.test": [item("k", "v"), item("l", "w")],
  });
});
