// Tests that clicks hit their targets in every layout, in the page and in frames of every depth.
import assert from "node:assert/strict";
import { test } from "node:test";
import { refOf, stage } from "../../harness/worker.ts";

const { worker, site } = await stage();

const TARGET = "<button id=hit onclick=\"document.title = 'hit'\">Target</button>";
const FAR = "<div style='height:3000px'></div>";

const layouts: Record<string, string> = {
  "turned, scaled and moved": `<div style="transform:translate(80px,60px) rotate(30deg) scale(1.5);width:100px">${TARGET}</div>`,
  "in perspective": `<div style="perspective:200px;width:300px"><div style="transform:rotateY(40deg);width:200px">${TARGET}</div></div>`,
  "in a zoomed part": `<div style="zoom:2.5">${TARGET}</div>`,
  "in a zoomed page": `<style>html{zoom:0.6}</style>${FAR}${TARGET}${FAR}`,
  "below a sticky header": `<header style="position:sticky;top:0;height:90px;background:#ccc">Head</header>${FAR}${TARGET}${FAR}`,
  "above a fixed footer": `<footer style="position:fixed;bottom:0;width:100%;height:60px;background:#ccc">Foot</footer>${FAR}${TARGET}${FAR}`,
  "in a table with a sticky row": `<div style="height:150px;overflow:auto"><table><thead style="position:sticky;top:0;background:#ccc"><tr><th style="height:60px">Head<tbody>${"<tr><td style='height:40px'>x".repeat(40)}<tr><td>${TARGET}${"<tr><td style='height:40px'>x".repeat(40)}</table></div>`,
  "in scrollers in scrollers": `${FAR}<div style="height:150px;overflow:auto">${FAR}<div style="height:100px;width:150px;overflow:auto"><div style="width:2000px;height:900px"></div><div style="margin-left:1500px">${TARGET}</div>${FAR}</div>${FAR}</div>${FAR}`,
  "in a scroller that snaps": `<div style="height:120px;overflow:auto;scroll-snap-type:y mandatory">${`<div style="height:120px;scroll-snap-align:start">x</div>`.repeat(20)}<div style="height:120px;scroll-snap-align:start">${TARGET}</div>${`<div style="height:120px;scroll-snap-align:start">x</div>`.repeat(20)}</div>`,
  "in a page that scrolls smoothly": `<style>*{scroll-behavior:smooth}</style>${FAR}${TARGET}${FAR}`,
  "in a dialog in the top layer": `${FAR}<dialog id=d>${TARGET}</dialog><script>d.showModal()</script>`,
  "from right to left": `<div dir=rtl style="width:150px;height:60px;overflow:auto"><div style="width:900px;text-align:left">${TARGET}</div></div>`,
  "sliding in": `<style>@keyframes in{from{transform:translateX(-300px)}}#hit{animation:in .4s .1s both}</style>${TARGET}`,
  "moved by a script": `${TARGET}<script>hit.style.position='relative';let n=0;const step=()=>{hit.style.left=++n*5+'px';if(n<25)requestAnimationFrame(step)};requestAnimationFrame(step)</script>`,
  "moved as it comes into view": `${FAR}${TARGET}${FAR}<script>new IntersectionObserver(([seen])=>{if(seen.isIntersecting)hit.style.marginTop='150px'}).observe(hit)</script>`,
};

const inside = (url: string, style = "") =>
  site.page(
    `<title>waiting</title>${FAR}<iframe title=F style="width:500px;height:220px;${style}" src="${url}"></iframe>${FAR}`,
  );

const depths: Record<string, (url: string) => string> = {
  "the page": (url) => url,
  "a frame": (url) => inside(url),
  "a scaled frame of another site": (url) =>
    inside(site.elsewhere(url), "transform:scale(.7);transform-origin:0 0;border:7px solid;padding:9px"),
  "a frame in a zoomed frame of another site": (url) => inside(site.elsewhere(inside(url)), "zoom:1.2"),
};

for (const [depth, around] of Object.entries(depths)) {
  test(`in ${depth}: a click meets its target in every layout`, async (t) => {
    await using session = worker.session();
    for (const [layout, html] of Object.entries(layouts)) {
      await t.test(layout, async () => {
        const told = site.hold();
        const page = site.page(
          `<title>T</title><body style="margin:0">${html}<script>hit.addEventListener('click', () => fetch('${told.url}?hit'))</script>`,
        );
        told.release("");
        const text = await session.open(around(page));
        const ref = refOf(text, '"Target"');
        await session.do("browser_click", { ref });
        assert.equal(site.count(told.url), 1);
      });
    }
  });
}
