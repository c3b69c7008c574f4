import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { test } from "node:test";
import { OWNER } from "../../../daemon/admission/client.ts";
import { Links } from "../../../daemon/takeover/links.ts";
import { MakerMarks } from "../../../daemon/takeover/maker-marks.ts";
import { fakeClock } from "../../harness/fake-clock.ts";

const [KEY, OTHER] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const maker = randomUUID();
const marks = new MakerMarks(maker, () => [KEY]);

test("a mark shows the maker to every daemon that has its key, also as an older one", () => {
  for (const secret of [randomBytes(32).toString("base64url"), `${"a".repeat(22)}.${"b".repeat(43)}`]) {
    const marked = marks.mark(secret);
    assert.equal(new MakerMarks(randomUUID(), () => [OTHER, KEY]).makerOf(marked), maker);
    assert.equal(new MakerMarks(randomUUID(), () => [OTHER]).makerOf(marked), undefined);
  }
});

test("a text that is changed, too long or not marked shows no maker", () => {
  const secret = randomBytes(32).toString("base64url");
  const marked = marks.mark(secret);
  const [, own = "", mac = ""] = marked.split(".");
  const wrong = [
    "",
    secret,
    `${marked}x`,
    marked.slice(1),
    `${secret}.${randomUUID()}.${mac}`,
    `${randomBytes(32).toString("base64url")}.${own}.${mac}`,
    `${secret}.${own}.${"A".repeat(22)}`,
    marks.mark("a".repeat(100_000)),
  ];
  for (const each of wrong) assert.equal(marks.makerOf(each), undefined, each.slice(0, 200));
});

test("a link is found with its mark, and without it", () => {
  const links = new Links(KEY, fakeClock());
  const token = links.make({ key: "local/s1", role: "shop", maker: OWNER });
  assert.equal(links.find(marks.mark(token))?.state, "waiting");
  assert.equal(links.find(token)?.state, "waiting");
  assert.equal(links.find(marks.mark(`${"a".repeat(22)}.${"b".repeat(43)}`)), undefined);
});
