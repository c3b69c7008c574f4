import assert from "node:assert/strict";
import { test } from "node:test";
import { OWNER } from "../../../daemon/admission/client.ts";
import { LINK_MS, Links } from "../../../daemon/takeover/links.ts";
import { fakeClock } from "../../harness/fake-clock.ts";

const PLACE = { key: "local/stuck", role: "customer", maker: OWNER };
const KEY = Buffer.alloc(32, 1);

test("a link leads to its place until it is used", () => {
  const links = new Links(KEY, fakeClock());
  const token = links.make(PLACE);
  assert.deepEqual(links.invitationOf(token), PLACE);
  assert.deepEqual(links.invitationOf(token), PLACE);
  links.use(token);
  assert.equal(links.invitationOf(token), undefined);
});

test("a link ends after five minutes", () => {
  const clock = fakeClock();
  const links = new Links(KEY, clock);
  const token = links.make(PLACE);
  clock.pass(LINK_MS - 1);
  assert.deepEqual(links.invitationOf(token), PLACE);
  clock.pass(1);
  assert.equal(links.invitationOf(token), undefined);
});

test("a link of another key, of another daemon or with a part of another link leads nowhere", () => {
  const [links, others] = [KEY, Buffer.alloc(32, 2)].map((key) => new Links(key, fakeClock())) as [
    Links,
    Links,
  ];
  const [one, two] = [links.make(PLACE), links.make({ ...PLACE, key: "local/other" })];
  assert.equal(others.invitationOf(one), undefined);
  const [id, signature] = [one.split(".")[0], two.split(".")[1]];
  for (const wrong of ["", ".", one.slice(1), `${one}x`, `${id}.${signature}`, `${id}.`, `${one}.${one}`])
    assert.equal(links.invitationOf(wrong), undefined, wrong);
});

test("the oldest of too many links end", () => {
  const links = new Links(KEY, fakeClock());
  const first = links.make(PLACE);
  const all = Array.from({ length: 1_000 }, () => links.make(PLACE));
  assert.equal(links.invitationOf(first), undefined);
  assert.deepEqual(links.invitationOf(all[0] ?? ""), PLACE);
});

test("a link whose invitation no longer holds ends, and others stay", () => {
  const links = new Links(KEY, fakeClock());
  const [one, two] = [links.make(PLACE), links.make({ ...PLACE, role: "admin" })];
  links.keepIf(({ role }) => role === "admin");
  assert.equal(links.invitationOf(one), undefined);
  assert.equal(links.invitationOf(two)?.role, "admin");
});
