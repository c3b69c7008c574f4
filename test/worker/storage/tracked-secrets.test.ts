// Tests which typed secrets are kept for another worker, and within which bounds.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { StoragePart } from "../../../proto/gen/troupe.ts";
import { personsSecretsIn, storedParts } from "../../../worker/storage/storage-parts.ts";
import { TrackedSecrets } from "../../../worker/storage/tracked-secrets.ts";

/** The parts as the daemon keeps them: an empty one is deleted. */
function daemon() {
  const parts = new Map<string, StoragePart>();
  const report = (part: StoragePart) =>
    void (part.data.length > 0 ? parts.set(part.name, part) : parts.delete(part.name));
  const all = () => [...parts.values()];
  const keeper = { report, kept: async () => undefined };
  return { keeper, all, parts, again: () => new TrackedSecrets(keeper, storedParts(all()).secrets) };
}

test("another worker knows the secrets, each by the one that typed it", () => {
  const { keeper, again, all } = daemon();
  const first = new TrackedSecrets(keeper);
  first.add("person", "quiet-otter");
  first.add("agent", "correct-horse");
  first.add("agent", "1234");
  const second = again();
  assert.deepEqual([second.by("person"), second.by("agent")], [["quiet-otter"], ["correct-horse"]]);
  second.add("person", "loud-otter");
  assert.deepEqual(again().by("person"), ["quiet-otter", "loud-otter"]);
  assert.deepEqual(personsSecretsIn(all()), ["quiet-otter", "loud-otter"]);
});

test("a secret is kept once, and what is typed again goes last", () => {
  const { keeper, again, parts } = daemon();
  const secrets = new TrackedSecrets(keeper);
  for (const text of ["first-one", "second-one", "first-one", "first-one"]) secrets.add("agent", text);
  assert.deepEqual(again().by("agent"), ["second-one", "first-one"]);
  assert.equal(parts.size, 2);
});

test("a text that is not typed to its end outlives the worker, and each later one stands beside it", () => {
  const { keeper, again, parts } = daemon();
  const secrets = new TrackedSecrets(keeper);
  for (const text of ["quie", "quiet-", "quiet-o"]) secrets.typing("person", text);
  assert.equal(parts.size, 1);
  const second = again();
  assert.deepEqual(second.by("person"), ["quiet-o"]);
  second.typing("person", "loud-o");
  assert.deepEqual(again().by("person"), ["quiet-o", "loud-o"]);
});

test("a text that was typed to its end is no unfinished one any more", () => {
  const { keeper, all } = daemon();
  const secrets = new TrackedSecrets(keeper);
  secrets.typing("person", "quiet-otter");
  secrets.add("person", "quiet-otter");
  secrets.typing("person", "");
  secrets.typing("person", "");
  assert.deepEqual(personsSecretsIn(all()), ["quiet-otter"]);
});

test("the oldest secrets go first, by number and by length, and a long text is cut", () => {
  const { keeper, again, parts } = daemon();
  const secrets = new TrackedSecrets(keeper);
  for (let number = 0; number < 510; number++) secrets.add("agent", `secret-${number}`);
  assert.equal(parts.size, 500);
  assert.equal(again().by("agent")[0], "secret-10");
  for (let number = 0; number < 30; number++) secrets.add("person", `${number} ${"long ".repeat(3_000)}`);
  const texts = again().by("person");
  assert.deepEqual([texts.length, texts.at(-1)?.length, again().by("agent")], [20, 10_000, []]);
});

test("the daemon is asked once for all that it was told, and again after more", async () => {
  const asked: PromiseWithResolvers<void>[] = [];
  const kept = () => {
    const question = Promise.withResolvers<void>();
    asked.push(question);
    return question.promise;
  };
  const secrets = new TrackedSecrets({ report: () => undefined, kept });
  await secrets.kept();
  assert.equal(asked.length, 0);
  secrets.add("agent", "correct-horse");
  let isKept = false;
  const both = Promise.all([secrets.kept(), secrets.kept()]).then(() => (isKept = true));
  await new Promise(setImmediate);
  assert.deepEqual([asked.length, isKept], [1, false]);
  asked[0]?.resolve();
  await both;
  await secrets.kept();
  assert.equal(asked.length, 1);
  secrets.typing("person", "quiet-o");
  void secrets.kept();
  assert.equal(asked.length, 2);
});
