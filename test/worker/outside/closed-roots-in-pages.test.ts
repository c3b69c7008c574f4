// Tests that closed shadow roots are part of the tree like open ones, on any host and at any time.
import assert from "node:assert/strict";
import { test } from "node:test";
import { refOf, stage } from "../../harness/worker.ts";

const { worker, site } = await stage();

const closed = (host: string, content: string) =>
  `${host}.attachShadow({ mode: "closed" }).innerHTML = ${JSON.stringify(content)}`;
const CARD = `<section id=card><h2>Card</h2><slot name=title></slot><label>Amount <input></label><p>0</p><button>Buy</button><slot></slot></section>`;
const LISTEN = `const root = host.attachShadow({ mode: "closed" }); root.innerHTML = ${JSON.stringify(CARD)};
  root.querySelector("button").onclick = () => { root.querySelector("p").textContent = "bought " + root.querySelector("input").value; };`;

test("the content of a closed shadow root is read, found, acted on and reported", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(
      `<div id=host><b slot=title>Lamp</b> a light <i>slotted</i></div><script>{ const host = document.getElementById("host"); ${LISTEN} }</script>`,
    ),
  );
  assert.match(
    page,
    /heading "Card".*\n.*Lamp(?:.*\n)*.*textbox "Amount" \[ref=e\d+\]\n.*paragraph: 0\n.*button "Buy" \[ref=e\d+\]\n.*slotted/,
  );
  const amount = refOf(page, "Amount");
  await session.do("browser_type", { ref: amount, text: "3" });
  const buy = refOf(page, "Buy");
  const { text } = await session.do("browser_click", { ref: buy });
  assert.match(text, /^changed since/m);
  assert.match(text, /paragraph: bought 3/);
  assert.match((await session.do("resolve_container", { ref: buy })).text, /<section> id="card"/);
  assert.match(
    (await session.do("browser_find", { text: "bought" })).text,
    /paragraph \[ref=e\d+\]: bought 3/,
  );
  await session.do("browser_wait_for", { text: "bought 3" });
});

test("closed roots in other roots, in frames, of custom elements and of templates are read", async () => {
  await using session = worker.session();
  const inner = site.page(
    `<p id=in></p><script>${closed("document.getElementById('in')", "<button>In frame</button>")}</script>`,
  );
  const text = await session.open(
    site.page(
      `<div id=a></div><x-card></x-card><div><template shadowrootmode=closed><button>Declared</button></template></div>
      <x-words></x-words><iframe title=same src="${inner}"></iframe><iframe title=other src="${site.elsewhere(inner)}"></iframe><script>
      const root = a.attachShadow({ mode: "closed" });
      root.innerHTML = "<span></span><button>Outer</button>";
      const inside = root.querySelector("span").attachShadow({ mode: "open" });
      inside.innerHTML = "<section></section>";
      ${closed("inside.firstChild", "<button>Inmost</button>")};
      customElements.define("x-card", class extends HTMLElement { constructor() { super(); ${closed("this", "<button>Custom</button>")} } });
      customElements.define("x-words", class extends HTMLElement { constructor() { super(); ${closed("this", "nothing but words")} } });
      </script>`,
    ),
  );
  assert.match(text, /nothing but words/);
  for (const name of ["Outer", "Inmost", "Custom", "Declared"])
    assert.match(text, new RegExp(`button "${name}" \\[ref=e`));
  assert.equal(text.match(/button "In frame" \[ref=f\d_e1\]/g)?.length, 2);
});

test("closed roots that come later appear as changes", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(
      `<button onclick='${closed("host", "<p>Attached</p>")}'>Attach</button><button onclick='const el = document.createElement("div"); ${closed("el", "<p>Added</p>")}; document.body.append(el)'>Add</button>
      <button onclick='customElements.define("x-late", class extends HTMLElement { constructor() { super(); ${closed("this", "<p>Upgraded</p>")} } })'>Define</button><div id=host></div><x-late></x-late>`,
    ),
  );
  for (const [button, said] of [
    ["Attach", "Attached"],
    ["Add", "Added"],
    ["Define", "Upgraded"],
  ] as const) {
    const { text } = await session.do("browser_click", { ref: refOf(page, button) });
    assert.match(text, new RegExp(`paragraph: ${said}`));
  }
});

test("in a large document, custom elements are asked for their roots", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(
      `<button onclick='box.prepend(document.createElement("x-card"))'>Add</button><div id=box></div><script>
      customElements.define("x-card", class extends HTMLElement { constructor() { super(); ${closed("this", "<button>Custom</button><x-inner></x-inner>")} } });
      customElements.define("x-inner", class extends HTMLElement { constructor() { super(); ${closed("this", "<button>Inner</button>")} } });
      box.innerHTML = "<x-card></x-card>" + "<p>line</p>".repeat(6_000);
      </script>`,
    ),
  );
  assert.match(page, /button "Custom" \[ref=e\d+\]\n- button "Inner" \[ref=e\d+\]/);
  const { text } = await session.do("browser_click", { ref: refOf(page, "Add") });
  assert.match(text, /^changed since/m);
  assert.match(text, /button "Custom".*\n.*button "Inner"/);
});

for (const others of [600, 1_600]) {
  test(`all custom elements of a large document are asked, beside ${others} without a root`, async () => {
    await using session = worker.session();
    const page = await session.open(
      site.page(
        `<div id=box></div><script>
        customElements.define("x-card", class extends HTMLElement { constructor() { super(); ${closed("this", "<button>Custom</button>")} } });
        box.innerHTML = "<x-plain></x-plain>".repeat(${others}) + "<x-card></x-card>" + "<p>line</p>".repeat(5_000);
        </script>`,
      ),
    );
    assert.match(page, /button "Custom" \[ref=e\d+\]/);
  });
}

test("texts like tags, hidden components and ever-changing pages do not count as closed roots", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(
      `<button onclick="n.textContent = 'clicked'">Go</button><p id=n></p><!-- </p> --><pre>&lt;/div&gt;</pre><script>"</p>"</script><div id=hidden style="display:none"></div>
      <script>hidden.attachShadow({ mode: "open" }).innerHTML = "<p>hidden</p>"; setInterval(() => { const p = document.createElement("p"); document.body.append(p); setTimeout(() => p.remove(), 3); }, 2)</script>`,
    ),
  );
  assert.match((await session.do("browser_click", { ref: refOf(page, "Go") })).text, /clicked/);
  assert.match(await session.read(), /button "Go"/);
});
