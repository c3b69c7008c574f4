// Tests browser_hover: the pointer stays where it was moved to, and the reply says what that brought.
import assert from "node:assert/strict";
import { test } from "node:test";
import { refOf, stage } from "../../harness/worker.ts";

const { worker, site } = await stage();

const MENU = `<style>.sub{display:none} .menu:hover .sub{display:block}</style>
  <nav class=menu><button>Products</button><ul class=sub><li><a href="#shoes" onclick="out.textContent='shoes'">Shoes</a></ul></nav>
  <p style="margin-top:200px"><button>Elsewhere</button></p><output id=out></output>`;

test("a menu that opens under the pointer is in the reply, and its links can be clicked", async () => {
  await using session = worker.session();
  const page = await session.open(site.page(MENU));
  assert.doesNotMatch(page, /Shoes/);
  const { text, element } = await session.do("browser_hover", { ref: refOf(page, "Products") });
  assert.match(text, /^Pointed at e1 button "Products"\n/);
  assert.match(text, /link "Shoes"/);
  assert.deepEqual(element, { ref: "e1", role: "button", name: "Products", tag: "button" });
  const { text: clicked } = await session.do("browser_click", { ref: refOf(text, "Shoes") });
  assert.match(clicked, /status: shoes/);
  const left = await session.do("browser_hover", { ref: refOf(page, "Elsewhere") });
  assert.match(left.text, /removed[\s\S]*Shoes|^~?-? ?[\s\S]*link "Shoes" .*removed/);
});

test("a tooltip that a timer shows is in the reply", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(`<button id=b>Save</button><script>
      let moves = 0;
      b.addEventListener('mousemove', () => {
        if (++moves < 2) return;
        setTimeout(() => {
          if (!document.querySelector('[role=tooltip]')) b.insertAdjacentHTML('afterend', '<p role=tooltip>Saves all</p>');
        }, 300);
      });</script>`),
  );
  const { text } = await session.do("browser_hover", { ref: refOf(page, "Save") });
  assert.match(text, /tooltip.*Saves all/);
});

test("an element in a frame of another site can be pointed at", async () => {
  await using session = worker.session();
  const inner = site.elsewhere(site.page(MENU));
  const page = await session.open(
    site.page(`<p style="height:40px"></p><iframe src="${inner}" title=Shop></iframe>`),
  );
  const { text } = await session.do("browser_hover", { ref: refOf(page, "Products") });
  assert.match(text, /link "Shoes"/);
});

test("a disabled button can be pointed at, a covered or hidden element cannot", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(`<style>#why{display:none} #off:hover + #why{display:block}</style>
      <button id=off disabled>Buy</button><p id=why>Sold out</p>
      <div style="position:relative"><button>Under</button><div style="position:absolute;inset:0;background:red">Cover</div></div>
      <button id=gone>Going</button>`),
  );
  const { text } = await session.do("browser_hover", { ref: refOf(page, '"Buy"') });
  assert.match(text, /Sold out/);
  await session.refuse("ELEMENT_COVERED", "browser_hover", { ref: refOf(page, '"Under"') });
  await session.refuse("UNKNOWN_REF", "browser_hover", { ref: "e99" });
});

test("a dialog that the pointer opens is a consequence", async () => {
  await using session = worker.session();
  const page = await session.open(site.page(`<button onmouseenter="alert('Boo')">Ghost</button>`));
  const { text } = await session.do("browser_hover", { ref: refOf(page, "Ghost") });
  assert.match(text, /^Pointed at e1 button "Ghost"\n.*alert.*Boo/);
  await session.do("browser_handle_dialog", { accept: true });
});
