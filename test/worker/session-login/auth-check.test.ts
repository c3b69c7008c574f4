// Tests the signs of an expired login.
import assert from "node:assert/strict";
import { test } from "node:test";
import { addressMatches, expirySign, type LoginSigns } from "../../../worker/session-login/auth-check.ts";

const check = { loginUrl: "https://shop.example/login*", loggedInText: "My account" };
const signs: LoginSigns = {
  url: "https://shop.example/orders",
  isNew: true,
  asked: ["https://shop.example/orders"],
  status: 200,
  showsText: true,
  sawText: true,
};
const login = "https://shop.example/login?next=/orders";

const told: [what: string, signs: Partial<LoginSigns>, words: RegExp, effect: "none" | "unknown"][] = [
  ["a redirect to the login page", { url: login, showsText: false }, /^the site sent it to$/, "none"],
  ["a login page that nobody asked for", { url: login, asked: [] }, /^the site sent it to$/, "none"],
  ["a document refused with 401", { status: 401, showsText: false }, /^HTTP status 401 of$/, "none"],
  ["a document refused with 403", { status: 403, showsText: undefined }, /^HTTP status 403 of$/, "none"],
  ["the text gone", { showsText: false }, /^the text "My account" is gone from$/, "unknown"],
];

for (const [what, differing, words, effect] of told) {
  test(`${what} shows that the login has expired`, () => {
    const sign = expirySign(check, { ...signs, ...differing });
    assert.match(sign?.words ?? "", words);
    assert.equal(sign?.effect, effect);
  });
}

const quiet: [what: string, signs: Partial<LoginSigns>][] = [
  ["a page that shows the text", {}],
  [
    "a login page that was asked for",
    { url: login, asked: ["https://shop.example/login"], showsText: false },
  ],
  ["a login page that was shown before", { url: login, isNew: false, asked: [], showsText: false }],
  ["a wrong password", { url: login, asked: [login], status: 401, showsText: false }],
  ["a page that only others may see", { status: 403 }],
  ["a refused page that was told of before", { status: 401, isNew: false, sawText: false, showsText: false }],
  ["a page that takes the text away itself", { showsText: false, isNew: false }],
  ["a page that never showed the text", { sawText: false, showsText: false }],
  ["a page that does not say what it shows", { showsText: undefined }],
  ["a page that is not there", { status: 404, sawText: false, showsText: false }],
];

for (const [what, differing] of quiet) {
  test(`${what} does not show an expired login`, () => {
    assert.equal(expirySign(check, { ...signs, ...differing }), undefined);
  });
}

test("without a login page or a text, neither counts as found", () => {
  const none = { loginUrl: "", loggedInText: "" };
  assert.equal(expirySign(none, { ...signs, url: login, showsText: undefined }), undefined);
});

test("an address matches a pattern in which * stands for anything", () => {
  const fits: [url: string, pattern: string, expected: boolean][] = [
    ["https://a.example/login", "https://a.example/login", true],
    ["https://a.example/login?next=/", "https://a.example/login", false],
    ["https://a.example/login?next=/", "https://a.example/login*", true],
    ["https://www.a.example/login", "https://*.a.example/login*", true],
    ["https://a.example/login", "https://*.a.example/login*", true],
    ["https://nota.example/login", "https://*.a.example/login*", false],
    ["https://sso.example/a/b/sign-in?x=1", "https://sso.example/*/sign-in*", true],
    ["https://sso.example/sign-in", "https://sso.example/*/sign-in*", false],
    ["https://a.example/aa", "https://a.example/aa*a", false],
    ["https://a.example/a.login", "https://a.example/a+login", false],
  ];
  for (const [url, pattern, expected] of fits)
    assert.equal(addressMatches(url, pattern), expected, `${url} ${pattern}`);
});
