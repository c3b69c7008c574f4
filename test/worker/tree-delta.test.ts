// What changed between two trees, for trees made at random: nothing left out, nothing made up.
import assert from "node:assert/strict";
import { test } from "node:test";
import { treeDelta } from "../../worker/tree-delta.ts";

test("equal trees have no delta, an empty one is told whole or as removed", () => {
  const lines = ["- list:", "  - listitem: a", '- button "Go" [ref=e1]'];
  assert.deepEqual(treeDelta(lines, lines), []);
  assert.deepEqual(treeDelta([], ['- button "Go" [ref=e1]']), ["+ in the page:", '  - button "Go" [ref=e1]']);
  assert.deepEqual(treeDelta(['- button "Go" [ref=e1]'], []), ['removed from the page: e1 button "Go"']);
});

test("a changed line, a new one and one that went are told with their places", () => {
  const before = [
    '- list "Results" [ref=e9]:',
    "  - listitem:",
    '    - button "Buy" [ref=e17]',
    '- button "Cart (1)" [ref=e3]',
  ];
  const after = [
    '- list "Results" [ref=e9]:',
    "  - listitem:",
    '    - button "Sell" [ref=e31]',
    '- button "Cart (2)" [ref=e3]',
  ];
  assert.deepEqual(treeDelta(before, after), [
    '+ in list "Results" [ref=e9]:',
    '  - button "Sell" [ref=e31]',
    '~ - button "Cart (2)" [ref=e3]',
    'removed from list "Results" [ref=e9]: e17 button "Buy"',
  ]);
});

test("names that imitate refs and quotes do not mislead", () => {
  const before = ['- button "a [ref=e7] \\"" [ref=e1]', "- text: x"];
  const after = ['- button "b [ref=e7] \\"" [ref=e1]', "- text: x"];
  assert.deepEqual(treeDelta(before, after), ['~ - button "b [ref=e7] \\"" [ref=e1]']);
});

test("trees that have next to nothing in common are told anew", () => {
  const before = Array.from({ length: 3_000 }, (_, row) => `- text: before ${row}`);
  const after = Array.from({ length: 3_000 }, (_, row) => `- text: after ${row}`);
  assert.equal(treeDelta(before, after), undefined);
});

test("of any two trees, each new line is told as it is, each element that went is covered, and nothing else is claimed", () => {
  for (let seed = 1; seed <= 300; seed++) {
    const random = generator(seed);
    const tree = makeTree(random, { next: 1 });
    const changed = mutate(tree, random, { next: 1_000 });
    const [before, after] = [linesOf(tree), linesOf(changed)];
    const delta = treeDelta(before, after) ?? assert.fail("small trees have a delta");
    const shown = delta.filter((line) => !isHeading(line)).map((line) => line.replace(/^~ /, "").trim());
    const known = new Set(before.map((line) => line.trim()));
    const now = new Set(after.map((line) => line.trim()));
    for (const line of shown) assert.ok(now.has(line), `seed ${seed}: ${line} is not on the page`);
    for (const line of now)
      assert.ok(known.has(line) || shown.includes(line), `seed ${seed}: ${line} is left out`);
    const removed = delta.filter((line) => line.startsWith("removed from")).join("\n");
    for (const ref of goneRoots(tree, changed))
      assert.match(removed, new RegExp(`\\b${ref}\\b`), `seed ${seed}: ${ref} went unsaid`);
    for (const [, ref] of removed.matchAll(/(?:: |, )(e\d+) /g))
      assert.ok(!refsOf(changed).has(ref ?? ""), `seed ${seed}: ${ref} is still there`);
  }
});

interface Node {
  ref: string;
  name: string;
  children: Node[];
}
type Random = (below: number) => number;
interface Refs {
  next: number;
}

function makeTree(random: Random, refs: Refs, depth = 0): Node[] {
  return Array.from({ length: 1 + random(4) }, () => ({
    ref: `e${refs.next++}`,
    name: `Name ${random(5)}`,
    children: depth < 3 && random(2) ? makeTree(random, refs, depth + 1) : [],
  }));
}

/** Removes, renames, adds and moves. */
function mutate(nodes: Node[], random: Random, refs: Refs): Node[] {
  return nodes.flatMap((node) => {
    const kept = { ...node, children: mutate(node.children, random, refs) };
    switch (random(10)) {
      case 0:
        return [];
      case 1:
        return [{ ...kept, name: `Renamed ${random(5)}` }];
      case 2:
        return [kept, { ref: `e${refs.next++}`, name: "Added", children: makeTree(random, refs, 3) }];
      default:
        return [kept];
    }
  });
}

function linesOf(nodes: Node[], depth = 0): string[] {
  return nodes.flatMap(({ ref, name, children }) => [
    `${"  ".repeat(depth)}- group ${JSON.stringify(name)} [ref=${ref}]${children.length ? ":" : ""}`,
    ...linesOf(children, depth + 1),
  ]);
}

function refsOf(nodes: Node[]): Set<string> {
  return new Set(nodes.flatMap(({ ref, children }) => [ref, ...refsOf(children)]));
}

/** Elements that went while their parent stayed. */
function goneRoots(before: Node[], after: Node[]): string[] {
  const there = refsOf(after);
  return before.flatMap((node) => (there.has(node.ref) ? goneRoots(node.children, after) : [node.ref]));
}

function isHeading(line: string): boolean {
  return /^(?:\+ in|~ in|removed from) /.test(line);
}

/** Numbers that look random and are the same each time (mulberry32). */
function generator(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
