import assert from "node:assert/strict";
import { test } from "node:test";
import { openBridge } from "../../harness/page.ts";

const bridge = await openBridge();

/** Has the statement, the page and its text. */
const cases: [said: string, html: string, text: string][] = [
  ["a heading carries its name and level", "<h1>Orders</h1>", `- heading "Orders" [level=1]`],
  ["a link carries ref and address", "<a href='/two'>Two</a>", `- link "Two" [ref=e1] [url=/two]`],
  [
    "a field carries its value after the colon",
    "<label>Email <input placeholder='you@example.org' value='ada@example.org'></label>",
    `- textbox "Email" [ref=e1] [placeholder=you@example.org]: ada@example.org`,
  ],
  [
    "a placeholder that names the field is said once",
    "<input placeholder=Email>",
    `- textbox "Email" [ref=e1]`,
  ],
  [
    "a password is masked",
    "<input type=password aria-label=Password value=hunter2>",
    `- textbox "Password" [ref=e1]: "[masked]"`,
  ],
  ["an empty password is not", "<input type=password aria-label=Password>", `- textbox "Password" [ref=e1]`],
  [
    "a checkbox says its state, and its label is not said again",
    "<label><input type=checkbox checked> Remember</label>",
    `- checkbox "Remember" [checked] [ref=e1]`,
  ],
  [
    "a cell that is nothing but text carries it inline",
    "<table><tr><td>42<td><b>7</b></table>",
    "- table:\n  - rowgroup:\n    - row:\n      - cell: 42\n      - cell: 7",
  ],
  [
    "text among elements has lines of its own",
    "<p>See <a href=a>this</a> and <a href=b>that</a>.</p>",
    `- paragraph:\n  - text: See\n  - link "this" [ref=e1] [url=a]\n  - text: and\n  - link "that" [ref=e2] [url=b]\n  - text: .`,
  ],
  ["wrappers that say nothing collapse", "<div><div><span>Hi</span></div></div>", "- text: Hi"],
  ["inline text flows together", "<p>In <b>stock</b>, <i>now</i></p>", "- paragraph: In stock, now"],
  ["blocks part it", "<div>One</div><div>Two</div>", "- text: One\n- text: Two"],
  [
    "a style that makes blocks of spans parts words",
    "<style>span{display:block}</style><p><span>One</span><span>Two</span></p>",
    "- paragraph: One Two",
  ],
  ["spans without one do not", "<p><span>One</span><span>Two</span></p>", "- paragraph: OneTwo"],
  [
    "an abbreviation says what it stands for",
    "<p>The <abbr title='Web Platform Tests'>WPT</abbr> hold.</p>",
    "- paragraph: The WPT (Web Platform Tests) hold.",
  ],
  [
    "an option is called by its aria-label",
    "<select aria-label=Size><option aria-label=Small>S<option>L</select>",
    `- combobox "Size" [ref=e1]:\n  - option "Small" [selected]\n  - option "L"`,
  ],
  [
    "a table is called by its summary",
    "<table summary=Orders title=x><tr><td>1</table>",
    `- table "Orders":\n  - rowgroup:\n    - row:\n      - cell: 1`,
  ],
  [
    "the label of what takes no name is text",
    "<label for=s>Country</label><select id=s aria-hidden=true><option>A</select><label>Amount <x-field><template shadowrootmode=open><input><input></template></x-field></label><script>customElements.define('x-field', class extends HTMLElement { static formAssociated = true })</script>",
    `- text: Country\n- … hidden from assistive technology: 1 control [expand with browser_snapshot ref=e1]\n- text: Amount\n- textbox [ref=e2]\n- textbox [ref=e3]`,
  ],
  [
    "the label of a custom element names the only field in it",
    "<label>Amount <x-field><template shadowrootmode=open><input></template></x-field></label><script>customElements.define('x-field', class extends HTMLElement { static formAssociated = true })</script>",
    `- textbox "Amount" [ref=e1]`,
  ],
  [
    "a cell says over how many columns and rows it reaches",
    "<table><tr><td colspan=2 rowspan=3>Sum<td colspan=1>1</table>",
    "- table:\n  - rowgroup:\n    - row:\n      - cell [colspan=2] [rowspan=3]: Sum\n      - cell: 1",
  ],
  ["a line break is a space", "<p>One<br>Two</p>", "- paragraph: One Two"],
  [
    "phrases are part of the text around them",
    "<p>Use <code>ls</code> <em>now</em></p>",
    "- paragraph: Use ls now",
  ],
  [
    "a phrase that stands alone is a line",
    "<p><strong>Total</strong></p>",
    "- paragraph:\n  - strong: Total",
  ],
  [
    "what was deleted is told apart",
    "<p>Price <del>$20</del> <ins>$10</ins></p>",
    "- paragraph:\n  - text: Price\n  - deletion: $20\n  - insertion: $10",
  ],
  [
    "a link's content is its name, and only its heading is said again",
    "<a href=/x><h3>Card</h3><p>Some text</p><img alt=Photo src=x></a>",
    `- link "Card Some text Photo" [ref=e1] [url=/x]:\n  - heading "Card" [level=3]`,
  ],
  [
    "what an aria-label does not say is said below it",
    "<a href=/x aria-label='Read about X'>Read more</a>",
    `- link "Read about X" [ref=e1] [url=/x]: Read more`,
  ],
  ["a button's content is presentation", "<button aria-label=Close>×</button>", `- button "Close" [ref=e1]`],
  [
    "what can be acted on inside a button is still there",
    "<div role=button tabindex=0>Row <a href=/x>link</a></div>",
    `- button "Row link" [ref=e1]:\n  - link "link" [ref=e2] [url=/x]`,
  ],
  [
    "address as written, data: cut short",
    `<a href='data:text/plain,${"a".repeat(90)}'>D</a>`,
    `- link "D" [ref=e1] [url=data:text/plain,${"a".repeat(24)}…]`,
  ],
  ["an address with a space is quoted", "<a href='/a b'>S</a>", `- link "S" [ref=e1] [url="/a b"]`],
  [
    "an address leaves out user and password",
    "<a href='https://ada:p@ss w@shop.example/a@b?c@d'>A</a>",
    `- link "A" [ref=e1] [url=https://shop.example/a@b?c@d]`,
  ],
  [
    "a browser reads user and password in other spellings, too",
    String.raw`<a href=//ada:pass@b.example>B</a><a href=https:ada:pass@c.example>C</a><a href="ht&#10;tps:\\ada:pass@d.example">D</a>`,
    String.raw`- link "B" [ref=e1] [url=//b.example]
- link "C" [ref=e2] [url=https:c.example]
- link "D" [ref=e3] [url="https:\\\\d.example"]`,
  ],
  [
    "an at sign elsewhere stays",
    "<a href=mailto:ada@shop.example>M</a><a href=/@ada>P</a><a href='https://a.example?to=x@y'>Q</a>",
    `- link "M" [ref=e1] [url=mailto:ada@shop.example]
- link "P" [ref=e2] [url=/@ada]
- link "Q" [ref=e3] [url=https://a.example?to=x@y]`,
  ],
  [
    "a select has its options",
    "<select aria-label=Size><option>S<option selected>M<optgroup label=Big disabled><option>XL</optgroup></select>",
    `- combobox "Size" [ref=e1]:\n  - option "S"\n  - option "M" [selected]\n  - group "Big" [disabled]:\n    - option "XL" [disabled]`,
  ],
  [
    "the options of a list box can be clicked",
    "<select aria-label=Size size=2><option>S<option>M</select>",
    `- listbox "Size" [ref=e1]:\n  - option "S" [ref=e2]\n  - option "M" [ref=e3]`,
  ],
  [
    "a closed details is its summary",
    "<details><summary>More</summary>secret <a href=/x>x</a></details>",
    `- group:\n  - button "More" [expanded=false] [ref=e1]`,
  ],
  [
    "an open one is all of it",
    "<details open><summary>More</summary>shown</details>",
    `- group:\n  - button "More" [expanded] [ref=e1]\n  - text: shown`,
  ],
  [
    "a group's legend and a figure's caption are their names",
    "<fieldset><legend>Ship to</legend><input aria-label=City></fieldset><figure><img alt=Cat src=x><figcaption>A cat</figcaption></figure>",
    `- group "Ship to":\n  - textbox "City" [ref=e1]\n- figure "A cat":\n  - img "Cat"`,
  ],
  [
    "states stand in order",
    "<button aria-pressed=mixed aria-expanded=false aria-current=page disabled>B</button>",
    `- button "B" [pressed=mixed] [disabled] [expanded=false] [current=page] [ref=e1]`,
  ],
  [
    "required, invalid and readonly are states",
    "<input aria-label=A required><input aria-label=B type=email value=x><input aria-label=C readonly value=y><input aria-label=D aria-invalid=true>",
    `- textbox "A" [required] [ref=e1]\n- textbox "B" [invalid] [ref=e2]: x\n- textbox "C" [readonly] [ref=e3]: y\n- textbox "D" [invalid] [ref=e4]`,
  ],
  [
    "what has the focus is active",
    "<input aria-label=A><input aria-label=B autofocus>",
    `- textbox "A" [ref=e1]\n- textbox "B" [active] [ref=e2]`,
  ],
  [
    "a fieldset disables what is in it, aria-disabled too",
    "<fieldset disabled aria-label=F><button>A</button></fieldset><div role=toolbar aria-disabled=true aria-label=T><button>B</button></div>",
    `- group "F" [disabled]:\n  - button "A" [disabled] [ref=e1]\n- toolbar "T" [disabled]:\n  - button "B" [disabled] [ref=e2]`,
  ],
  [
    "a pointer cursor gives its outermost element a ref",
    "<style>.c{cursor:pointer}</style><div class=c>Open <span class=c>menu</span></div>",
    "- generic [ref=e1]: Open menu",
  ],
  ["a click handler of its own does too", "<div onclick='x()'>Go</div>", "- generic [ref=e1]: Go"],
  [
    "what lets the pointer through has no ref, what does not in it has",
    "<style>.n{pointer-events:none}.y{pointer-events:auto}</style><div class=n><button>No</button><button class=y>Yes</button></div>",
    `- button "No"\n- button "Yes" [ref=e1]`,
  ],
  [
    "what can be edited is a textbox",
    "<div contenteditable>Rich <b>text</b></div>",
    "- textbox [ref=e1]: Rich text",
  ],
  ["what can be dragged has a ref", "<div draggable=true>Card</div>", "- generic [ref=e1]: Card"],
  [
    "a slider has its value, a meter its text",
    "<input type=range min=0 max=10 value=3 aria-label=Volume><meter value=0.5 aria-label=Disk>half</meter><div role=slider tabindex=0 aria-label=Hue aria-valuenow=7 aria-valuetext=warm></div>",
    `- slider "Volume" [ref=e1]: 3\n- meter "Disk": half\n- slider "Hue" [ref=e2]: warm`,
  ],
  [
    "a field that takes no typed text says its type",
    "<input type=date aria-label=Day value=2026-03-01><input type=color aria-label=Ink value=#ff0000>",
    `- textbox "Day" [ref=e1] [type=date]: 2026-03-01\n- textbox "Ink" [ref=e2] [type=color]: #ff0000`,
  ],
  [
    "a frame has a ref and its name",
    "<iframe title=Payment srcdoc='<p>x'></iframe>",
    `- iframe "Payment" [ref=e1]`,
  ],
  [
    "hidden parts with controls are a fold, without none",
    "<div aria-hidden=true><button>A</button><input><i>x</i></div><div aria-hidden=true>no</div><div inert><a href=x>x</a></div><p>y",
    "- … hidden from assistive technology: 2 controls [expand with browser_snapshot ref=e1]\n- … hidden from assistive technology: 1 control [expand with browser_snapshot ref=e2]\n- paragraph: y",
  ],
  [
    "behind a modal dialog there is one fold",
    "<main><button>A</button><dialog id=d aria-label=Sure><button>Yes</button></dialog></main><button>B</button><script>d.showModal()</script>",
    `- main:\n  - dialog "Sure":\n    - button "Yes" [active] [ref=e1]\n- … hidden from assistive technology: 2 controls [expand with browser_snapshot ref=e2]`,
  ],
  [
    "a label stands for a control that cannot be seen",
    "<label><input type=checkbox style='display:none'>Dark</label>",
    `- checkbox "Dark" [ref=e1]`,
  ],
  [
    "what a slot shows stands where it is shown, what it does not is left out",
    "<div><template shadowrootmode=open><h2>Shadow</h2><slot name=a></slot></template><button slot=a>In</button><button>Out</button></div>",
    `- heading "Shadow" [level=2]\n- button "In" [ref=e1]`,
  ],
  [
    "a header that is pressed is called by its text, also where that is pressed too",
    "<div role=grid><div role=row><div role=columnheader tabindex=0 aria-sort=none><span onclick=1>Price</span></div><div role=columnheader tabindex=0>Name</div></div></div>",
    `- grid:\n  - row:\n    - columnheader "Price" [ref=e1]:\n      - generic [ref=e2]: Price\n    - columnheader [ref=e3]: Name`,
  ],
  [
    "owned elements stand under their owner, in its order",
    "<ul aria-owns='b a'><li>own</ul><div id=a role=listitem>A</div><div id=b role=listitem>B</div>",
    "- list:\n  - listitem: own\n  - listitem: B\n  - listitem: A",
  ],
  [
    "a field owns nothing: what it names stands where it stands",
    "<input aria-label=Day aria-owns=c><textarea aria-label=Note aria-owns=d></textarea><p id=c>May</p><p id=d>June</p>",
    `- textbox "Day" [ref=e1]\n- textbox "Note" [ref=e2]\n- paragraph: May\n- paragraph: June`,
  ],
  [
    "nor does an editor",
    "<div contenteditable role=textbox aria-label=Note aria-owns=a>to </div><ul id=a><li>Ann</ul>",
    `- textbox "Note" [ref=e1]: to\n- list:\n  - listitem: Ann`,
  ],
  [
    "generated content is text",
    "<style>.p::before{content:'from '}</style><p class=p>$5</p>",
    "- paragraph: from $5",
  ],
  [
    "generated content and cursors in shadow roots too",
    "<div><template shadowrootmode=open><style>b::before{content:'*'}i{cursor:pointer}</style><b>x</b> <i>y</i></template></div>",
    "- text: *x\n- generic [ref=e1]: y",
  ],
  [
    "an icon font's characters are not",
    "<style>i::before{content:'\\e900'}</style><p><i></i>Save</p>",
    "- paragraph: Save",
  ],
  ["empty parts are not said", "<p></p><ul></ul><section></section><div></div><svg><path d=''/></svg>", ""],
  [
    "an image without text is, one that is decoration is not",
    "<img src=x><img alt='' src=x><svg role=img aria-label=Logo></svg><svg><title>Icon</title></svg>",
    `- img\n- img "Logo"\n- img "Icon"`,
  ],
  [
    "landmarks, tables and dialogs carry their names",
    "<nav aria-label=Main><a href=/>Home</a></nav><table><caption>Orders</caption><tr><th scope=col aria-sort=ascending>Id</table><div role=dialog aria-labelledby=t><h2 id=t>Sure?</h2></div>",
    `- navigation "Main":\n  - link "Home" [ref=e1] [url=/]\n- table "Orders":\n  - caption: Orders\n  - rowgroup:\n    - row:\n      - columnheader [sort=ascending]: Id\n- dialog "Sure?":\n  - heading "Sure?" [level=2]`,
  ],
];

