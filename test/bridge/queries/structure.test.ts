import assert from "node:assert/strict";
import { test } from "node:test";
import type { AnchorInfo } from "../../../worker/bridge/api/bridge-api.ts";
import { openBridge } from "../../harness/page.ts";

const bridge = await openBridge();

const LIMITS = { maxDepth: 4, maxSiblings: 15, maxDescendants: 100 };
const CARDS = `<main id=shop><div class=grid data-testid=grid>
  <div class=card><h3>Lamp</h3><p>Bright</p><button data-testid=add>Add</button></div>
  <div class=card><h3>Desk</h3><p>Wide</p><button data-testid=add>Add</button></div></div></main>`;

test("resolve_container lists an element's ancestors up to below the body", async () => {
  await bridge.treeOf(CARDS);
  assert.deepEqual(await bridge.call("resolveContainer", "e1", LIMITS), {
    target: { ref: "e1", tagName: "button", text: "Add" },
    ancestors: [
      { level: 1, tagName: "div", attributes: { class: "card" }, childElements: 3, containsRefs: ["e1"] },
      {
        level: 2,
        tagName: "div",
        attributes: { class: "grid", "data-testid": "grid" },
        childElements: 2,
        containsRefs: ["e1", "e2"],
      },
      {
        level: 3,
        tagName: "main",
        attributes: { id: "shop" },
        childElements: 1,
        containsRefs: ["e1", "e2"],
      },
    ],
  });
});

test("inspect_pattern lists the siblings in an ancestor", async () => {
  await bridge.treeOf(CARDS);
  const outline = (title: string, text: string) => [
    { role: "heading", tag: "h3", text: title },
    { role: "paragraph", tag: "p", text },
    { role: "button", tag: "button", text: "Add", testid: "add" },
  ];
  assert.deepEqual(await bridge.call("inspectPattern", "e2", 2, LIMITS), {
    ancestorLevel: 2,
    containerAt: { tagName: "div", attributes: { class: "grid", "data-testid": "grid" } },
    targetSiblingIndex: 1,
    siblings: [
      {
        index: 0,
        tagName: "div",
        attributes: { class: "card" },
        containsRefs: ["e1"],
        containsText: ["Lamp", "Bright", "Add"],
        outline: outline("Lamp", "Bright"),
      },
      {
        index: 1,
        tagName: "div",
        attributes: { class: "card" },
        containsRefs: ["e2"],
        containsText: ["Desk", "Wide", "Add"],
        outline: outline("Desk", "Wide"),
      },
    ],
    totalSiblings: 2,
  });
  assert.equal((await bridge.call("inspectPattern", "e2", 0, LIMITS)).targetSiblingIndex, null);
});

test("extract_anchors lists the content of an ancestor", async () => {
  await bridge.treeOf(CARDS);
  assert.deepEqual(await bridge.call("extractAnchors", "e1", 1, LIMITS), {
    ancestorAt: { level: 1, tagName: "div", attributes: { class: "card" } },
    descendants: [
      { depth: 1, index: 0, tagName: "h3", attributes: {}, directText: "Lamp" },
      { depth: 1, index: 1, tagName: "p", attributes: {}, directText: "Bright" },
      {
        depth: 1,
        index: 2,
        tagName: "button",
        attributes: { "data-testid": "add" },
        ref: "e1",
        role: "button",
        name: "Add",
        directText: "Add",
      },
    ],
    totalDescendants: 3,
    maxDepthReached: 1,
  });
});

test("all three queries report an unknown ref as not found", async () => {
  await bridge.treeOf(CARDS);
  const error = {
    error: "Element not found in current snapshot",
    errorType: "not_found",
    suggestion: "Call browser_snapshot() to refresh refs",
  };
  assert.deepEqual(await bridge.call("resolveContainer", "e99", LIMITS), {
    ...error,
    target: null,
    ancestors: [],
  });
  assert.deepEqual(await bridge.call("inspectPattern", "e99", 2, LIMITS), {
    ...error,
    ancestorLevel: 2,
    containerAt: null,
    targetSiblingIndex: null,
    siblings: [],
    totalSiblings: 0,
  });
  assert.deepEqual(await bridge.call("extractAnchors", "e99", 1, LIMITS), {
    ...error,
    ancestorAt: null,
    descendants: [],
    totalDescendants: 0,
    maxDepthReached: 0,
  });
});

