import assert from "node:assert/strict";
import { test } from "node:test";
import { LINK_MS, Links } from "../../../daemon/takeover/links.ts";
import { fakeClock } from "../../harness/fake-clock.ts";

const PLACE = { key: "local/stuck", role: "customer" };
const KEY = Buffer.alloc(32, 1);

test("a link leads to its place until it is used", () => {
  const links = new Links(KEY, fakeClock());
  const token = links.make(PLACE);
  assert.deepEqual(links.placeOf(token), PLACE);
  assert.deepEqual(links.placeOf(token), PLACE);
  links.use(token);
  assert.equal(links.placeOf(token), undefined);
});

test("a link ends after five minutes", () => {
  const clock = fakeClock();
  const links = new Links(KEY, clock);
  const token = links.make(PLACE);
  clock.pass(LINK_MS - 1);
  assert.deepEqual(links.placeOf(token), PLACE);
  clock.pass(1);
  assert.equal(links.placeOf(token), undefined);
});

test("a link of another key, of another daemon or with a part of another link leads nowhere", () => {
  const [links, others] = [KEY, Buffer.alloc(32, 2)].map((key) => new Links(key, fakeClock())) as [
    Links,
    Links,
  ];
  const [one, two] = [links.make(PLACE), links.make({ ...PLACE, key: "local/other" })];
  assert.equal(others.placeOf(one), undefined);
  const [id, signature] = [one.split(".")[0], two.split(".")[1]];
  for (const wrong of ["", ".", one.slice(1), `${one}x`, `${id}.${signature}`, `${id}.`, `${one}.${one}`])
    assert.equal(links.placeOf(wrong), undefined, wrong);
});

test("the oldest of too many links end", () => {
  const links = new Links(KEY, fakeClock());
  const first = links.make(PLACE);
  const all = Array.from({ length: 1_000 }, () => links.make(PLACE));
  assert.equal(links.placeOf(first), undefined);
  assert.deepEqual(links.placeOf(all[0] ?? ""), PLACE);
});
