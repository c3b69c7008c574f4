import assert from "node:assert/strict";
import { test } from "node:test";
import { codeAt, seedOf } from "../../../daemon/credentials/totp.ts";

/** The test vectors of RFC 6238, appendix B, with the seeds of its errata. */
const VECTORS = [
  [59, "94287082", "46119246", "90693936"],
  [1111111109, "07081804", "68084774", "25091201"],
  [1111111111, "14050471", "67062674", "99943326"],
  [1234567890, "89005924", "91819424", "93441116"],
  [2000000000, "69279037", "90698825", "38618901"],
  [20000000000, "65353130", "77737706", "47863826"],
] as const;
const SEEDS = {
  SHA1: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
  SHA256: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZA",
  SHA512:
    "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNA",
};

for (const [index, [algorithm, secret]] of Object.entries(SEEDS).entries())
  test(`codes with ${algorithm} are those of RFC 6238`, () => {
    const seed = seedOf(`otpauth://totp/Shop:ada?secret=${secret}&algorithm=${algorithm}&digits=8&period=30`);
    assert.ok(!("problem" in seed));
    for (const [seconds, ...codes] of VECTORS) assert.equal(codeAt(seed, seconds * 1000), codes[index]);
  });

test("a bare seed has six digits and 30 seconds, however it is written", () => {
  for (const text of [
    SEEDS.SHA1,
    `${SEEDS.SHA1.toLowerCase()}\n`,
    SEEDS.SHA1.replace(/(.{4})/g, "$1 "),
    `${SEEDS.SHA1}====`,
  ]) {
    const seed = seedOf(text);
    assert.ok(!("problem" in seed), text);
    assert.equal(codeAt(seed, 59_999), "287082");
    assert.notEqual(codeAt(seed, 60_000), "287082");
  }
});

test("what is no seed is refused with its reason, which repeats nothing of it", () => {
  for (const [text, problem] of [
    ["", /no seed/],
    ["not base32!", /no seed/],
    ["otpauth://hotp/a?secret=GEZDGNBV", /another kind/],
    ["otpauth://totp/a?digits=6", /without a base32 secret/],
    ["otpauth://totp/a?secret=GEZDGNBV&digits=4", /digits are not 6 to 10/],
    ["otpauth://totp/a?secret=GEZDGNBV&period=0", /period is not/],
    ["otpauth://totp/a?secret=GEZDGNBV&algorithm=MD5", /unknown algorithm/],
    ["otpauth://", /another kind|malformed/],
  ] as const) {
    const seed = seedOf(text);
    assert.ok("problem" in seed, text);
    assert.match(seed.problem, problem);
    assert.doesNotMatch(seed.problem, /GEZD/);
  }
});
