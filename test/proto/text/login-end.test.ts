import assert from "node:assert/strict";
import { test } from "node:test";
import { type DatedLogin, expiredByDate, loginEndMs, untilText } from "../../../proto/text/login-end.ts";

const NOW = Date.UTC(2026, 10, 21);
const inHours = (hours: number) => NOW / 1000 + hours * 3600;
const past = { expires: inHours(-1) };
const future = { expires: inHours(9) };
const CASES: [name: string, login: DatedLogin, endsInHours: number | undefined][] = [
  ["an empty login does not say when it ends", {}, undefined],
  ["the last of its cookies counts", { cookies: [past, future] }, 9],
  ["a cookie without a date may be the login", { cookies: [past, {}, { expires: -1 }] }, undefined],
  [
    "a cookie that scripts cannot read counts before others",
    { cookies: [{ ...past, httpOnly: true }, future] },
    -1,
  ],
  [
    "storage may be the login, where no cookie is kept from scripts",
    { cookies: [past], origins: [{}] },
    undefined,
  ],
  [
    "storage beside a cookie that is kept from scripts is none",
    { cookies: [{ ...past, httpOnly: true }], origins: [{}] },
    -1,
  ],
];

for (const [name, login, hours] of CASES)
  test(name, () => assert.equal(loginEndMs(login), hours === undefined ? undefined : inHours(hours) * 1000));

test("a login has expired once its end has come", () => {
  assert.equal(expiredByDate({ cookies: [future] }, NOW), undefined);
  assert.equal(expiredByDate({ cookies: [past] }, NOW), "its last cookie ended at 2026-11-20T23:00:00.000Z");
});

test("the time until a login ends is in words", () => {
  const now = Date.UTC(2026, 10, 21);
  const minute = 60_000;
  for (const [ms, words] of [
    [-1, "over"],
    [0, "over"],
    [1, "in 1 min"],
    [59 * minute, "in 59 min"],
    [60 * minute, "in 1 h"],
    [47.9 * 60 * minute, "in 47 h"],
    [3 * 1440 * minute, "in 3 d"],
  ] as const)
    assert.equal(untilText(now + ms, now), words);
});
