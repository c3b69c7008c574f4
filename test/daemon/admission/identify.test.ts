import assert from "node:assert/strict";
import { test } from "node:test";
import { nameIn } from "../../../daemon/admission/certificate.ts";
import type { Token } from "../../../daemon/admission/client.ts";
import { type Asked, endOfToken, identify, type Shown } from "../../../daemon/admission/identify.ts";
import { isTroupeError } from "../../../proto/errors/catalogue.ts";
import { sha256 } from "../../harness/tokens.ts";

const NOW_MS = Date.parse("2026-11-20T12:00:00Z");
const token = (name: string, more: Partial<Token> = {}): Token => ({
  name,
  sha256: sha256(`${name}-secret`),
  control: "none",
  ...more,
});
const tokens = [token("ci", { control: "read", roles: ["shop"] }), token("old", { notAfter: "2026-11-19" })];

const cases: [what: string, shown: Partial<Shown>, asked: Partial<Asked>, who: string | RegExp][] = [
  ["the socket's owner, whatever tokens there are", { door: "socket" }, { tokens }, "local write"],
  ["a configured token", { authorization: "Bearer ci-secret" }, { tokens }, "ci read"],
  ["one in another case of Bearer", { authorization: "bearer  ci-secret " }, { tokens }, "ci read"],
  [
    "one whose digest is written in capitals",
    { authorization: "Bearer ci-secret" },
    { tokens: [token("ci", { sha256: sha256("ci-secret").toUpperCase() })] },
    "ci none",
  ],
  ["no token", {}, { tokens }, /carries no token/],
  ["an empty header", { authorization: "" }, { tokens }, /not of the form/],
  ["another scheme", { authorization: "Basic ci-secret" }, { tokens }, /not of the form/],
  ["a wrong token", { authorization: "Bearer foreign-secret" }, { tokens }, /none that is configured/],
  [
    "a token's digest",
    { authorization: `Bearer ${sha256("ci-secret")}` },
    { tokens },
    /none that is configured/,
  ],
  ["a token that has ended", { authorization: "Bearer old-secret" }, { tokens }, /ended on 2026-11-19/],
  [
    "a token that ends today",
    { authorization: "Bearer old-secret" },
    { tokens: [token("old", { notAfter: "2026-11-20" })] },
    "old none",
  ],
  [
    "a token with an end that is no date",
    { authorization: "Bearer old-secret" },
    { tokens: [token("old", { notAfter: "2026-99-99" })] },
    /ended/,
  ],
  [
    "any token, where the list is empty",
    { authorization: "Bearer ci-secret" },
    { tokens: [] },
    /none that is configured/,
  ],
  [
    "the daemon's own token, where others are configured",
    { door: "http", authorization: "Bearer own" },
    { tokens },
    /none that is configured/,
  ],
  ["a certificate, where tokens are configured", { certificate: "ada" }, { tokens }, /carries no token/],
  ["a certificate alone", { certificate: "ada" }, {}, "cert:ada none"],
  ["a certificate whose name would be another's key", { certificate: "a/b" }, {}, "cert:a%2Fb none"],
  ["a certificate that names nobody", { certificate: "" }, {}, /names nobody/],
  ["a certificate with an endless name", { certificate: "x".repeat(121) }, {}, /too long/],
  ["whoever is on this machine, where nobody is asked for", {}, {}, "local write"],
  [
    "whoever comes over TCP once the tokens that it was opened with are gone",
    {},
    { asksOnTcp: true },
    /no tokens any more/,
  ],
  ["HTTP with the daemon's own token", { door: "http", authorization: "Bearer own" }, {}, "local write"],
  ["HTTP with another token", { door: "http", authorization: "Bearer owl" }, {}, /another one/],
  ["HTTP without a token", { door: "http" }, {}, /carries no token/],
];

for (const [what, shown, asked, who] of cases) {
  test(`${what}: ${typeof who === "string" ? `is ${who}` : "is unknown"}`, () => {
    const whole: Shown = { door: "tcp", authorization: undefined, certificate: undefined, ...shown };
    const ask = () =>
      identify(whole, { tokens: undefined, ownToken: "own", asksOnTcp: false, ...asked }, NOW_MS);
    if (typeof who === "string") {
      const { name, control } = ask();
      assert.equal(`${name} ${control}`, who);
      return;
    }
    assert.throws(ask, (error) => {
      assert.ok(isTroupeError(error) && error.type === "UNAUTHENTICATED");
      const told = JSON.stringify(error.data);
      assert.match(told, who);
      assert.doesNotMatch(told, /secret"|owl/, "what was sent is not repeated");
      return true;
    });
  });
}

test("a token ends with its last day or at its moment, and an invalid date ends it at once", () => {
  assert.equal(new Date(endOfToken("2027-01-01")).toISOString(), "2027-01-01T23:59:59.999Z");
  assert.equal(new Date(endOfToken("2027-01-01T12:00:00Z")).toISOString(), "2027-01-01T12:00:00.000Z");
  for (const none of ["2027-02-30", "2027-13-01", "2027-01-01T99Z", "2027-01-01T..Z"])
    assert.ok(Number.isNaN(endOfToken(none)), none);
});

test("a certificate's name is its common name, else its first alternative name", () => {
  const of = (subject: object, subjectaltname?: string) => nameIn({ subject, subjectaltname } as never);
  assert.equal(of({ CN: "ada" }, "DNS:other"), "ada");
  assert.equal(of({ CN: ["team", "ada"] }), "ada");
  assert.equal(of({}, "email:ada@shop.example, DNS:x"), "ada@shop.example");
  assert.equal(of({}, "IP Address:127.0.0.1"), "");
});
