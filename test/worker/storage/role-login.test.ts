// Tests a role's login. It is in place before the first page loads, without any request, or it is reported as missing.
import assert from "node:assert/strict";
import { once } from "node:events";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import path from "node:path";
import { test } from "node:test";
import type { ServiceError } from "@grpc/grpc-js";
import { fromStatus } from "../../../proto/errors/status.ts";
import { shared } from "../../harness/shared.ts";
import { tempDir } from "../../harness/temp-dir.ts";
import { type RoleOptions, refOf, startWorker, type Worker } from "../../harness/worker.ts";
import { serveSite } from "../../site/serve.ts";

const { dir } = shared(tempDir());
const site = shared(await serveSite());

/** Shows in its first script what it finds of a login. */
const account = site.route((request, response) => {
  response.setHeader("content-type", "text/html");
  response.end(
    `<!doctype html><p>server saw: ${request.headers.cookie ?? "nothing"}</p><p id=local></p><p id=session></p><p id=script></p><script>
      document.getElementById('local').textContent = 'local: ' + localStorage.getItem('token');
      document.getElementById('session').textContent = 'session: ' + sessionStorage.getItem('tab');
      document.getElementById('script').textContent = 'script saw: ' + document.cookie;
    </script>`,
  );
});

async function file(name: string, content: string): Promise<string> {
  const at = path.join(dir, name);
  await writeFile(at, content, { mode: 0o600 });
  return at;
}

const cookie = {
  name: "sid",
  value: "s3cret",
  domain: "127.0.0.1",
  path: "/",
  httpOnly: true,
  sameSite: "Lax",
};
const login = {
  cookies: [
    cookie,
    { name: "theme", value: "dark", domain: "127.0.0.1", path: "/", expires: Date.now() / 1000 + 3600 },
    { name: "__Host-far", value: "x", domain: "shop.example", path: "/", secure: true, sameSite: "None" },
  ],
  origins: [
    {
      origin: site.origin,
      localStorage: [{ name: "token", value: "t0ken" }],
      sessionStorage: [{ name: "tab", value: "first" }],
    },
    { origin: site.otherOrigin, localStorage: [{ name: "token", value: "other" }] },
    { origin: "https://shop.example", localStorage: [{ name: "cart", value: "[]" }] },
  ],
};

test("cookies and storage of all origins are in place before the first page loads, without any request", async () => {
  // All of Chrome's requests beyond this machine go through this proxy.
  const beyond: string[] = [];
  const proxy = createServer((socket) =>
    socket.once("data", (data) => beyond.push(String(data))).on("error", () => undefined),
  );
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  const { port } = proxy.address() as AddressInfo;
  await using worker = await startWorker({
    authFile: await file("good.json", JSON.stringify(login)),
    browser: { headless: true, sandbox: "auto", args: [`--proxy-server=http://127.0.0.1:${port}`] },
  });
  assert.equal(worker.started.login, "logged in");
  await using session = worker.session();
  await session.do("browser_tabs", { action: "new" });
  assert.deepEqual(site.requests, []);
  assert.deepEqual(
    beyond.filter((request) => request.includes("shop.example")),
    [],
  );
  proxy.close();

  const text = await session.open(account);
  assert.match(text, /server saw: sid=s3cret; theme=dark/);
  assert.match(text, /local: t0ken/);
  assert.match(text, /session: first/);
  assert.match(text, /script saw: theme=dark/);
  assert.doesNotMatch(text, /Warnings|authStatus/);
  assert.match(await session.open(site.elsewhere(account)), /local: other/);
  const asked = site.requests.map(({ path }) => path).filter((each) => each !== "/favicon.ico");
  assert.deepEqual(asked, [new URL(account).pathname, new URL(account).pathname]);
  // The pages that only loaded the storage are not in the history.
  await session.do("browser_navigate_back");
  await session.refuse("NO_HISTORY", "browser_navigate_back");

  // Each session starts from the login, whatever another one did with it.
  await session.open(
    site.page(`<script>localStorage.clear(); document.cookie = 'theme=light'</script><p>changed</p>`),
  );
  await using another = worker.session();
  assert.match(await another.open(account), /local: t0ken[\s\S]*script saw: theme=dark/);
});

const broken: [name: string, content: string | undefined, reason: RegExp][] = [
  ["missing.json", undefined, /file not found \(ENOENT\)/],
  ["text.json", "sid=s3cret", /it is not JSON$/],
  ["list.json", "[]", /no storageState/],
  ["cookies.json", '{"cookies": {"sid": "s3cret"}}', /no storageState: cookies:/],
  ["origin.json", '{"origins": [{"origin": "s3cret", "localStorage": []}]}', /origins\.0\.origin/],
];

test("without its login, a role that requires it does not start, and the error never quotes the file", async () => {
  for (const [name, content, reason] of broken) {
    const authFile = content === undefined ? path.join(dir, name) : await file(name, content);
    const error = await refusalOf({ authFile, authFileShown: `auth/${name}`, authRequired: true });
    assert.equal(error?.type, "AUTHENTICATION_FAILED");
    assert.equal(error?.details.authPath, `auth/${name}`);
    assert.match(String(error?.details.reason), reason);
    assert.doesNotMatch(JSON.stringify(error), /s3cret/);
    assert.ok(!JSON.stringify(error).includes(dir));
  }
});

test("a login file that is a folder cannot be read", async () => {
  const folder = path.join(dir, "folder.json");
  await mkdir(folder);
  await chmod(folder, 0o700);
  const error = await refusalOf({ authFile: folder, authFileShown: "auth/folder.json", authRequired: true });
  assert.match(String(error?.details.reason), /it is a folder \(EISDIR\)/);
});

