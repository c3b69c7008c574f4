// Tests that a role with a list of origins shows no other document, whichever way a page leads there.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { after, test } from "node:test";
import { startPersonsChrome } from "../../harness/browser/persons-chrome.ts";
import { tempDir } from "../../harness/temp-dir.ts";
import { refOf, startWorker } from "../../harness/worker.ts";
import { serveSite } from "../../site/serve.ts";

const site = await serveSite();
const worker = await startWorker({ allow: [site.origin] });
const chrome = await startPersonsChrome();
const attached = await startWorker({ allow: [site.origin], browser: { connect: chrome.address } });
after(async () => {
  await worker[Symbol.asyncDispose]();
  await attached[Symbol.asyncDispose]();
  await chrome[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});
const outside = site.elsewhere(site.page("<title>Outside</title><h1>Outside</h1>"));
const detour = site.redirect(outside);
const asked = () => site.requests.filter(({ host }) => host.startsWith("localhost")).map(({ path }) => path);

test("an address outside is refused before any request, by navigate, by a redirect and in a new tab", async () => {
  await using session = worker.session();
  await session.open(site.page("<h1>Here</h1>"));
  for (const [tool, args] of [
    ["browser_navigate", { url: outside }],
    ["browser_navigate", { url: detour }],
    ["browser_tabs", { action: "new", url: outside }],
    ["browser_tabs", { action: "new", url: detour }],
  ] as const) {
    const { details, text } = await session.refuse("NAVIGATION_BLOCKED", tool, args);
    assert.equal(details.url, outside);
    assert.deepEqual(details.allowed, [site.origin]);
    assert.match(text, /Its origin is not among those/);
  }
  assert.deepEqual(asked(), []);
  assert.match(await session.read({ tab: "t1" }), /heading "Here"/);
});

for (const [name, html] of [
  ["a link", `<a id=go href="${outside}">Go</a>`],
  ["a link that redirects", `<a href="${detour}">Go</a>`],
  [
    "a form that posts",
    `<form method=post action="${outside}"><input name=a value=b><button>Go</button></form>`,
  ],
  ["a script", `<button onclick="location = '${outside}'">Go</button>`],
  ["a popup", `<button onclick="window.open('${outside}')">Go</button>`],
  ["a link for another tab", `<a target=_blank href="${outside}">Go</a>`],
  ["a popup that redirects", `<button onclick="window.open('${detour}')">Go</button>`],
] as const)
  for (const [where, role] of [
    ["", worker],
    ["in an attached browser, ", attached],
  ] as const)
    test(`${where}${name} that leads outside fails the click, and the page stays`, async () => {
      await using session = role.session();
      const before = asked().length;
      const page = await session.open(site.page(`<h1>Here</h1>${html}`));
      const { details, text } = await session.refuse("NAVIGATION_BLOCKED", "browser_click", {
        ref: refOf(page, '"Go"'),
      });
      assert.equal(details.url, outside);
      assert.match(text, /Stay within: http:\/\/127\.0\.0\.1/);
      assert.match(await session.read(), /heading "Here"/);
      assert.match((await session.do("browser_tabs", { action: "list" })).text, /^t1 \(current\)[^\n]*$/);
      assert.equal(asked().length, before);
    });

for (const [where, role] of [
  ["", worker],
  ["in an attached browser, ", attached],
] as const)
  test(`${where}a frame outside stays empty, and the page names what was blocked`, async () => {
    await using session = role.session();
    const before = asked().length;
    const inner = site.page(`<h2>Inner</h2><iframe src="${outside}"></iframe>`);
    const text = await session.open(
      site.page(
        `<h1>Here</h1><iframe src="${outside}"></iframe><iframe src="${detour}"></iframe><iframe src="${inner}"></iframe>`,
      ),
    );
    assert.match(text, /heading "Here"/);
    assert.match(text, /heading "Inner"/);
    assert.doesNotMatch(text, /heading "Outside"/);
    const { text: again } = await session.do("browser_snapshot", { full: true });
    assert.match(again, new RegExp(`- Blocked: 3 requests to ${site.otherOrigin} \\(not allowed\\)`));
    assert.equal(asked().length, before);
    // Another document has not asked for it.
    assert.doesNotMatch(await session.open(site.page("<h1>Next</h1>")), /Blocked/);
  });

test("requests other than documents go anywhere if there is no list of requests", async () => {
  await using session = worker.session();
  const text = await session.open(
    site.page(
      `<script src="${site.elsewhere(site.route((_request, response) => response.setHeader("content-type", "text/javascript").end("document.write('<p>from elsewhere</p>')")))}"></script>`,
    ),
  );
  assert.match(text, /from elsewhere/);
});

test("a login is loaded whole, even for origins whose pages may not be opened", async () => {
  using temp = tempDir();
  const authFile = path.join(temp.dir, "login.json");
  const storage = (name: string) => [{ name, value: "kept" }];
  const origins = [
    { origin: "https://sso.example", localStorage: storage("sso") },
    { origin: site.origin, localStorage: storage("shop") },
  ];
  await writeFile(authFile, JSON.stringify({ cookies: [], origins }));
  await using walled = await startWorker({ allow: [site.origin], authFile, authFileShown: "login.json" });
  await using session = walled.session();
  const text = await session.open(
    site.page("<script>document.write('<p>shop ' + localStorage.shop)</script>"),
  );
  assert.match(text, /shop kept/);
  assert.doesNotMatch(text, /Warnings|authStatus|Blocked/);
  assert.equal((await walled.failures()).authLoadError, null);
});

test("pages within the list, their frames and popups work as before", async () => {
  await using session = worker.session();
  const other = site.page("<title>Other</title><h1>Other</h1>");
  const page = await session.open(
    site.page(`<h1>Here</h1><iframe srcdoc="<p>written</p>"></iframe><iframe src="data:text/html,<p>typed</p>"></iframe>
      <button onclick="window.open('${other}')">Go</button>`),
  );
  assert.match(page, /written/);
  assert.match(page, /typed/);
  assert.match((await session.do("browser_click", { ref: refOf(page, '"Go"') })).text, /heading "Other"/);
});
