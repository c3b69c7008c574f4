// Tests browser_save_auth: the session's login goes to the role's file, and later sessions have it.
import assert from "node:assert/strict";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { shared } from "../../harness/shared.ts";
import { tempDir } from "../../harness/temp-dir.ts";
import { startWorker } from "../../harness/worker.ts";
import { serveSite } from "../../site/serve.ts";

const site = shared(await serveSite());
const temp = shared(tempDir());
const authFile = path.join(temp.dir, "login.json");
writeFileSync(authFile, JSON.stringify({ cookies: [], origins: [] }), { mode: 0o644 });
const worker = shared(await startWorker({ authFile, authFileShown: "auth/login.json", saveAuth: true }));
const account = site.route((request, response) => {
  const isKnown = /sid=known/.test(request.headers.cookie ?? "");
  response.writeHead(200, { "content-type": "text/html" });
  response.end(`<h1>${isKnown ? "Hello, Carla" : "Log in"}</h1><p id=out></p>
    <script>out.textContent = "kept: " + localStorage.kept + " " + sessionStorage.kept</script>`);
});
const login = site.page(
  `<h1>Logged in</h1><script>localStorage.kept = "local"; sessionStorage.kept = "session"</script>`,
  { headers: { "set-cookie": "sid=known; Path=/; HttpOnly; Max-Age=266400" } },
);

test("a session without a login changes nothing", async () => {
  await using session = worker.session();
  await session.open(account);
  const before = readFileSync(authFile, "utf8");
  const refused = await session.refuse("PERMISSION_DENIED", "browser_save_auth");
  assert.match(refused.text, /no cookies and no storage/);
  assert.equal(readFileSync(authFile, "utf8"), before);
});

test("a session's login is written for its owner only, and the next session has it", async () => {
  await using session = worker.session();
  await session.open(login);
  const { text, cookies, origins } = await session.do("browser_save_auth");
  assert.match(
    text,
    /^Saved the login of role tester to auth\/login\.json: 1 cookie, storage of 1 origin, expires in 3 d\./,
  );
  assert.deepEqual([cookies, origins], [1, 1]);
  assert.equal(statSync(authFile).mode & 0o777, 0o600);
  assert.equal(JSON.parse(readFileSync(authFile, "utf8")).cookies[0].value, "known");
  assert.doesNotMatch(text, /known/);
  await using next = worker.session();
  const page = await next.open(account);
  assert.match(page, /Hello, Carla/);
  assert.match(page, /kept: local session/);
});

test("a role that does not allow it, or has no file, refuses with the setting", async () => {
  for (const [role, setting] of [
    [{ authFile }, /roles\.tester\.saveAuth: true/],
    [{ saveAuth: true }, /roles\.tester\.auth /],
  ] as const) {
    await using other = await startWorker(role);
    await using session = other.session();
    await session.open(login);
    assert.match((await session.refuse("PERMISSION_DENIED", "browser_save_auth")).text, setting);
  }
});

test("a file that cannot be written stays as it is", async () => {
  await using other = await startWorker({
    authFile: path.join(authFile, "below.json"),
    authFileShown: "below.json",
    saveAuth: true,
  });
  await using session = other.session();
  await session.open(login);
  const { text } = await session.refuse("PERMISSION_DENIED", "browser_save_auth");
  assert.match(text, /cannot write below\.json/);
  assert.ok(!text.includes(temp.dir));
});
