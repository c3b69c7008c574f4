import assert from "node:assert/strict";
import { test } from "node:test";
import { openBridge } from "../../harness/page.ts";

const bridge = await openBridge();

test("an element keeps its ref from snapshot to snapshot, and the ref works", async () => {
  const first = await bridge.treeOf("<button>A</button>");
  assert.equal(first, `- button "A" [ref=e1]`);
  assert.equal(await bridge.tree(), first);
  assert.equal((await bridge.call("ready", "e1", "click")).state, "ready");
});

test("a removed element's ref reports what the element was", async () => {
  await bridge.treeOf("<main><button id=x>Submit</button><button>B</button></main>");
  await bridge.run("document.getElementById('x')?.remove()");
  assert.doesNotMatch(await bridge.tree(), /\[ref=e1\]/);
  assert.deepEqual(await bridge.call("resolve", "e1"), {
    state: "removed",
    element: { ref: "e1", role: "button", name: "Submit", tag: "button" },
    likely: [],
    alike: 0,
  });
  assert.equal((await bridge.call("ready", "e1", "click")).state, "removed");
});

test("a removed element's number is never given out again, not even to the element itself", async () => {
  await bridge.treeOf("<main><button id=x>A</button></main>");
  await bridge.run(`(() => {
    const button = document.getElementById("x");
    Object.assign(window, { kept: button });
    button.remove();
  })()`);
  await bridge.tree();
  await bridge.run("document.querySelector('main')?.append(window.kept)");
  assert.equal(await bridge.tree(), `- main:\n  - button "A" [ref=e2]`);
  assert.equal((await bridge.call("resolve", "e1")).state, "removed");
});

test("an element keeps its ref while its name, attributes and position change", async () => {
  await bridge.treeOf("<nav><a id=x href=/a>A</a></nav><main></main>");
  await bridge.run(`(() => {
    const link = document.getElementById("x");
    link.textContent = "B";
    link.setAttribute("href", "/b");
    document.querySelector("main")?.append(link);
  })()`);
  assert.equal(await bridge.tree(), `- main:\n  - link "B" [ref=e1] [url=/b]`);
});

test("a new document begins at e1 and does not know the old document's refs", async () => {
  await bridge.treeOf("<button>A</button><button>B</button>");
  assert.equal(await bridge.treeOf("<a href=/x>Other</a>"), `- link "Other" [ref=e1] [url=/x]`);
  assert.deepEqual(await bridge.call("resolve", "e2"), { state: "unknown" });
});

test("after going back, the fresh document's refs work", async () => {
  await bridge.treeOf("<button>First</button>");
  await bridge.treeOf("<button>Second</button>");
  await bridge.page.goBack();
  assert.equal(await bridge.tree(), `- button "First" [ref=e1]`);
  assert.equal((await bridge.call("ready", "e1", "click")).state, "ready");
});

test("refs stay valid over several turns on one page", async () => {
  await bridge.treeOf(
    "<div class=card><h3>Product</h3><button onclick='d.show()'>Add to Cart</button></div><dialog id=d aria-label=Cart><button>Pay</button></dialog>",
  );
  const limits = { maxDepth: 4, maxSiblings: 15, maxDescendants: 100 };
  assert.equal((await bridge.call("resolveContainer", "e1", limits)).ancestors.length, 1);
  await bridge.page.click("button");
  assert.match(await bridge.tree(), /- dialog "Cart":\n {2}- button "Pay" .*\[ref=e2\]/);
  assert.equal((await bridge.call("resolveContainer", "e1", limits)).ancestors.length, 1);
  await bridge.run("document.querySelector('dialog')?.close()");
  assert.match(await bridge.tree(), /button "Add to Cart" .*\[ref=e1\]/);
});

test("a text that never was a ref is unknown", async () => {
  await bridge.treeOf("<button>A</button>");
  for (const ref of ["e0", "e99", "e01", "f1_e1", "1", "", "e1 ", "e1e1", "e999999999999"]) {
    assert.deepEqual(await bridge.call("resolve", ref), { state: "unknown" }, ref);
  }
});

test("an element moved into a frame's document is gone from this one", async () => {
  await bridge.treeOf("<button id=x>A</button><iframe srcdoc='<p>'></iframe>");
  await bridge.run(`(() => {
    document.querySelector("iframe")?.contentDocument?.body.append(document.getElementById("x"));
  })()`);
  assert.equal((await bridge.call("resolve", "e1")).state, "removed");
});

test("any element that the worker holds gets a ref", async () => {
  await bridge.open("<p id=x>text</p>");
  await bridge.call("setPrefix", "f3_");
  assert.equal((await bridge.call("resolve", "f3_e1")).state, "unknown");
  await bridge.call("find", { text: "TEXT", limit: 5 });
  assert.deepEqual(await bridge.call("resolve", "f3_e1"), {
    state: "present",
    element: { ref: "f3_e1", role: "paragraph", name: "", tag: "p" },
  });
});
