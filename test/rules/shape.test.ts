import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { complaintsAbout } from "./shape/limits.ts";
import { readCode } from "./shape/read-code.ts";
import { reportOf } from "./shape/report.ts";
import { sentencesOf, wordCount } from "./shape/sentences.ts";
import { type Shape, shapeOf } from "./shape/shape.ts";

describe("the shape of code", () => {
  test("counts the lines of files and the files beside subfolders", () => {
    const { files, folders } = shapeOf([
      ["daemon/a.ts", "1;\n2;\n"],
      ["daemon/b.ts", "1;\n"],
      ["daemon/calls/c.ts", "1;\n"],
    ]);
    assert.deepEqual(sizes(files), { "daemon/a.ts": 2, "daemon/b.ts": 1, "daemon/calls/c.ts": 1 });
    assert.deepEqual(sizes(folders), { daemon: 2, "daemon/calls": 1 });
  });

  test("names a function by its declaration or its constant, and counts lines and parameters", () => {
    const text =
      "function one(a, b) {\n  return a;\n}\nconst two = () => 1;\ndeclare function three(a): void;\n";
    const { functions, parameters } = readCode("a.ts", text);
    assert.deepEqual(functions, [
      { name: "one", line: 1, size: 3 },
      { name: "two", line: 4, size: 1 },
    ]);
    assert.deepEqual(
      parameters.map(({ size }) => size),
      [2, 0],
    );
  });

  test("counts the members of a class", () => {
    const { classes } = readCode("a.ts", "class A {\n  a = 1;\n  #b = 2;\n  c() {}\n}");
    assert.deepEqual(classes, [{ name: "A", line: 1, size: 3 }]);
  });

  test("finds folders that import each other, also by types and by a later import", () => {
    const pairs = (back: string) =>
      shapeOf([
        ["daemon/a/a.ts", `import "../b/b.ts";`],
        ["daemon/b/b.ts", back],
      ]).mutualImports.map(({ name }) => name);
    for (const back of [
      `export { a } from "../a/a.ts"`,
      `await import("../a/a.ts")`,
      `type A = import("../a/a.ts").A`,
    ])
      assert.deepEqual(pairs(back), ["daemon/a and daemon/b"], back);
    assert.deepEqual(pairs(`import "./c.ts"; const text = "../a/a.ts";`), []);
  });

  test("reads comments, and no text that only looks like one", () => {
    const text = `const a = "// no"; const b = /\\/* no/; const c = \`// \${a} // no\`;\n// One\n// comment.\n/** Two. */`;
    assert.deepEqual(readCode("a.ts", text).comments, [
      { text: "One\n comment.", line: 2 },
      { text: "Two.", line: 4 },
    ]);
  });

  test("finds banned words in sentences and paths, but not in quotations", () => {
    const { bannedWords } = shapeOf([
      ["worker/look/a.ts", `// ${"Who"} is ${"told"}?\n// It says "${"told"}".`],
    ]);
    assert.deepEqual(
      bannedWords.map(({ name, at }) => [name, at]),
      [
        ["look", "worker/look/a.ts"],
        ["Who", "worker/look/a.ts:1"],
        ["told", "worker/look/a.ts:1"],
      ],
    );
  });
});

test("a comment's sentences end at a stop, a blank line and a list's next point", () => {
  assert.deepEqual(sentencesOf("The first one,\nwith e.g. more. `Second()` follows.\n\nThird\n- fourth"), [
    "The first one, with e.g. more.",
    "Code follows.",
    "Third",
    "- fourth",
  ]);
  assert.equal(wordCount("- one two – three"), 3);
});

test("an item beyond its limit is named with its place, and one at the limit is not", () => {
  const shape: Shape = shapeOf([["daemon/a.ts", "function f(a, b) {}\nfunction g(a) {}\n"]]);
  assert.deepEqual(complaintsAbout(shape, { parameters: { most: 1, why: "parameters" } }), [
    'daemon/a.ts:1 parameters: "f": 2, at most 1 parameters',
  ]);
});

test("the report shows the source beside the tests, and each folder", () => {
  const report = reportOf(
    shapeOf([
      ["daemon/a.ts", "1;\n"],
      ["test/daemon/a.test.ts", "1;\n2;\n"],
    ]),
  );
  assert.ok(report.some((line) => /^lines +1 +2$/.test(line)));
  assert.ok(report.some((line) => /^test\/daemon +1 +2$/.test(line)));
});

function sizes(items: Shape["files"]): Record<string, number> {
  return Object.fromEntries(items.map(({ at, size }) => [at, size]));
}