for (const [said, html, text] of cases) {
  test(said, async () => {
    assert.equal(await bridge.treeOf(`<!doctype html><body>${html}`), text);
  });
}

test("an unreadable sheet still sets cursors and pointer events", async () => {
  const css = ".c{cursor:pointer} .n{pointer-events:none} .p::before{content:'more '}";
  const sheet = bridge.elsewhere(css, "text/css");
  assert.equal(
    await bridge.treeOf(
      `<!doctype html><link rel=stylesheet href="${sheet}"><body><div class=c>Open</div><button class=n>No</button><button class=p>x</button>`,
    ),
    `- generic [ref=e1]: Open\n- button "No"\n- button "more x" [ref=e2]`,
  );
});

test("a frame's refs have its prefix, written and read", async () => {
  await bridge.open("<button>A</button><div aria-hidden=true><button>x</button></div>");
  await bridge.call("setPrefix", "f2_");
  assert.equal(
    await bridge.tree(),
    `- button "A" [ref=f2_e1]\n- … hidden from assistive technology: 1 control [expand with browser_snapshot ref=f2_e2]`,
  );
  assert.equal((await bridge.call("resolve", "f2_e1")).state, "present");
  for (const ref of ["e1", "f1_e1", "f2_", "f2_f2_e1"])
    assert.equal((await bridge.call("resolve", ref)).state, "unknown", ref);
});

