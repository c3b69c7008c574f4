import assert from "node:assert/strict";
import { test } from "node:test";
import { judged } from "../../../daemon/doctor/logins.ts";

const NOW = Date.UTC(2026, 10, 21);
const inHours = (hours: number) => NOW / 1000 + hours * 3600;
const LOGINS: [name: string, login: Parameters<typeof judged>[0], ok: boolean, found: RegExp][] = [
  ["an empty login is none", {}, false, /empty/],
  ["storage may be the login", { origins: [{}] }, true, /no date/],
  ["a cookie without a date has none", { cookies: [{ expires: -1, httpOnly: true }] }, true, /no date/],
  [
    "a login that has ended",
    { cookies: [{ expires: inHours(-1), httpOnly: true }] },
    false,
    /has expired.*2026-11-20T23/,
  ],
  ["a login that ends today", { cookies: [{ expires: inHours(3), httpOnly: true }] }, false, /expires soon/],
  [
    "a login for days",
    { cookies: [{ expires: inHours(99), httpOnly: true }] },
    true,
    /valid until 2026-11-25/,
  ],
  [
    "a counter's cookie is no login",
    { cookies: [{ expires: inHours(-9) }, { expires: inHours(99), httpOnly: true }] },
    true,
    /valid until/,
  ],
];

for (const [name, login, ok, found] of LOGINS)
  test(name, () => {
    const result = judged(login, NOW);
    assert.equal(result.ok, ok);
    assert.match(result.found, found);
  });
