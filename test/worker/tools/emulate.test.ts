// Tests browser_emulate and browser_resize: in the page that is open, after navigations, in new tabs and workers.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { SessionRecord } from "../../../proto/gen/troupe.ts";
import { refOf, stage, startWorker } from "../../harness/worker.ts";

const { worker, site } = await stage();

const FACTS = `<meta name=viewport content="width=device-width"><p id=facts></p><button onclick="tell()">Tell</button><script>
  const is = (query) => matchMedia(query).matches;
  const tell = () => (facts.textContent = [innerWidth + 'x' + innerHeight, is('(prefers-color-scheme: dark)') ? 'dark' : 'light',
    is('(prefers-reduced-motion)') ? 'still' : 'moving', navigator.language, new Date(0).getTimezoneOffset(),
    (0.5).toLocaleString(), /iPhone/.test(navigator.userAgent) ? 'iPhone' : 'desktop', navigator.maxTouchPoints,
    navigator.onLine ? 'online' : 'offline'].join(' '));
  tell();</script>`;
const url = site.page(FACTS);
const ALL = {
  device: "iphone 15",
  colorScheme: "dark",
  reducedMotion: true,
  locale: "de-DE",
  timezone: "asia/tokyo",
};
const AS_EMULATED = /paragraph: 393x659 dark still de-DE -540 0,5 iPhone 5 online/;

test("a device and preferences hold in the page, after navigations, and in new tabs, until they are reset", async () => {
  await using session = worker.session();
  const before = await session.open(url);
  const { text, emulated } = await session.do("browser_emulate", ALL);
  assert.match(
    text,
    /^Emulated in all tabs of this session: iPhone 15, dark colours, reduced motion, locale de-DE, time zone Asia\/Tokyo\. Pages/,
  );
  assert.equal((emulated as { timezone: string }).timezone, "Asia/Tokyo");
  const now = await session.do("browser_click", { ref: refOf(before, "Tell") });
  assert.match(now.text, /393x659 dark still .* -540/);
  assert.match(await session.open(url), AS_EMULATED);
  assert.match((await session.do("browser_tabs", { action: "new", url })).text, /t2/);
  assert.match(await session.read(), AS_EMULATED);
  const reset = await session.do("browser_emulate", { reset: true });
  assert.match(reset.text, /^Nothing is emulated\./);
  assert.match(
    (await session.do("browser_reload")).text,
    /paragraph: \d+x\d+ light moving en-US 0 0\.5 desktop 0 online/,
  );
});

test("frames of other sites have the same preferences and place", async () => {
  await using session = worker.session();
  await session.do("browser_emulate", { colorScheme: "dark", timezone: "Asia/Tokyo" });
  const page = await session.open(site.page(`<iframe src="${site.elsewhere(url)}" title=Inner></iframe>`));
  assert.match(page, /dark moving \S+ -540/);
});

test("what is not given stays, and what is given replaces", async () => {
  await using session = worker.session();
  await session.open(url);
  await session.do("browser_emulate", { colorScheme: "dark", offline: true });
  const { text } = await session.do("browser_emulate", { offline: false, cpu: 2, network: "4g" });
  assert.match(
    text,
    /^Emulated in all tabs of this session: dark colours, 4g network, scripts 2 times slower\n/,
  );
  const offline = await session.do("browser_emulate", { offline: true });
  assert.match(offline.text, /no network/);
  await session.refuse("NAVIGATION_FAILED", "browser_navigate", { url: site.page("<h1>Next</h1>") });
  await session.do("browser_emulate", { offline: false });
  assert.match(await session.open(url), /online/);
});

test("a page gets the emulated position without asking", async () => {
  await using session = worker.session();
  await session.do("browser_emulate", { geolocation: "52.52, 13.405" });
  const page = await session.open(
    site.page(`<p id=out>none</p><script>navigator.geolocation.getCurrentPosition(
      ({ coords }) => (out.textContent = 'at ' + coords.latitude + ' ' + coords.longitude), (e) => (out.textContent = e.message))</script>`),
  );
  assert.match(page + (await session.read()), /at 52\.52 13\.405/);
});

test("the window has the size that was asked for, in later tabs too", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(`<style>@media (max-width: 500px) { nav { display: none } }</style><nav><a href="#">Wide</a></nav>
      <button onclick="window.open('${url}')">Open</button>`),
  );
  const { text } = await session.do("browser_resize", { width: 400, height: 700 });
  assert.match(text, /^Emulated in all tabs of this session: 400 x 700 pixels\n/);
  assert.match(text, /removed|gone/i);
  const opened = await session.do("browser_click", { ref: refOf(page, "Open") });
  assert.match(opened.text, /400x700/);
});

test("names that nobody knows, and sizes that nobody has, are refused", async () => {
  await using session = worker.session();
  for (const [tool, args, corrected] of [
    ["browser_emulate", { device: "iPhone 51" }, { device: "iPhone 5" }],
    ["browser_emulate", { device: "<b>" }, undefined],
    ["browser_emulate", { timezone: "Europe/Berlim" }, { timezone: "Europe/Berlin" }],
    ["browser_emulate", { timezone: "+25:00" }, undefined],
    ["browser_emulate", { locale: "xx-nope-nope" }, undefined],
    ["browser_emulate", { locale: "de__!" }, undefined],
    ["browser_emulate", { geolocation: "91,0" }, undefined],
    ["browser_emulate", { geolocation: "here" }, undefined],
    ["browser_emulate", { cpu: 1000 }, { cpu: 100 }],
    ["browser_resize", { width: 1_000_000, height: 10 }, undefined],
  ] as const) {
    const { steps } = await session.refuse("INVALID_ARGUMENT", tool, args);
    if (corrected) assert.deepEqual(steps.at(-1)?.arguments, corrected);
  }
  assert.match((await session.do("browser_emulate", {})).text, /^Nothing is emulated/);
});

test("another worker emulates the same for its session", async () => {
  const emulated = { device: "iPhone 15", colorScheme: "COLOR_SCHEME_DARK", timezone: "Asia/Tokyo" } as const;
  const record = { key: "kept", nextTab: 2, tabs: [{ id: "t1", url, current: true }], emulated };
  await using second = await startWorker({ sessions: [record as unknown as SessionRecord] });
  await using session = second.session("kept");
  await session.call("browser_snapshot");
  assert.match(await session.read(), /393x659 dark .* iPhone/);
});
