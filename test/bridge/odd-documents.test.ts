import assert from "node:assert/strict";
import { test } from "node:test";
import { openBridge } from "../harness/page.ts";

/** Chrome's headless shell (147) makes no layout of 2,000 levels: it hangs by itself. */
const LEVELS = 1_500;

const bridge = await openBridge();

test("more than a thousand levels overflow nothing", async () => {
  await bridge.open("<main></main>");
  await bridge.run(`(() => {
    let inner = document.querySelector("main");
    for (let i = 0; i < ${LEVELS}; i++) {
      const group = document.createElement(i % 2 ? "div" : "section");
      group.setAttribute("aria-label", \`L\${i}\`);
      inner.append(group);
      inner = group;
    }
    inner.innerHTML = "<button>Deep</button>";
  })()`);
  const { text, elementCount } = await bridge.call("tree", {});
  assert.equal(elementCount, LEVELS + 2);
  assert.match(text, /- button "Deep" \[ref=e1\]$/);
  const limits = { maxDepth: 4, maxSiblings: 15, maxDescendants: 100 };
  assert.equal((await bridge.call("resolveContainer", "e1", limits)).ancestors.length, 100);
  assert.match(
    (await bridge.call("inspectPattern", "e1", 5_000, limits)).error ?? "",
    new RegExp(`at level ${LEVELS + 2}$`),
  );
  assert.equal(
    (await bridge.call("find", { role: "button", limit: 1 })).hits[0]?.line,
    `- button "Deep" [ref=e1]`,
  );
});

test("a delta has a change beside more than a thousand levels", async () => {
  await bridge.open("<ul><li>First</li></ul>");
  await bridge.run(`(() => {
    let inner = document.querySelector("ul");
    for (let i = 0; i < ${LEVELS}; i++) inner = inner.appendChild(document.createElement(i % 2 ? "ul" : "li"));
    inner.innerHTML = "<button>Deep</button>";
  })()`);
  const { snapshot } = await bridge.call("tree", {});
  await bridge.run('document.querySelector("ul").insertAdjacentHTML("beforeend", "<li>Last</li>")');
  const { text } = await bridge.call("tree", { since: snapshot, styleMoved: true });
  assert.match(text, /^\+ in list after .*:\n {2}- listitem: Last$/);
});

test("a button around more than a thousand levels has a name", async () => {
  await bridge.open("<button></button>");
  await bridge.run(`(() => {
    let inner = document.querySelector("button");
    for (let i = 0; i < ${LEVELS}; i++) inner = inner.appendChild(document.createElement("span"));
    inner.textContent = "Deep";
  })()`);
  assert.equal(await bridge.tree(), `- button "Deep" [ref=e1]`);
});

test("an SVG document is read", async () => {
  const text = await bridge.treeOf(
    "<svg xmlns='http://www.w3.org/2000/svg'><title>Plan</title><a href='/x'><text>Room 1</text></a><text>Room 2</text></svg>",
    "image/svg+xml",
  );
  assert.equal(text, `- img "Plan":\n  - link "Room 1" [ref=e1] [url=/x]`);
});

test("XML and XHTML documents are read", async () => {
  assert.match(await bridge.treeOf("<a><b>One</b><c>Two</c></a>", "text/xml"), /One/);
  assert.ok(Array.isArray(await bridge.call("mark")));
  await bridge.call("unmark");
  assert.equal(
    await bridge.treeOf(
      "<html xmlns='http://www.w3.org/1999/xhtml'><body><button>B</button></body></html>",
      "application/xhtml+xml",
    ),
    `- button "B" [ref=e1]`,
  );
});

test("a frameset's frames are frames", async () => {
  const { text, frames } = await (async () => {
    await bridge.open(
      "<frameset cols='50%,50%'><frame title=Left src=about:blank><frame title=Right src=about:blank></frameset>",
    );
    return await bridge.call("tree", {});
  })();
  assert.equal(text, `- iframe "Left" [ref=e1]\n- iframe "Right" [ref=e2]`);
  assert.deepEqual(
    frames.map(({ line }) => line),
    [0, 1],
  );
});

test("an empty document is an empty tree", async () => {
  assert.equal(await bridge.treeOf(""), "");
  await bridge.run("document.documentElement.remove()");
  const { text, elementCount, frames } = await bridge.call("tree", {});
  assert.deepEqual({ text, elementCount, frames }, { text: "", elementCount: 0, frames: [] });
  assert.deepEqual(await bridge.call("waitFor", { textGone: "x" }, 50), { met: true });
  assert.equal((await bridge.call("beginEdit", undefined)).state, "nothing-focused");
});

test("a rewritten document keeps its bridge and reuses no numbers", async () => {
  await bridge.treeOf("<button>A</button>");
  await bridge.run(`(() => {
    document.open();
    document.write("<button>B</button>");
    document.close();
  })()`);
  assert.equal(await bridge.tree(), `- button "B" [ref=e2]`);
});

test("a plain text document is read", async () => {
  assert.equal(await bridge.treeOf("just text", "text/plain"), "- text: just text");
});
