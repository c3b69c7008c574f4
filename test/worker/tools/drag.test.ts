// Tests browser_drag: by the pointer, by the browser's own drag and drop, and on pages that refuse or disturb it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { refOf, stage } from "../../harness/worker.ts";

const { worker, site } = await stage();

/** Cards that the pointer carries, as in most libraries: the page learns from the pointer's events alone. */
const POINTER = `<style>.box{width:150px;height:60px;margin:30px;background:#ddd}</style>
  <div class=box role=button tabindex=0 id=card>Card</div><div class=box role=group tabindex=0 aria-label=Bin id=bin>Bin</div>
  <output id=out></output><script>
    let moves = 0, held = false;
    card.onpointerdown = (e) => { held = true; card.setPointerCapture(e.pointerId); };
    card.onpointermove = (e) => { if (held) moves++; };
    card.onpointerup = (e) => {
      held = false;
      const under = document.elementsFromPoint(e.clientX, e.clientY).includes(document.getElementById('bin'));
      out.textContent = (under ? 'in the bin' : 'elsewhere') + (moves >= 5 ? ', smoothly' : ', at once') + ', trusted ' + e.isTrusted;
    };</script>`;

test("a card that follows the pointer is dropped on the bin", async () => {
  await using session = worker.session();
  const page = await session.open(site.page(POINTER));
  const [from, to] = [refOf(page, "Card"), refOf(page, "Bin")];
  const { text, element } = await session.do("browser_drag", { from, to });
  assert.match(text, /^Dragged e\d+ button "Card" to e\d+ group "Bin"\n/);
  assert.match(text, /status: in the bin, smoothly, trusted true/);
  assert.deepEqual(element, { ref: from, role: "button", name: "Card", tag: "div" });
});

/** A list that the browser's own drag and drop sorts. */
const NATIVE = (more = "") => `<style>li{width:200px;height:30px}</style>
  <ul aria-label=Tasks>${["One", "Two", "Three"].map((name) => `<li draggable=true tabindex=0>${name}</li>`).join("")}</ul>
  <p id=zone tabindex=0 role=button style="height:60px;background:#eee">Zone</p><output id=log></output><script>
    let dragged;
    const list = document.querySelector('ul');
    const note = (word) => (log.textContent += ' ' + word);
    list.ondragstart = (e) => { dragged = e.target; e.dataTransfer.setData('text/plain', dragged.textContent); note('start'); };
    list.ondragover = (e) => e.preventDefault();
    list.ondrop = (e) => { e.preventDefault(); e.target.after(dragged); note('drop:' + e.dataTransfer.getData('text/plain') + ':' + e.isTrusted); };
    document.addEventListener('dragend', (e) => note('end:' + e.dataTransfer.dropEffect));
    ${more}</script>`;

test("an element with draggable is dropped by the browser's own drag and drop", async () => {
  await using session = worker.session();
  const page = await session.open(site.page(NATIVE()));
  const { text } = await session.do("browser_drag", { from: refOf(page, "One"), to: refOf(page, "Three") });
  assert.match(text, /^Dragged e1 listitem to e3 listitem\n/);
  assert.match(await session.read(), /Two[\s\S]*Three[\s\S]*One[\s\S]*start drop:One:true end:(?:move|copy)/);
  const again = await session.do("browser_drag", { from: refOf(page, "Three"), to: refOf(page, "Two") });
  assert.match(again.text, /drop:Three:true/);
  // A place without a ref in the snapshot is found by its text.
  const found = await session.do("browser_find", { text: "Two" });
  const third = await session.do("browser_drag", { from: refOf(page, "One"), to: refOf(found.text, "Two") });
  assert.match(third.text, /drop:One:true end:\w+ start drop:Three:true end:\w+ start drop:One/);
});

test("a place that takes no drop is named, and the next drag works", async () => {
  await using session = worker.session();
  const page = await session.open(site.page(NATIVE()));
  const refused = await session.do("browser_drag", { from: refOf(page, "One"), to: refOf(page, "Zone") });
  assert.match(refused.text, /^Dragged .* to e\d+ button "Zone": the page takes no drop there\n/);
  assert.match(refused.text, /start end:none/);
  const { text } = await session.do("browser_drag", { from: refOf(page, "One"), to: refOf(page, "Three") });
  assert.match(text, /drop:One/);
});

