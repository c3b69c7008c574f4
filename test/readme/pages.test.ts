// The pages that people write are short, say nothing twice, and name only what exists.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { main } from "../../client/cli/program.ts";
import { sentencesOf, wordCount } from "../rules/shape/sentences.ts";
import { blocksOf, PAGES, pageText, proseOf, ROOT } from "./pages.ts";

/** A sentence with fewer words may stand twice, such as "See below." */
const SHORT_WORDS = 6;
const SENTENCE_WORDS_MAX = 20;
const pages = Object.keys(PAGES).map((page) => ({ page, text: pageText(page) }));

test("each page has at most its number of words", () => {
  const tooLong = pages
    .map(({ page, text }) => ({ page, words: text.split(/\s+/).filter(Boolean).length }))
    .filter(({ page, words }) => words > (PAGES[page] ?? 0));
  assert.deepEqual(tooLong, []);
});

test("no sentence is too long or stands in two places", () => {
  const seen = new Map<string, string>();
  const complaints: string[] = [];
  for (const { page, text } of pages) {
    for (const sentence of sentencesOf(proseAlone(text))) {
      const words = wordCount(sentence);
      if (words > SENTENCE_WORDS_MAX) complaints.push(`${page}: ${words} words: ${sentence}`);
      const other = seen.get(sentence);
      if (other && words >= SHORT_WORDS) complaints.push(`${page} repeats ${other}: ${sentence}`);
      seen.set(sentence, page);
    }
  }
  assert.deepEqual(complaints, []);
});

test("each link leads to a file, and to a heading in it", () => {
  const dead = pages.flatMap(({ page, text }) =>
    [...proseOf(text).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
      .filter(([, file = "", heading]) => !leads(page, file, heading))
      .map(([link]) => `${page}: ${link}`),
  );
  assert.deepEqual(dead, []);
});

test("each command in the text is one that troupe has", async () => {
  const named = pages.flatMap(({ text }) =>
    [...proseOf(text).matchAll(/`troupe ([a-z]+)\b[^`]*`/g)].map(([, command]) => command ?? ""),
  );
  const help: string[] = [];
  await main(["--help"], { cwd: "/", env: {}, print: (text) => void help.push(text), complain: assert.fail });
  const known = new Set([...help.join("").matchAll(/^ {2}([a-z]+) /gm)].map(([, command]) => command));
  assert.ok(known.has("daemon") && named.length > 0);
  assert.deepEqual(
    [...new Set(named)].filter((command) => !known.has(command)),
    [],
  );
});

test("blocks are read with their language, file and line", () => {
  const text = "# A\n\n```sh\nls\n```\n\n````yaml a.yaml\nx: |\n  ```\n````\n";
  assert.deepEqual(
    blocksOf("a.md", text).map(({ language, file, line, text }) => [language, file, line, text]),
    [
      ["sh", undefined, 3, "ls\n"],
      ["yaml", "a.yaml", 7, "x: |\n  ```\n"],
    ],
  );
  assert.throws(() => blocksOf("a.md", "```sh\nls\n"), /a\.md:1: the fence is not closed/);
});

/** Table rows and headings hold no sentences; each item of a list has its own. */
function proseAlone(text: string): string {
  return proseOf(text)
    .replace(/^[|#!<].*$/gm, "")
    .replace(/\]\([^)]*\)/g, "]")
    .replace(/^\d+\. /gm, "\n");
}

function leads(page: string, file: string, heading: string | undefined): boolean {
  const target = file ? path.join(path.dirname(page), file) : page;
  if (!existsSync(path.join(ROOT, target))) return false;
  if (heading === undefined) return true;
  const headings = [...pageText(target).matchAll(/^#+ (.*)$/gm)].map(([, words = ""]) => anchorOf(words));
  return headings.includes(heading);
}

/** Returns the anchor that a heading has on common hosts of Markdown. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, "")
    .replaceAll(" ", "-");
}
