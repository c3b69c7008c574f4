// Tests that the bytes of a file hold no secret, in any encoding and across its parts.
import assert from "node:assert/strict";
import { test } from "node:test";
import { maskedParts } from "../../../worker/secrets/masked-parts.ts";
import { Redactor } from "../../../worker/secrets/redactor.ts";

const SECRET = "pass-Wörd/0c77é";

async function masked(parts: Buffer[], redactor: Redactor): Promise<Buffer> {
  const given = async function* () {
    for (const part of parts) yield Buffer.from(part);
  };
  return Buffer.concat(await Array.fromAsync(maskedParts(given(), redactor)));
}

function knowing(...secrets: string[]): Redactor {
  const redactor = new Redactor();
  for (const secret of secrets) redactor.watchFor(secret);
  return redactor;
}

const BYTES = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));

for (const [how, secret] of Object.entries({
  "in UTF-8": Buffer.from(SECRET),
  "in UTF-16": Buffer.from(SECRET, "utf16le"),
  "in UTF-16, the other way round": Buffer.from(SECRET, "utf16le").swap16(),
  "in Latin-1": Buffer.from(SECRET, "latin1"),
  "in base64": Buffer.from(Buffer.from(SECRET).toString("base64")),
  "in a URL": Buffer.from(encodeURIComponent(SECRET)),
}))
  test(`a secret ${how} among other bytes is masked, and all else stays`, async () => {
    const out = await masked([Buffer.concat([BYTES, secret, BYTES])], knowing(SECRET));
    assert.equal(out.length, 2 * BYTES.length + secret.length);
    assert.match(out.subarray(BYTES.length, BYTES.length + secret.length).toString("latin1"), /^[*\0]+$/);
    assert.deepEqual(out.subarray(0, BYTES.length), BYTES);
    assert.deepEqual(out.subarray(-BYTES.length), BYTES);
  });

test("a secret that two or many parts share is masked", async () => {
  const whole = Buffer.from(`${"a".repeat(70_000)}${SECRET}${"b".repeat(70_000)}`);
  for (const size of [1, 69_990, 70_005, 70_010]) {
    const parts = Array.from({ length: Math.ceil(whole.length / size) }, (_, index) =>
      whole.subarray(index * size, (index + 1) * size),
    );
    // Many tiny parts take long. The ones around the secret matter.
    const joined =
      size > 1 ? parts : [whole.subarray(0, 69_995), ...parts.slice(69_995, 70_020), whole.subarray(70_020)];
    const out = await masked(joined, knowing(SECRET));
    assert.equal(out.length, whole.length);
    assert.equal(
      out.toString().replace(/\*+/, "|"),
      `${"a".repeat(70_000)}|${"b".repeat(70_000)}`,
      String(size),
    );
  }
});

test("without secrets the parts are passed on as they come", async () => {
  const parts = [BYTES, Buffer.from(SECRET)];
  const given = async function* () {
    yield* parts;
  };
  const out = await Array.fromAsync(maskedParts(given(), knowing()));
  assert.deepEqual(out, parts);
});
