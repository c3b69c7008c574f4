import assert from "node:assert/strict";
import { test } from "node:test";
import { OWNER } from "../../../daemon/admission/client.ts";
import { LINK_MS, Links } from "../../../daemon/takeover/links.ts";
import { fakeClock } from "../../harness/fake-clock.ts";

const PLACE = { key: "local/stuck", role: "customer", maker: OWNER };
const WAITING = { state: "waiting", invitation: PLACE };
const KEY = Buffer.alloc(32, 1);

test("a link leads to its place until it is used, and is known after that", () => {
  const links = new Links(KEY, fakeClock());
  const token = links.make(PLACE);
  assert.deepEqual(links.find(token), WAITING);
  assert.deepEqual(links.find(token), WAITING);
  links.use(token);
  assert.deepEqual(links.find(token), { ...WAITING, state: "used" });
});

test("a link ends after five minutes", () => {
  const clock = fakeClock();
  const links = new Links(KEY, clock);
  const token = links.make(PLACE);
  clock.pass(LINK_MS - 1);
  assert.deepEqual(links.find(token), WAITING);
  clock.pass(1);
  assert.equal(links.find(token), undefined);
});

test("a link of another key, of another daemon or with a part of another link leads nowhere", () => {
  const [links, others] = [KEY, Buffer.alloc(32, 2)].map((key) => new Links(key, fakeClock())) as [
    Links,
    Links,
  ];
  const [one, two] = [links.make(PLACE), links.make({ ...PLACE, key: "local/other" })];
  assert.equal(others.find(one), undefined);
  const [id, signature] = [one.split(".")[0], two.split(".")[1]];
  for (const wrong of ["", ".", one.slice(1), `${one}x`, `${id}.${signature}`, `${id}.`, `${one}.${one}`])
    assert.equal(links.find(wrong), undefined, wrong);
});

test("the oldest of too many links end", () => {
  const links = new Links(KEY, fakeClock());
  const first = links.make(PLACE);
  const all = Array.from({ length: 1_000 }, () => links.make(PLACE));
  assert.equal(links.find(first), undefined);
  assert.deepEqual(links.find(all[0] ?? ""), WAITING);
});

test("a link whose invitation no longer holds ends, and others stay", () => {
  const links = new Links(KEY, fakeClock());
  const [one, two] = [links.make(PLACE), links.make({ ...PLACE, role: "admin" })];
  links.keepIf(({ role }) => role === "admin");
  assert.equal(links.find(one), undefined);
  assert.equal(links.find(two)?.invitation.role, "admin");
});
