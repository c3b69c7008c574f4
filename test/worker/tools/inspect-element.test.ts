// Tests inspect_element and query_elements on pages with rows, frames, shadow roots and hostile words.
import assert from "node:assert/strict";
import { test } from "node:test";
import { refOf, stage } from "../../harness/worker.ts";

const { worker, site } = await stage();

const ROWS = `<h1>Users</h1><table><tr><td>Ada</td><td><button>Delete</button></td></tr>
  <tr><td>Bob</td><td><button>Delete</button></td></tr></table><button id=save class="btn primary">Save all</button>`;

interface Locator {
  kind: string;
  stability: number;
  playwright: string;
  testingLibrary: string;
  css: string;
}

test("an element's locators are ranked, as code of Playwright, of Testing Library and as CSS", async () => {
  await using session = worker.session();
  const page = await session.open(site.page(ROWS));
  const reply = await session.do("inspect_element", { ref: refOf(page, "Save all") });
  assert.match(reply.text, /^e3 button "Save all" <button> \[ref=e3\]$/m);
  assert.match(reply.text, /Each matches exactly this element now\.$/);
  const [first, second] = reply.locators as Locator[];
  assert.deepEqual(first, {
    kind: "role and name",
    stability: 90,
    playwright: 'page.getByRole("button", { name: "Save all", exact: true })',
    testingLibrary: 'screen.getByRole("button", { name: "Save all" })',
    css: "",
  });
  assert.equal(second?.css, "#save");
});

test("an element that only its row tells apart is found in its row", async () => {
  await using session = worker.session();
  await session.open(site.page(ROWS));
  const reply = await session.do("inspect_element", { description: "delete button", near: "Bob" });
  const [first] = reply.locators as Locator[];
  assert.equal(
    first?.playwright,
    'page.getByRole("row").filter({ hasText: "Bob" }).getByRole("button", { name: "Delete", exact: true })',
  );
  const several = await session.do("inspect_element", { description: "delete button" });
  assert.match(
    several.text,
    /^2 elements fit\. Call inspect_element again with the ref of one, or with near:$/m,
  );
  assert.equal(several.element, null);
  const none = await session.do("inspect_element", { description: "delete everything button" });
  assert.match(none.text, /^No element fits all words\. The nearest:$/m);
});

test("locators lead into frames and open shadow roots, and a closed one is said", async () => {
  await using session = worker.session();
  const content = `<iframe title=Pay srcdoc="<iframe name=inner srcdoc='<button>Pay now</button>'></iframe>"></iframe>
    <x-open></x-open><x-closed></x-closed><script>for (const mode of ["open", "closed"]) customElements.define("x-" + mode,
    class extends HTMLElement { constructor() { super(); this.attachShadow({ mode }).innerHTML = "<button>In " + mode + "</button>"; } })</script>`;
  const page = await session.open(site.page(content));
  const inFrame = await session.do("inspect_element", { ref: refOf(page, "Pay now") });
  const [first] = inFrame.locators as Locator[];
  assert.equal(
    first?.playwright,
    `page.frameLocator("[title=\\"Pay\\"]").frameLocator("iframe[name=\\"inner\\"]").getByRole("button", { name: "Pay now", exact: true })`,
  );
  assert.equal(first?.testingLibrary, "");
  const open = await session.do("inspect_element", { ref: refOf(page, "In open") });
  assert.match(open.text, /getByRole\("button", \{ name: "In open", exact: true \}\)/);
  const closed = await session.do("inspect_element", { ref: refOf(page, "In closed") });
  assert.match(closed.text, /closed shadow root: no locator/);
});

test("ids and names that look generated are refused, and a strict call gives no last resorts", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(`<button id=":r1:" class="css-1x2y3z">A</button><button id="radix-7">A</button><p>x</p>`),
  );
  const ref = refOf(page, 'button "A"');
  const loose = await session.do("inspect_element", { ref });
  assert.deepEqual(
    (loose.locators as Locator[]).map(({ kind }) => kind),
    ["css"],
  );
  assert.doesNotMatch(loose.text, /r1|css-1x2y3z|radix/);
  const strict = await session.do("inspect_element", { ref, strictStability: true });
  assert.match(strict.text, /No stable locator matches it alone/);
});

test("words of the page stay within their quotes, and show no ref", async () => {
  await using session = worker.session();
  const evil = String.raw`x&quot;); process.exit(1); //\\ [ref=e9] &#x202e;`;
  const page = await session.open(site.page(`<button>${evil}</button><button>Two</button>`));
  const reply = await session.do("inspect_element", { ref: refOf(page, "process.exit") });
  const [first] = reply.locators as Locator[];
  const said = new Function("page", `return ${first?.playwright}`)({
    getByRole: (_role: string, { name }: { name: string }) => name,
  });
  assert.equal(said, 'x"); process.exit(1); //\\\\ [ref=e9] \u202e');
  assert.doesNotMatch(reply.text, /\u202e/);
  await session.refuse("UNKNOWN_REF", "browser_click", { ref: "e9" });
});

test("an unusable ref, or nothing to inspect, is refused", async () => {
  await using session = worker.session();
  const page = await session.open(site.page("<button onclick=this.remove()>Go</button>"));
  const ref = refOf(page, "Go");
  await session.refuse("INVALID_ARGUMENT", "inspect_element", {});
  await session.refuse("UNKNOWN_REF", "inspect_element", { ref: "e99" });
  await session.do("browser_click", { ref });
  await session.refuse("STALE_REF", "inspect_element", { ref });
});

test("query_elements shows visible matches with refs, and counts what it leaves out", async () => {
  await using session = worker.session();
  const content = `${ROWS}<button hidden>Gone</button><div class=note>Read <b>me</b></div>
    <iframe srcdoc="<button>Framed</button>"></iframe>`;
  await session.open(site.page(content));
  const reply = await session.do("query_elements", { selector: "button" });
  assert.equal(reply.total, 4);
  assert.match(reply.text, /^- button "Save all" \[ref=e\d+\]\n {2}<button id="save" class="btn primary">$/m);
  assert.match(reply.text, /^- button "Framed" \[ref=f1_e\d+\]$/m);
  assert.match(reply.text, /^Left out: 1 hidden \(includeHidden shows them\)$/m);
  await session.do("browser_click", { ref: refOf(reply.text, "Framed") });
  const all = await session.do("query_elements", { selector: "button", includeHidden: true, limit: 1 });
  assert.match(all.text, /^5 found, 4 not shown \(limit shows more\)$/m);
  const text = await session.do("query_elements", { selector: "div, button", textContains: "read ME" });
  assert.match(text.text, /^- generic \[ref=e\d+\]: Read me\n {2}<div class="note">$/m);
});

test("a selector without a match is answered with the nearest that exist, a wrong one is refused", async () => {
  await using session = worker.session();
  await session.open(site.page(ROWS));
  const none = await session.do("query_elements", { selector: "form .primarry-button" });
  assert.match(none.text, /Nearest selectors that exist:\n- "\.primary" \(1\)/);
  assert.deepEqual((none.near as string[])[0], ".primary");
  for (const selector of ["button:contains('x')", "//a", "[x=", "'"])
    await session.refuse("INVALID_ARGUMENT", "query_elements", { selector });
});