test("a removed element is reported with its former role and name", async () => {
  await bridge.treeOf(CARDS);
  await bridge.run("document.querySelector('button')?.remove()");
  const removed = await bridge.call("resolveContainer", "e1", LIMITS);
  assert.deepEqual(
    [removed.errorType, removed.error, removed.suggestion, removed.target],
    [
      "removed",
      'Element e1 (button "Add") was removed from DOM',
      "Take a new snapshot() to get updated refs",
      null,
    ],
  );
  const pattern = await bridge.call("inspectPattern", "e1", 1, LIMITS);
  assert.deepEqual([pattern.errorType, pattern.error], ["removed", "Element e1 was removed from DOM"]);
  assert.equal((await bridge.call("extractAnchors", "e1", 1, LIMITS)).errorType, "removed");
});

test("a level that is too high is refused with the highest one", async () => {
  await bridge.treeOf(CARDS);
  for (const method of ["inspectPattern", "extractAnchors"] as const) {
    const result = await bridge.call(method, "e1", 9, LIMITS);
    assert.equal(result.errorType, "level_too_high");
    assert.equal(result.error, "Ancestor level 9 is too high - reached document.body at level 4");
    assert.match(
      result.suggestion ?? "",
      /^Try a lower ancestor level: 3 is the highest \(use resolve_container/,
    );
    assert.equal((await bridge.call(method, "e1", 3, LIMITS)).error, undefined);
  }
});

test("the queries climb out of shadow roots and look into them", async () => {
  await bridge.treeOf(
    "<section><div id=host><template shadowrootmode=open><p><button>In</button></p></template><b slot=none>no</b></div></section>",
  );
  const { ancestors } = await bridge.call("resolveContainer", "e1", LIMITS);
  assert.deepEqual(
    ancestors.map(({ tagName, childElements }) => [tagName, childElements]),
    [
      ["p", 1],
      ["div", 1],
      ["section", 1],
    ],
  );
  const { descendants } = await bridge.call("extractAnchors", "e1", 3, LIMITS);
  assert.equal(descendants[0]?.descendants?.[0]?.descendants?.[0]?.ref, "e1");
});

test("the limits bound siblings around the target, all descendants, depth and lengths", async () => {
  await bridge.open("<ul></ul>");
  await bridge.run(`(() => {
    const list = document.querySelector("ul");
    for (let i = 0; i < 500; i++) {
      list.insertAdjacentHTML(
        "beforeend",
        \`<li class="\${"c".repeat(999)}"><i><b><u><s><a href=/x>\${i} \${"t".repeat(3000)}</a></s></u></b></i></li>\`,
      );
    }
  })()`);
  const ref = await bridge.refOf('link "400 ');
  const pattern = await bridge.call("inspectPattern", ref, 6, LIMITS);
  assert.deepEqual(
    [pattern.siblings.length, pattern.totalSiblings, pattern.targetSiblingIndex],
    [15, 500, 400],
  );
  assert.ok(pattern.siblings.some(({ index }) => index === 400));
  assert.equal(pattern.siblings[0]?.attributes.class?.length, 201);
  const anchors = await bridge.call("extractAnchors", ref, 6, LIMITS);
  assert.equal(anchors.totalDescendants, 3_000);
  assert.equal(anchors.maxDepthReached, 4);
  const count = (infos: AnchorInfo[]): number =>
    infos.reduce((sum, info) => sum + 1 + count(info.descendants ?? []), 0);
  assert.equal(count(anchors.descendants), 60);
  assert.equal(
    count((await bridge.call("extractAnchors", ref, 6, { ...LIMITS, maxDescendants: 20 })).descendants),
    20,
  );
  assert.ok(JSON.stringify(await bridge.call("resolveContainer", ref, LIMITS)).length < 6_000);
});