test("a login whose cookies' dates are over is reported as expired from the start, but is still tried", async () => {
  const old = { ...cookie, expires: Date.UTC(2020, 1, 1) / 1000 };
  const text = "My account";
  await using worker = await startWorker({
    authFile: await file("old.json", JSON.stringify({ ...login, cookies: [old] })),
    authFileShown: "auth/old.json",
    authRequired: true,
    authCheck: { loginUrl: "", loggedInText: text },
  });
  assert.equal(worker.started.login, "expired");
  await using session = worker.session();
  assert.match(
    await session.open(account),
    /Auth failed: The login has expired: its last cookie ended at 2020-02-01T00:00:00\.000Z/,
  );
  await session.open(site.page(text));
  assert.doesNotMatch(await session.read(), /Auth failed/, "a page has shown that it works");
});

test("a role that does not require its login goes on, and warns in every snapshot", async () => {
  await using worker = await startWorker({
    authFile: path.join(dir, "nowhere.json"),
    authFileShown: "auth/nowhere.json",
  });
  assert.equal(worker.started.login, "unauthenticated");
  await using session = worker.session();
  const text = await session.open(account);
  assert.match(text, /server saw: nothing/);
  for (const each of [text, await session.read(), (await session.do("browser_snapshot")).text]) {
    assert.match(
      each,
      /Warnings:\n- Auth failed: Failed to load auth from auth\/nowhere\.json: file not found/,
    );
    assert.match(each, /^authStatus: unauthenticated$/m);
  }
  const { authLoadError } = await worker.failures();
  assert.equal(authLoadError?.authPath, "auth/nowhere.json");
});

test("a login that Chrome rejects counts as missing, and a role that requires it has no session", async () => {
  const refused = { cookies: [{ ...cookie, name: "__Host-wrong", path: "/sub" }] };
  const authFile = await file("refused.json", JSON.stringify(refused));
  await using worker = await startWorker({
    authFile,
    authFileShown: "auth/refused.json",
    authRequired: true,
  });
  await using session = worker.session();
  for (const _time of ["at first", "and every time"]) {
    const { details } = await session.refuse("AUTHENTICATION_FAILED", "browser_navigate", { url: account });
    assert.equal(details.authPath, "auth/refused.json");
    assert.doesNotMatch(JSON.stringify(details), /s3cret/);
  }
});

test("storage that a page rejects is a warning, and the rest of the login is in place", async () => {
  const [first, ...others] = login.origins;
  const full = [{ name: "big", value: "s3cret".repeat(1_000_000) }];
  const content = { ...login, origins: [{ ...first, localStorage: full }, ...others] };
  await using worker = await startWorker({ authFile: await file("full.json", JSON.stringify(content)) });
  await using session = worker.session();
  const text = await session.open(account);
  assert.match(text, /server saw: sid=s3cret/);
  assert.match(text, /local: null/);
  assert.match(text, /authStatus: unauthenticated/);
  assert.match(text, /refused its storage: (?:QuotaExceededError|DOMException)/);
  assert.match(await session.open(site.elsewhere(account)), /local: other/);
});

test("a session that is ended while its login loads reports nothing about the login", async () => {
  const origins = Array.from({ length: 40 }, (_, number) => ({
    origin: `http://127.0.0.1:${20_000 + number}`,
    localStorage: [{ name: "token", value: "t0ken" }],
  }));
  const authFile = await file("many.json", JSON.stringify({ ...login, origins }));
  await using worker = await startWorker({ authFile, authRequired: true });
  const session = worker.session();
  // The test listens until its end, because a worker without a listener ends itself.
  const events = worker.events(new AbortController().signal)[Symbol.asyncIterator]();
  const opening = session.call("browser_tabs", { action: "new" });
  for (let isLoading = false; !isLoading; ) {
    const { value } = await events.next();
    isLoading = value?.session?.tabs.some(({ url }: { url: string }) =>
      url.startsWith("http://127.0.0.1:20"),
    );
  }
  await worker.endSession(session.id);
  assert.equal((await opening).error?.type, "SESSION_EXPIRED");
  assert.equal((await worker.failures()).authLoadError, null);
  await using next = worker.session();
  assert.match(await next.open(account), /server saw: sid=s3cret/);
});

test("with isolation: role, sessions share one login, and each has its own tabs", async () => {
  await using worker = await startWorker({
    isolation: "role",
    authFile: await file("shared.json", JSON.stringify(login)),
  });
  await using first = worker.session();
  await using second = worker.session();
  assert.match(await first.open(account), /local: t0ken/);
  await first.open(
    site.page("<script>localStorage.token = 'shared'; document.cookie = 'theme=light'</script>"),
  );
  assert.match(await second.open(account), /local: shared[\s\S]*script saw: theme=light/);
  const { text } = await second.do("browser_tabs", { action: "list" });
  assert.match(text, /^t1 \(current\)/);
  assert.equal(text.trim().split("\n").length, 1);
  // A popup belongs to the session whose page opened it, even without a tie to its opener.
  const opener = await first.open(site.page(`<a target=_blank rel=noopener href="${account}">Pop</a>`));
  await second.do("browser_tabs", { action: "new" });
  const popped = await first.do("browser_click", { ref: refOf(opener, "Pop") });
  assert.match(popped.text, /Opened tab t2[\s\S]*local: shared/);
  assert.match(
    (await second.do("browser_tabs", { action: "list" })).text,
    /^t1 .*\nt2 \(current\) "" about:blank$/,
  );
});

async function refusalOf(role: RoleOptions) {
  let worker: Worker;
  try {
    worker = await startWorker(role);
  } catch (error) {
    return fromStatus(error as ServiceError);
  }
  await worker[Symbol.asyncDispose]();
  return undefined;
}