test("frames are reported with line and level", async () => {
  await bridge.open("<main><p>x</p><iframe title=P srcdoc=x></iframe></main>");
  const { text, frames } = await bridge.call("tree", {});
  assert.deepEqual(frames, [{ line: 2, level: 1, ref: "e1", isLocal: false }]);
  assert.equal(text.split("\n")[2], `  - iframe "P" [ref=e1]`);
});

test("a depth closes the deeper parts and gives the ref that opens them", async () => {
  await bridge.open("<ul><li><a href=/a>A</a><li><a href=/b>B</a></ul>");
  const closed = await bridge.tree({ depth: 1 });
  assert.equal(
    closed,
    `- list:
  - listitem [ref=e3]:
    - … 1 more [expand with browser_snapshot ref=e3]
  - listitem [ref=e4]:
    - … 1 more [expand with browser_snapshot ref=e4]`,
  );
  assert.equal(await bridge.tree({ ref: "e4" }), `- listitem:\n  - link "B" [ref=e2] [url=/b]`);
});

test("interactiveOnly keeps operable elements, headings, and landmarks that are not empty", async () => {
  await bridge.open("<main><h1>T</h1><p>text</p><ul><li><a href=/a>A</a></ul></main><aside><p>x</aside>");
  assert.equal(
    await bridge.tree({ interactiveOnly: true }),
    `- main:\n  - heading "T" [level=1]\n  - link "A" [ref=e1] [url=/a]`,
  );
});

test("a folded part opens by its ref until it is removed", async () => {
  await bridge.open("<div id=d aria-hidden=true><button>A</button></div>");
  await bridge.tree();
  assert.equal(await bridge.tree({ ref: "e1" }), `- button "A" [ref=e2]`);
  await bridge.run("document.getElementById('d')?.remove()");
  const { text, missing } = await bridge.call("tree", { ref: "e1" });
  assert.deepEqual({ text, missing }, { text: "", missing: "removed" });
  assert.equal((await bridge.call("tree", { ref: "e99" })).missing, "unknown");
});