test("a page that prevents the browser's drag goes on with the pointer", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(
      POINTER.replace(
        "let moves",
        "card.draggable = true; ondragstart = (e) => e.preventDefault(); let moves",
      ),
    ),
  );
  const { text } = await session.do("browser_drag", { from: refOf(page, "Card"), to: refOf(page, "Bin") });
  assert.match(text, /in the bin, smoothly/);
});

test("a link, which the browser drags only after a longer way, is dropped too", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(`<a href="https://shop.example/">Shop</a><div style="margin-top:200px;height:80px" role=group tabindex=0 aria-label=Links id=zone></div>
      <output id=log></output><script>zone.ondragover = (e) => e.preventDefault();
      zone.ondrop = (e) => { e.preventDefault(); log.textContent = 'got ' + e.dataTransfer.getData('text/uri-list'); };</script>`),
  );
  const { text } = await session.do("browser_drag", { from: refOf(page, "Shop"), to: refOf(page, "Links") });
  assert.match(text, /got https:\/\/shop\.example\//);
});

test("elements in a frame of another site are dragged there, and not between sites", async () => {
  await using session = worker.session();
  const inner = site.elsewhere(site.page(NATIVE()));
  const page = await session.open(
    site.page(`<button>Outside</button><iframe src="${inner}" title=Tasks width=400 height=400></iframe>`),
  );
  const from = refOf(page, "One");
  const { text } = await session.do("browser_drag", { from, to: refOf(page, "Three") });
  assert.match(text, /drop:One:true/);
  const refusal = await session.refuse("INVALID_ARGUMENT", "browser_drag", {
    from,
    to: refOf(page, "Outside"),
  });
  assert.match(refusal.text, /frames of different sites/);
});

test("a target that goes away during the drag is stale, and nothing stays pressed", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(
      `${POINTER}<script>card.addEventListener('pointermove', () => held && document.getElementById('bin')?.remove())</script><button>Other</button>`,
    ),
  );
  await session.refuse("STALE_REF", "browser_drag", { from: refOf(page, "Card"), to: refOf(page, "Bin") });
  const { text } = await session.do("browser_click", { ref: refOf(page, "Other") });
  assert.match(text, /^Clicked/);
  assert.match(await session.read(), /status: elsewhere/);
});

test("a dialog during the drag or at the drop is a consequence", async () => {
  await using session = worker.session();
  const page = await session.open(site.page(NATIVE("list.addEventListener('drop', () => alert('Dropped'))")));
  const dropped = await session.do("browser_drag", { from: refOf(page, "One"), to: refOf(page, "Three") });
  assert.match(dropped.text, /^Dragged [\s\S]*alert.*Dropped/);
  await session.do("browser_handle_dialog", { accept: true });
  const second = await session.open(
    site.page(POINTER.replace("if (held) moves++;", "if (held && moves++ === 3) alert('Stop');")),
  );
  const begun = await session.do("browser_drag", { from: refOf(second, "Card"), to: refOf(second, "Bin") });
  assert.match(begun.text, /^Began to drag [\s\S]*alert.*Stop/);
  await session.do("browser_handle_dialog", { accept: true });
  assert.match((await session.do("browser_click", { ref: refOf(second, "Card") })).text, /^Clicked/);
});

test("wrong elements are refused before anything moves", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(`<div style="position:relative"><button>Under</button><div style="position:absolute;inset:0;background:red">Cover</div></div>
      <button disabled>Off</button><button onpointerdown="out.textContent='pressed'">Free</button><output id=out></output>`),
  );
  const free = refOf(page, "Free");
  const same = await session.refuse("INVALID_ARGUMENT", "browser_drag", { from: free, to: `[ref=${free}]` });
  assert.match(same.text, /from and to are the same element/);
  await session.refuse("UNKNOWN_REF", "browser_drag", { from: free, to: "e99" });
  await session.refuse("ELEMENT_COVERED", "browser_drag", { from: free, to: refOf(page, "Under") });
  await session.refuse("ELEMENT_DISABLED", "browser_drag", { from: refOf(page, "Off"), to: free });
  assert.doesNotMatch(await session.read(), /pressed/);
});
