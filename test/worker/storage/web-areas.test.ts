// Web storage put together from events: what changed is told whole, and within a bound.
import assert from "node:assert/strict";
import { test } from "node:test";
import { WebAreas } from "../../../worker/storage/web-areas.ts";

const set = (key: string, value: string) => ({ kind: "set", key, value }) as const;
const told = (areas: WebAreas) =>
  Object.fromEntries([...areas.takeChanged()].map(([name, text]) => [name, text && JSON.parse(text)]));
const item = (name: string, value: string) => ({ name, value });

test("an area is told with all its items when it changed, once", () => {
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

test("an area that outgrows the bound is not known until it is cleared; the others are", () => {
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

test("what is overwritten and removed counts no more", () => {
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

test("a popup begins with its opener's, and a tab's are gone with it", () => {
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
