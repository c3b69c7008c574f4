// SKILL.md as an agent reads it: its commands run in order, with a real browser.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { parse } from "yaml";
import { openShell } from "../harness/reader/shell.ts";
import { startTroupe } from "../harness/troupe.ts";
import { blocksOf, proseOf, ROOT } from "../readme/pages.ts";

const PAGE = "skills/troupe/SKILL.md";
const text = readFileSync(path.join(ROOT, PAGE), "utf8");
const DEADLINE = { timeout: 300_000 };

test("the skill's head follows the format, and the skill is short", () => {
  const [, head = ""] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? [];
  const { name, description, ...others } = parse(head);
  assert.equal(name, path.basename(path.dirname(PAGE)));
  assert.ok(description.length <= 1024, `${description.length} characters`);
  assert.deepEqual(others, {});
  assert.ok(proseOf(text).split(/\s+/).length <= 400);
});

test("each command of the skill succeeds, in order", DEADLINE, async () => {
  await using troupe = await startTroupe();
  await using shell = openShell({ TROUPE_STATE_DIR: troupe.stateDir });
  const blocks = blocksOf(PAGE, text);
  assert.deepEqual(
    blocks.filter(({ language }) => language !== "sh"),
    [],
  );
  const lines = blocks.flatMap((block) => block.text.trim().split("\n"));
  const [name = "", ...commands] = lines;
  assert.match(name, /^export TROUPE_SESSION=/);
  let out = "";
  for (const command of commands) {
    out += await shell.run(`${name}\n${command.replaceAll("https://shop.example", troupe.shopUrl)}`);
  }
  assert.match(out, /button "Add to cart" \[ref=e9\]/);
  assert.match(out, /Check out/);
  assert.match(out, /Session agent-\d+ has ended/);
});
