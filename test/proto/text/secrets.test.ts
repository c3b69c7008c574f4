import assert from "node:assert/strict";
import { test } from "node:test";
import {
  isSecretName,
  looksSecret,
  withoutSecretForms,
  withoutSecretsInAddress,
  withoutSecretsInForm,
  withoutSecretsInHtml,
  withoutSecretsInJson,
  withoutSecretsInParts,
} from "../../../proto/text/secrets.ts";

const JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl";

test("names of secrets are known in every spelling, and names that only resemble them are not", () => {
  const secret = [
    "password",
    "userPassword",
    "new-password",
    "x-csrf-token",
    "XSRF-TOKEN",
    "access_token",
    "PHPSESSID",
  ];
  const more = [
    "apiKey",
    "client_secret",
    "pin",
    "cvv",
    "otp",
    "connect.sid",
    "sessionId",
    "j_passwd",
    "code_verifier",
  ];
  for (const name of [...secret, ...more]) assert.ok(isSecretName(name), name);
  for (const name of ["author", "passenger", "spinner", "sidebar", "signed", "name", "code", "compass", "id"])
    assert.ok(!isSecretName(name), name);
});

test("an address loses user, tokens and codes, and keeps what tells it from others", () => {
  const cases: [string, string][] = [
    [
      "https://a.example/x?page=2&access_token=abc#top",
      "https://a.example/x?page=2&access_token=[redacted]#top",
    ],
    ["https://ada:pw@a.example/x", "https://a.example/x"],
    ["https://a.example/cb?code=4/0AY0e-g7xyzABCD&state=q", "https://a.example/cb?code=[redacted]&state=q"],
    ["https://a.example/p?code=DE", "https://a.example/p?code=DE"],
    ["https://a.example/#id_token=abc&x=1", "https://a.example/#id_token=[redacted]&x=1"],
    [`https://a.example/reset/${JWT}?next=%2F`, "https://a.example/reset/[redacted]?next=%2F"],
    ["https://a.example/?pass%77ord=x", "https://a.example/?pass%77ord=[redacted]"],
  ];
  for (const [address, without] of cases) assert.equal(withoutSecretsInAddress(address), without);
});

test("JSON loses what stands under secret names, at any depth, and keeps counts", () => {
  const body = {
    user: { name: "Ada", password: "x", tokens: 5, pin: 1234 },
    access_token: [JWT],
    note: `see ${JWT}`,
  };
  assert.deepEqual(JSON.parse(withoutSecretsInJson(JSON.stringify(body))), {
    user: { name: "Ada", password: "[redacted]", tokens: 5, pin: "[redacted]" },
    access_token: ["[redacted]"],
    note: "see [redacted]",
  });
  const beginning = '{"name":"Ada","password":"a\\"b","refreshToken":"abc';
  assert.equal(
    withoutSecretsInJson(beginning),
    '{"name":"Ada","password":"[redacted]","refreshToken":"[redacted]"',
  );
});

test("forms, parts and HTML lose their passwords", () => {
  assert.equal(withoutSecretsInForm("user=ada&password=a%26b&x=1"), "user=ada&password=[redacted]&x=1");
  const parts =
    '--b\r\nContent-Disposition: form-data; name="password"\r\n\r\nhunter2\r\n--b\r\nContent-Disposition: form-data; name="user"\r\n\r\nada\r\n--b--';
  assert.doesNotMatch(withoutSecretsInParts(parts), /hunter2/);
  assert.match(withoutSecretsInParts(parts), /ada/);
  const html = `<input type="password" value='hunter2'><input name=_csrf value=abc123><input name=q value=shoes>`;
  assert.equal(
    withoutSecretsInHtml(html),
    `<input type="password" value="[redacted]"><input name=_csrf value="[redacted]"><input name=q value=shoes>`,
  );
});

test("tokens are known by their form, and long values drawn by lot look secret", () => {
  assert.equal(
    withoutSecretForms(`Authorization: Bearer abcdefgh12345 and ${JWT}`),
    "Authorization: Bearer [redacted] and [redacted]",
  );
  for (const value of [JWT, "3f2a9c1e8b7d6f5a4c3b2a1d", "sk_live_abcdefgh1234"])
    assert.ok(looksSecret(value), value);
  for (const value of ["dark", "en-US", "2026-11-22", "a sentence of several plain words"])
    assert.ok(!looksSecret(value), value);
});

test("no text of a page takes long", () => {
  for (const piece of [
    "eyJ-",
    "eyJaaaaaaaa.",
    "&a=",
    '"a":"',
    "<input ",
    'content-disposition: name="',
    "Bearer ",
    '"a" ',
  ]) {
    const text = piece.repeat(500_000 / piece.length);
    const began = process.cpuUsage().user;
    for (const without of [
      withoutSecretsInJson,
      withoutSecretsInForm,
      withoutSecretsInHtml,
      withoutSecretsInParts,
      withoutSecretsInAddress,
    ])
      without(text);
    assert.ok(process.cpuUsage().user - began < 8_000_000, piece);
  }
});
