// Runs the public tests of roles and names in a real browser (web-platform-tests: wai-aria, accname, html-aam, svg-aam,
// core-aam, dpub-aam). The folder conformance/ restates them as data. Each case that does not hold is an exception with
// its reason. An exception that holds fails the test, so the list stays true.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bundlePage, openBridge } from "../harness/page.ts";
import { ariaRoles } from "./conformance/aria-roles.ts";
import { brokenRoles } from "./conformance/broken-roles.ts";
import type { Case, Said } from "./conformance/case.ts";
import { contentNames } from "./conformance/content-names.ts";
import { EXCEPTIONS } from "./conformance/exceptions.ts";
import { givenNames } from "./conformance/given-names.ts";
import { htmlRoles } from "./conformance/html-roles.ts";
import { labelNames } from "./conformance/label-names.ts";
import { nameSources } from "./conformance/name-sources.ts";
import { referencedNames } from "./conformance/referenced-names.ts";

const SUBJECTS: [subject: string, cases: readonly Case[]][] = [
  ["roles that are named", ariaRoles],
  ["role attributes that name nothing", brokenRoles],
  ["roles of HTML's and SVG's elements", htmlRoles],
  ["names that the author gives", givenNames],
  ["names from each source in turn", nameSources],
  ["names from content", contentNames],
  ["names from labels", labelNames],
  ["names by reference", referencedNames],
];
const ALL = SUBJECTS.flatMap(([, cases]) => cases);
const excepted = new Set(EXCEPTIONS.flatMap(({ ids }) => ids));

const bridge = await openBridge();
await bridge.open("<!doctype html><title>Conformance</title><body></body>");
await bridge.inWorld(await bundlePage("ask-cases"));
const answers = await bridge.inWorld(`askCases(${JSON.stringify(ALL.map(({ html }) => html))})`);
const said = new Map(ALL.map(({ id }, index) => [id, (answers as Said[])[index] as Said]));

function holds({ id, role, name }: Case): boolean {
  const answer = said.get(id);
  return (role === undefined || answer?.role === role) && (name === undefined || answer?.name === name);
}

for (const [subject, cases] of SUBJECTS) {
  const required = cases.filter(({ id }) => !excepted.has(id));
  test(`${subject}: ${required.length} of ${cases.length} cases hold`, () => {
    const failing = required
      .filter((each) => !holds(each))
      .map((each) => ({ ...each, said: said.get(each.id) }));
    assert.deepEqual(failing, []);
  });
}

test("each exception names a case that does not hold", () => {
  const known = new Map(ALL.map((each) => [each.id, each]));
  assert.equal(known.size, ALL.length, "two cases have the same id");
  for (const id of excepted) {
    const each = known.get(id);
    assert.ok(each, `no case ${id}`);
    assert.ok(!holds(each), `${id} holds: it is no exception any more`);
  }
});

test("more cases hold here than in either peer", () => {
  const share = ALL.filter(holds).length / ALL.length;
  assert.ok(share > 860 / 889, `${share}`);
});

test("an element has the same role and name in the tree and in errors", () => {
  for (const [id, { role, name, line }] of said) {
    const [, toldRole, toldName] = /^- ([\w-]+)(?: ("(?:[^"\\]|\\.)*"))?/.exec(line ?? "") ?? [];
    if (toldRole === undefined) continue;
    assert.equal(toldRole, role, id);
    if (toldName !== undefined) assert.equal(JSON.parse(toldName), name, id);
  }
});
