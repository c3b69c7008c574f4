import assert from "node:assert/strict";
import { test } from "node:test";
import { type HygieneException, hygieneRules, inspect } from "./hygiene.ts";

// The strings are joined here, so that this file itself holds none of the refused texts.
const cases: { rule: string; file: string; refused: string[]; allowed: string[] }[] = [
  {
    rule: "no-test-left-out",
    file: "test/a.test.ts",
    refused: [`test.${"skip"}("a")`, `it.${"only"}("a")`, `t.${"skip"}()`, `test("a", { ${"skip"}: true })`],
    allowed: [`test("skips what is hidden")`, `list.skipped()`, `test("a", { skip: !embeddable })`],
  },
  {
    rule: "nothing-unfinished",
    file: "README.md",
    refused: [`${"TO"}DO: more`, `// ${"FIX"}ME`],
    allowed: ["a todo list", "AUTODOC"],
  },
  {
    rule: "no-machine-path",
    file: "daemon/a.ts",
    refused: [`"/${"work"}/main"`, ` /${"root"}/x`, `'/${"root"}/.cache/'`],
    allowed: [
      `"/${"root"}"`,
      `"/workers"`,
      `"https://shop.example/work/1"`,
      `"~/.local/state"`,
      "worker/root/a.ts",
    ],
  },
  {
    rule: "silence-says-why",
    file: "daemon/a.ts",
    refused: [`const a = 1;\nvoid f().${"catch"}(() => undefined);`, `f()\n  .${"catch"}(() => null);`],
    allowed: [
      "// Whoever waits for it hears of it.\nvoid f().catch(() => undefined);",
      "// Gone already is as good.\nawait f()\n  .then(g)\n  .catch(() => undefined);",
      "f().catch((error) => log.warn(error));",
    ],
  },
  {
    rule: "packages-from-npm",
    file: "package-lock.json",
    refused: [`"resolved": "http://127.0.0.1/a.tgz"`],
    allowed: [`"resolved": "https://registry.npmjs.org/a/-/a-1.0.0.tgz"`],
  },
  {
    rule: "short-enough-to-read",
    file: "daemon/a.ts",
    refused: ["\n".repeat(401)],
    allowed: ["\n".repeat(400)],
  },
];

for (const { rule, file, refused, allowed } of cases) {
  test(`${rule} refuses what it is there for, and nothing like it`, () => {
    for (const text of refused) {
      assert.deepEqual(rulesBroken(file, text), [rule], text);
    }
    for (const text of allowed) {
      assert.deepEqual(rulesBroken(file, text), [], text);
    }
  });
}

test("named-by-its-idea refuses files of odds and ends", () => {
  assert.deepEqual(rulesBroken("daemon/utils.ts", ""), ["named-by-its-idea"]);
  assert.deepEqual(rulesBroken("daemon/string-helpers.ts", ""), ["named-by-its-idea"]);
  assert.deepEqual(rulesBroken("daemon/restart-delays.ts", ""), []);
});

test("a complaint names the line", () => {
  const [complaint] = inspect([["a.md", `one\ntwo ${"TO"}DO`]]);
  assert.equal(complaint?.line, 2);
});

test("an exception holds for its file and rule alone, and only while it is needed", () => {
  const exceptions: HygieneException[] = [
    { file: "a.md", rule: "nothing-unfinished", reason: "a quotation" },
  ];
  const unfinished = `${"TO"}DO`;
  assert.deepEqual(inspect([["a.md", unfinished]], hygieneRules, exceptions), []);
  assert.equal(
    inspect(
      [
        ["b.md", unfinished],
        ["a.md", unfinished],
      ],
      hygieneRules,
      exceptions,
    ).length,
    1,
  );
  assert.match(inspect([["a.md", ""]], hygieneRules, exceptions)[0]?.why ?? "", /no longer needed/);
});

function rulesBroken(file: string, text: string): string[] {
  return [...new Set(inspect([[file, text]]).map(({ rule }) => rule))];
}
