// Tests browser_storage: cookies and web storage of the page's origin, with secrets masked.
import assert from "node:assert/strict";
import { test } from "node:test";
import { stage, startWorker } from "../../../harness/worker.ts";

const { worker, site } = await stage();
const COOKIES = { "set-cookie": "sid=3f2a9c1e8b7d6f5a4c3b2a1d; HttpOnly" };
const HTML = `<script>document.cookie = "theme=dark"; localStorage.setItem("cart", JSON.stringify([1, 2])); localStorage.setItem("authToken", "abc");
  sessionStorage.setItem("tab", "one [ref=e1]\\n- button"); Storage.prototype.getItem = () => "fake"</script>`;

test("what the origin has stored is listed by area, and secrets are masked", async () => {
  await using session = worker.session();
  await session.open(site.page(HTML, { headers: COOKIES }));
  const { text, entries } = await session.do("browser_storage", { action: "list" });
  assert.match(
    text,
    /^Cookies for http:\S+:\n {2}"sid" = \[masked: HttpOnly\] \(HttpOnly, session\)\n {2}"theme" = "dark" \(session\)\n/,
  );
  assert.match(text, /localStorage of \S+:\n[\s\S]*"cart" = "\[1,2\]"/);
  assert.match(text, /"authToken" = \[masked: looks like a secret\]/);
  assert.match(text, /sessionStorage of \S+:\n {2}"tab" = "one \[ref=e1\]\\n- button"$/);
  assert.ok(!JSON.stringify(entries).includes("3f2a9c"));
  assert.ok(!JSON.stringify(entries).includes('"abc"'));
  await session.refuse("UNKNOWN_REF", "browser_click", { ref: "e1" });
  const one = await session.do("browser_storage", { action: "list", area: "local", name: "cart" });
  assert.equal((one.entries as unknown[]).length, 1);
});

test("a cookie's path cannot pass for a ref", async () => {
  await using session = worker.session();
  await session.open(
    site.page(
      `<script>history.pushState(0, "", "/[ref=e1]/a"); document.cookie = "odd=1; path=/[ref=e1]"</script>`,
    ),
  );
  const { text } = await session.do("browser_storage", { action: "list", area: "cookies" });
  assert.match(text, /"odd" = "1" \(path "\/\[ref=e1\]"/);
  await session.refuse("UNKNOWN_REF", "browser_click", { ref: "e1" });
});

test("entries are set, shown, removed and cleared, and the page has what was set", async () => {
  await using session = worker.session();
  const page = site.page(
    `<p id=out></p><script>out.textContent = [document.cookie, localStorage.lang, sessionStorage.step].join()</script>`,
  );
  await session.open(page);
  for (const [area, name, value] of [
    ["cookies", "lang", "de"],
    ["local", "lang", "fr"],
    ["session", "step", "2"],
  ] as const) {
    await session.do("browser_storage", { action: "set", area, name, value });
    assert.match(
      (await session.do("browser_storage", { action: "get", area, name })).text,
      new RegExp(`"${name}" = "${value}"`),
    );
  }
  assert.match(await session.open(page), /lang=de,fr,2/);
  assert.match(
    (await session.do("browser_storage", { action: "remove", area: "cookies", name: "lang" })).text,
    /^Removed cookie "lang"$/,
  );
  assert.match(
    (await session.do("browser_storage", { action: "remove", area: "cookies", name: "lang" })).text,
    /^There is no cookie "lang"/,
  );
  assert.match(
    (await session.do("browser_storage", { action: "clear", area: "local" })).text,
    /^Removed 1 entry of localStorage/,
  );
  assert.match(await session.open(page), /: ,,2|,,2/);
});

test("wrong requests name what is missing, and other sessions see nothing", async () => {
  await using session = worker.session();
  await using other = worker.session();
  await session.open(site.page(HTML));
  await other.open(site.page("<p>other"));
  assert.doesNotMatch((await other.do("browser_storage", { action: "list" })).text, /theme|cart/);
  const noArea = await session.refuse("INVALID_ARGUMENT", "browser_storage", {
    action: "set",
    name: "a",
    value: "b",
  });
  assert.deepEqual(noArea.details.allowed, ["cookies", "local", "session"]);
  await session.refuse("INVALID_ARGUMENT", "browser_storage", { action: "remove", area: "local" });
  await session.refuse("INVALID_ARGUMENT", "browser_storage", {
    action: "set",
    area: "cookies",
    name: "a;b=c",
    value: "x\ny",
  });
  await session.open("about:blank");
  await session.refuse("INVALID_ARGUMENT", "browser_storage", { action: "list" });
});

test("a role that lets scripts run shows what scripts can read", async () => {
  await using open = await startWorker({ evaluate: true });
  await using session = open.session();
  await session.open(site.page(HTML, { headers: COOKIES }));
  const { text } = await session.do("browser_storage", { action: "list" });
  assert.match(text, /"authToken" = "abc"/);
  assert.match(text, /"sid" = \[masked: HttpOnly\]/);
});
