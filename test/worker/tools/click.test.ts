// Tests browser_click: trusted clicks on elements that can be hit, and refusals that say why others cannot.
import assert from "node:assert/strict";
import { test } from "node:test";
import { refOf, stage } from "../../harness/worker.ts";

const { worker, site } = await stage();

/** A button that shows in the page how it was clicked. */
const telling = (name: string) =>
  `<button onclick="out.textContent='${name} trusted='+event.isTrusted+' detail='+event.detail">${name}</button><output id=out></output>`;

test("a click is trusted and its reply shows what changed", async () => {
  await using session = worker.session();
  const page = await session.open(site.page(telling("Press")));
  const { text, page: info } = await session.do("browser_click", { ref: refOf(page, "Press") });
  assert.match(text, /^Clicked e1 button "Press"/);
  assert.match(text, /Press trusted=true detail=1/);
  assert.equal(info?.tab, "t1");
});

test("a double click arrives as one, and a right click opens the page's own menu", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(
      `<button ondblclick="out.textContent='double'" oncontextmenu="out.textContent='menu shift='+event.shiftKey">Press</button><output id=out></output>`,
    ),
  );
  const ref = refOf(page, "Press");
  assert.match((await session.do("browser_click", { ref, doubleClick: true })).text, /double/);
  const right = await session.do("browser_click", { ref, button: "right", modifiers: ["shift"] });
  assert.match(right.text, /menu shift=true/);
});

test("an element far down in nested scrollers is scrolled into view and hit", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(
      `<div style="height:3000px">top</div><div style="height:200px;overflow:auto"><div style="height:1500px"></div><div style="width:200px;overflow:auto"><div style="width:2000px;height:1px"></div><div style="width:2000px;text-align:right">${telling("Deep")}</div></div></div>`,
    ),
  );
  const { text } = await session.do("browser_click", { ref: refOf(page, "Deep") });
  assert.match(text, /Deep trusted=true/);
});

test("an element in frames of this and of another site is hit at its place", async () => {
  await using session = worker.session();
  const inner = site.page(`<div style="height:900px">inner</div>${telling("Inside")}`);
  const middle = site.page(
    `<div style="height:700px">middle</div><iframe title=inner src="${inner}" style="transform:scale(.8);border:7px solid"></iframe>`,
  );
  const page = await session.open(
    site.page(
      `<div style="height:1200px">outer</div><iframe title=middle src="${site.elsewhere(middle)}" style="height:150px"></iframe>`,
    ),
  );
  const ref = refOf(page, "Inside");
  assert.match(ref, /^f\d+_e\d+$/);
  const { text } = await session.do("browser_click", { ref });
  assert.match(text, /Inside trusted=true/);
});

test("a cover over the element is named, and nothing is clicked", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(
      `${telling("Under")}<div role=dialog aria-label="Cookies" style="position:fixed;inset:0;background:#fff"><button onclick="this.parentNode.remove()">Accept</button></div>`,
    ),
  );
  const ref = refOf(page, "Under");
  const refusal = await session.refuse("ELEMENT_COVERED", "browser_click", { ref });
  assert.match(refusal.text, /Covered by: dialog "Cookies"/);
  await session.do("browser_click", { ref: refOf(page, "Accept") });
  assert.match((await session.do("browser_click", { ref })).text, /Under trusted=true/);
});

test("an iframe under another element of its page is covered too", async () => {
  await using session = worker.session();
  const inner = site.elsewhere(site.page(telling("Inside")));
  const page = await session.open(
    site.page(
      `<iframe title=F src="${inner}"></iframe><div style="position:fixed;inset:0" aria-label="Veil" role=dialog>veil</div>`,
    ),
  );
  const { text } = await session.refuse("ELEMENT_COVERED", "browser_click", { ref: refOf(page, "Inside") });
  assert.match(text, /Veil/);
});

test("disabled elements, also by their fieldset, are refused until they are enabled", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(
      `<fieldset id=set disabled><legend>Set</legend>${telling("Send")}</fieldset><button disabled>Off</button><button onclick="set.disabled=false">Enable</button>`,
    ),
  );
  await session.refuse("ELEMENT_DISABLED", "browser_click", { ref: refOf(page, "Off") });
  const ref = refOf(page, "Send");
  const refusal = await session.refuse("ELEMENT_DISABLED", "browser_click", { ref });
  assert.equal(refusal.details.role, "button");
  await session.do("browser_click", { ref: refOf(page, "Enable") });
  assert.match((await session.do("browser_click", { ref })).text, /Send trusted=true/);
});

