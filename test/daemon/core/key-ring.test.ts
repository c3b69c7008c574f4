// The key ring: only the key that sealed a text opens it, and only under the same name.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { KeyRing, readKeyRing } from "../../../daemon/core/key-ring.ts";
import { StartupError } from "../../../daemon/core/startup-error.ts";
import { tempDir } from "../../harness/temp-dir.ts";

const text = Buffer.from("a cookie");
const [one, other] = [randomBytes(32), randomBytes(32)];

test("the first key writes, all keys read, and a ring without the key reads nothing", () => {
  const old = new KeyRing([one]).seal(text, "it");
  const rotated = new KeyRing([other, one]);
  assert.deepEqual(rotated.open(old, "it"), text);
  assert.equal(rotated.seal(text, "it").keyId, new KeyRing([other]).writingId);
  assert.equal(new KeyRing([other]).open(old, "it"), undefined);
  assert.equal(new KeyRing([other]).open({ ...old, keyId: new KeyRing([other]).writingId }, "it"), undefined);
});

test("a text that was changed, cut short or sealed under another name does not open", () => {
  const ring = new KeyRing([one]);
  const sealed = ring.seal(text, "it");
  assert.deepEqual(ring.open(sealed, "it"), text);
  assert.equal(ring.open(sealed, "another"), undefined);
  for (let at = 0; at < sealed.data.length; at++) {
    const data = Buffer.from(sealed.data);
    data.writeUInt8(data.readUInt8(at) ^ 1, at);
    assert.equal(ring.open({ ...sealed, data }, "it"), undefined, `byte ${at}`);
    assert.equal(ring.open({ ...sealed, data: sealed.data.subarray(0, at) }, "it"), undefined);
  }
});

test("the same text is sealed differently each time", () => {
  const ring = new KeyRing([one]);
  assert.notDeepEqual(ring.seal(text, "it").data, ring.seal(text, "it").data);
});

test("keys are read as bytes, hexadecimal or base64; another file is refused by its name", () => {
  using temp = tempDir();
  const file = (name: string, content: string | Buffer) => {
    writeFileSync(path.join(temp.dir, name), content);
    return { file: path.join(temp.dir, name), shown: `keys/${name}` };
  };
  const sealed = new KeyRing([one]).seal(text, "it");
  const forms = [one, `${one.toString("hex")}\n`, one.toString("base64")];
  for (const [at, form] of forms.entries())
    assert.deepEqual(readKeyRing([file(String(at), form)], "").open(sealed, "it"), text);
  const refused = (content: string) => () => readKeyRing([file("bad", content)], "");
  assert.throws(
    refused("short"),
    (error: Error) => error instanceof StartupError && !/short/.test(error.message),
  );
  assert.throws(refused(""), /stateKeys: keys\/bad is no key/);
  assert.throws(() => readKeyRing([{ file: "/none", shown: "keys/none" }], ""), /keys\/none is not there/);
});

test("without key files, a private key is made once and found again", () => {
  using temp = tempDir();
  const own = path.join(temp.dir, "state.key");
  const sealed = readKeyRing(undefined, own).seal(text, "it");
  assert.equal(statSync(own).mode & 0o777, 0o600);
  assert.deepEqual(readKeyRing(undefined, own).open(sealed, "it"), text);
  assert.equal(readFileSync(own, "utf8").length, 65);
});
