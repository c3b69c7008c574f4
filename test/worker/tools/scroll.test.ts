// Tests browser_scroll on regions, virtual lists and infinite ones, and its report on their end.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../../proto/wire/struct.ts";
import { refOf, stage } from "../../harness/worker.ts";

const { worker, site } = await stage();

const TALL = `<h1>Top</h1><div style="height:3000px"></div><button id=bottom>Bottom</button>`;

test("the page scrolls by nearly its visible height, and the reply says how much is left", async () => {
  await using session = worker.session();
  await session.open(site.page(TALL));
  const down = await session.do("browser_scroll", { direction: "down" });
  assert.match(down.text, /^Scrolled the page down by \d\d\d px; [\d,]+ px are left/);
  assert.ok(Number(down.left) > 0);
  const exact = await session.do("browser_scroll", { direction: "down", amount: 100 });
  assert.equal(exact.moved, 100);
  assert.equal(exact.left, Number(down.left) - 100);
  const end = await session.do("browser_scroll", { direction: "down", amount: 100_000 });
  assert.match(end.text, /it is at its end there/);
  const more = await session.do("browser_scroll", { direction: "down" });
  assert.match(more.text, /^Did not scroll the page down: it is at its end there/);
  assert.equal((await session.do("browser_scroll", { direction: "up", amount: 100_000 })).left, 0);
});

test("a region scrolls by its ref, by that of its content, or without one if the page cannot scroll", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(`<body style="margin:0;height:100vh;overflow:hidden"><div style="height:2000px"></div></body>
      <div role=region aria-label=Orders tabindex=0 style="position:fixed;inset:0;height:300px;overflow:auto"><button>Row</button><div style="height:1500px"></div></div>`),
  );
  const places: JsonObject[] = [{ ref: refOf(page, "Orders") }, { ref: refOf(page, '"Row"') }, {}];
  for (const args of places) {
    const { text } = await session.do("browser_scroll", { direction: "down", amount: 100, ...args });
    assert.match(text, /^Scrolled e\d+ region "Orders" down by 100 px/);
  }
  const { text } = await session.do("browser_scroll", { direction: "right", ref: refOf(page, "Orders") });
  assert.match(text, /nothing here scrolls by itself/);
});

test("a region that can only scroll scrolls by the ref that the snapshot gives it", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(`<style>.log{height:100px;overflow-y:auto}</style><div style="height:3000px"></div>
      <div class=log><p>First</p><div style="height:1500px"></div></div>`),
  );
  const ref = refOf(page, "- generic [scrollable]");
  const { text } = await session.do("browser_scroll", { direction: "down", amount: 100, ref });
  assert.match(text, new RegExp(`^Scrolled ${ref} generic "First" down by 100 px`));
});

test("a list that draws only its visible part reports what came", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(`<div id=list role=list aria-label=Items tabindex=0 style="height:100px;overflow:auto;position:relative"></div><script>
      const draw = () => {
        const first = Math.floor(list.scrollTop / 20);
        list.innerHTML = '<div style="height:10000px"></div>' + Array.from({ length: 6 }, (_, i) => '<div role=listitem style="position:absolute;top:' + (first + i) * 20 + 'px">Item ' + (first + i) + '</div>').join('');
      };
      list.onscroll = draw; draw();</script>`),
  );
  const { text } = await session.do("browser_scroll", {
    direction: "down",
    amount: 400,
    ref: refOf(page, "Items"),
  });
  assert.match(text, /Item 20/);
});

test("content that loads at the end is awaited and reported, and moves the end", async () => {
  await using session = worker.session();
  const more = site.hold();
  await session.open(
    site.page(`<ul id=list><li style="height:2000px">Post 1</li></ul><div id=end>End</div><script>
      let at = 1;
      new IntersectionObserver(async ([entry]) => {
        if (!entry.isIntersecting || at > 1) return;
        at = 2;
        const text = await (await fetch('${more.url}')).text();
        list.insertAdjacentHTML('beforeend', '<li style="height:2000px">' + text + '</li>');
      }).observe(end);</script>`),
  );
  const scrolling = session.do("browser_scroll", { direction: "down", amount: 100_000 });
  await more.asked();
  more.release("Post 2");
  const { text, left } = await scrolling;
  assert.match(text, /listitem: Post 2/);
  assert.ok(Number(left) > 1_000, text);
});

test("if nothing scrolls by itself, the wheel turns", async () => {
  await using session = worker.session();
  await session.open(
    site.page(`<body style="margin:0;overflow:hidden"><p id=slide>Slide 1</p><script>
      addEventListener('wheel', ({ deltaY, isTrusted }) => { slide.textContent = 'Slide ' + (deltaY > 0 ? 2 : 0) + isTrusted; });</script>`),
  );
  const { text } = await session.do("browser_scroll", { direction: "down" });
  assert.match(text, /^Turned the wheel down/);
  assert.match(text, /Slide 2true/);
});