test("an element hidden after its delivery is refused, and is hit when it is shown again", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(
      `<div id=menu>${telling("Item")}</div><button onclick="menu.hidden=!menu.hidden">Toggle</button>`,
    ),
  );
  const ref = refOf(page, "Item");
  await session.do("browser_click", { ref: refOf(page, "Toggle") });
  await session.refuse("ELEMENT_NOT_VISIBLE", "browser_click", { ref });
  await session.do("browser_click", { ref: refOf(page, "Toggle") });
  await session.do("browser_click", { ref });
});

test("the reply shows the result of the click's fetch, however slow it is", async () => {
  await using session = worker.session();
  const slow = site.hold();
  const page = await session.open(
    site.page(
      `<button onclick="fetch('${slow.url}').then(r=>r.text()).then(t=>out.textContent=t)">Load</button><p id=out>nothing</p>`,
    ),
  );
  const clicked = session.do("browser_click", { ref: refOf(page, "Load") });
  await slow.asked();
  slow.release("brought by fetch");
  assert.match((await clicked).text, /brought by fetch/);
});

test("a page that polls and animates for ever delays no action", async () => {
  await using session = worker.session();
  const polled = site.page("polled");
  const page = await session.open(
    site.page(
      `<p id=tick>0</p><button onclick="out.textContent='done'">Do</button><p id=out></p>
      <script>(async function poll() { for (;;) { await fetch('${polled}'); await new Promise(r => setTimeout(r, 20)); } })();
      (function animate() { tick.textContent++; requestAnimationFrame(animate); })();</script>`,
    ),
  );
  const before = site.count(polled);
  const { text } = await session.do("browser_click", { ref: refOf(page, "Do") });
  assert.match(text, /paragraph: done/);
  // An action's bound of 3 s holds at most 150 polls.
  assert.ok(site.count(polled) - before < 200, `${site.count(polled) - before} polls went by`);
});

test("a click on a link replies with the page that it leads to", async () => {
  await using session = worker.session();
  const next = site.page("<title>Next</title><h1>The next page</h1>");
  const page = await session.open(site.page(`<a href="${next}">Go</a>`));
  const { text, page: info } = await session.do("browser_click", { ref: refOf(page, "Go") });
  assert.match(text, /heading "The next page"/);
  assert.equal(info?.url, next);
  assert.equal(info?.title, "Next");
});

test("links without a page delay no action: mailto, no content, a download", async () => {
  await using session = worker.session();
  const nothing = site.page("", { status: 204 });
  const file = site.page("a,b", {
    headers: { "content-type": "text/csv", "content-disposition": 'attachment; filename="list.csv"' },
  });
  const page = await session.open(
    site.page(
      `<a href="mailto:a@b.c">Mail</a><a href="${nothing}">Nothing</a><a href="${file}">File</a><a href="javascript:void 0">Script</a><a href="#part">Part</a><p id=part>the part</p>`,
    ),
  );
  for (const name of ["Mail", "Nothing", "Script", "Part"]) {
    const { text } = await session.do("browser_click", { ref: refOf(page, name) }, { deadlineMs: 8_000 });
    assert.match(text, new RegExp(`Clicked e\\d+ link "${name}"`));
  }
  const { text } = await session.do("browser_click", { ref: refOf(page, "File") }, { deadlineMs: 8_000 });
  assert.match(text, /Download: d1 "list\.csv"/);
});

test("a change of the address within its document is reported", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(
      `<title>Shop</title><button onclick="history.pushState({},'','?page=2');document.title='Shop 2';out.textContent='Page two'">Next</button><main id=out>Page one</main>`,
    ),
  );
  const { text, page: info } = await session.do("browser_click", { ref: refOf(page, "Next") });
  assert.match(text, /Page two/);
  assert.match(text, /"Shop 2" http:\S+\?page=2/);
  assert.match(info?.url ?? "", /\?page=2$/);
  assert.equal(info?.title, "Shop 2");
});
