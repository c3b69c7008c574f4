// Tests requests that are malformed, out of bounds, or too early.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ServiceError } from "@grpc/grpc-js";
import { fromStatus } from "../../../proto/errors/status.ts";
import { encode, messageType } from "../../../proto/wire/schema.ts";
import { stage } from "../../harness/worker.ts";

const { worker, site } = await stage();

test("bytes that are no message are refused as such", async () => {
  for (const bytes of [
    Buffer.from("ff", "hex"),
    Buffer.from("0a026869ff", "hex"),
    Buffer.from("not a message"),
  ]) {
    const error = await refusal("Navigate", bytes);
    assert.equal(error?.type, "INVALID_ARGUMENT");
    assert.equal(error?.details.argument, "request");
  }
});

test("a request that lacks a required argument, or exceeds its bounds, gets an error that names it", async () => {
  const empty = await refusal("Click", Buffer.alloc(0));
  assert.equal(empty?.details.argument, "ref");
  const long = encode(messageType("troupe.v1.PressKeyRequest"), { key: "x".repeat(1_000) });
  assert.equal((await refusal("PressKey", long))?.details.argument, "key");
  const limit = encode(messageType("troupe.v1.FindRequest"), { text: "x", limit: 100_000 });
  assert.equal((await refusal("Find", limit))?.details.argument, "limit");
});

test("strings of any kind arrive unchanged", async () => {
  await using session = worker.session();
  const page = await session.open(site.page(`<input aria-label=Field>`));
  assert.match(page, /\[ref=e1\]/);
  const { text } = await session.do("browser_type", { ref: "e1", text: "\u0000 \ud83d\ude80 \u2028 é" });
  assert.match(text, /^Typed into e1/);
});

test("a deadline in the far future does not end a call at once", async () => {
  await using session = worker.session();
  const url = site.page("<h1>Patient</h1>");
  const { text } = await session.do("browser_navigate", { url }, { deadlineMs: 100 * 24 * 3_600_000 });
  assert.match(text, /Patient/);
});

test("many calls at once are all answered", async () => {
  await using session = worker.session();
  await session.open(site.page("<h1>Busy</h1>"));
  const texts = await Promise.all(
    Array.from({ length: 40 }, () => session.do("browser_snapshot", { full: true })),
  );
  for (const { text } of texts) assert.match(text, /Busy/);
});

test("a snapshot in many parts arrives whole", async () => {
  await using session = worker.session();
  await session.open(
    site.page(
      `<script>for (let n = 0; n < 6000; n++) document.write('<p>' + 'paragraph ' + n + ' word'.repeat(80))</script>`,
    ),
  );
  const text = await session.read();
  assert.ok(text.length > 2_000_000, `${text.length} characters`);
  assert.match(text, /paragraph 5999 word/);
});

async function refusal(rpc: string, bytes: Buffer) {
  try {
    await worker.raw(rpc, bytes, "raw");
  } catch (error) {
    return fromStatus(error as ServiceError);
  }
  return undefined;
}
