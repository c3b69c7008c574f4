// README shows what a real run shows.
import assert from "node:assert/strict";
import { test } from "node:test";
import { playSession } from "./session.ts";
import { readText, writtenFrom } from "./transcript.ts";

test("README's session, error and picture are those of a real run", { timeout: 120_000 }, async () => {
  for (const { file, text } of writtenFrom(await playSession()))
    assert.equal(readText(file), text, `${file}: run node test/readme/transcript.ts --write`);
});
