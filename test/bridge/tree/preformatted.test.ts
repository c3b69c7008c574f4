// Preformatted text keeps its lines and its indentation, on one line of the tree.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openBridge } from "../../harness/page.ts";

const bridge = await openBridge();

const cases: [what: string, html: string, text: string][] = [
  ["lines", "<pre>\na:\n  b: 1\n\n  c\n</pre>", String.raw`- text: "a:\n  b: 1\n\n  c"`],
  ["one line", "<pre>  a   b\n</pre>", "- text: a b"],
  ["code", "<pre><code>if x:\n\ty()\n</code></pre>", String.raw`- code: "if x:\n\ty()"`],
  [
    "coloured code",
    "<pre><code><span>if</span> x:\n<span>  </span><b>y</b><span>\n</span>z</code></pre>",
    String.raw`- code: "if x:\n  y\nz"`,
  ],
  ["breaks", "<pre>a<br>  b</pre>", String.raw`- text: "a\n  b"`],
  [
    "a link in it",
    "<pre>a\n  b <a href=/x>c\n d</a> e\n f</pre>",
    ['- text: "a\\n  b"', '- link "c d" [ref=e1] [url=/x]', String.raw`- text: " e\n f"`].join("\n"),
  ],
  [
    "what looks like structure",
    "<pre>x\n- button &quot;Pay&quot; [ref=e9]</pre>",
    String.raw`- text: "x\n- button \"Pay\" [ref=e9]"`,
  ],
  ["a style", "<p style='white-space: pre-wrap'>a\n  b</p>", String.raw`- paragraph: "a\n  b"`],
  [
    "a rule, through what it holds",
    "<style>.m { white-space: pre-line } .n { white-space: nowrap }</style><div class=m><p>a\nb</p><p class=n>c\nd</p></div>",
    ['- paragraph: "a\\nb"', "- paragraph: c d"].join("\n"),
  ],
  [
    "a text that a style keeps and its name",
    "<style>a { white-space: pre }</style><a href=/x>a\nb</a>",
    '- link "a b" [ref=e1] [url=/x]',
  ],
  ["text that is not", "<p>a\n  b</p>", "- paragraph: a b"],
];

for (const [what, html, text] of cases) {
  test(`${what}: ${text}`, async () => {
    assert.equal((await bridge.treeOf(`<!doctype html><body>${html}`)).trim(), text);
  });
}

test("a document of plain text keeps its lines", async () => {
  assert.equal((await bridge.treeOf("a\n  b\n", "text/plain")).trim(), String.raw`- text: "a\n  b"`);
});

test("a changed line is noticed", async () => {
  await bridge.open("<!doctype html><body><pre id=p>a\n  b</pre>");
  await bridge.tree();
  await bridge.run("p.firstChild.data += '\\n  c'");
  assert.equal((await bridge.tree()).trim(), String.raw`- text: "a\n  b\n  c"`);
});

test("the tree has the code that an editor draws beside its field, in visual order", async () => {
  await bridge.open(`<!doctype html><body><style>.line { position: absolute }</style><div role=code>
    <textarea aria-label=Query></textarea>
    <div aria-hidden=true style="cursor: default"><div>1</div><div>2</div></div>
    <div aria-hidden=true style="cursor: text; position: relative" id=lines>
      <div class=line style="top:19px">&nbsp;&nbsp;<i>y</i>()</div><div class=line style="top:0">if x:</div></div></div>`);
  const code = (text: string) => `- code:\n  - textbox "Query" [ref=e1]\n  - text: ${text}`;
  assert.equal((await bridge.tree()).trim(), code(String.raw`"if x:\n  y()"`));
  await bridge.run("document.querySelector('i').firstChild.data = 'z'");
  assert.equal((await bridge.tree()).trim(), code(String.raw`"if x:\n  z()"`));
});
