// Tests of `troupe login ROLE` as a whole. Afterwards the role's login is in its file, or the file is unchanged.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { chmod, mkdtemp, readdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { serveShop } from "../../../deploy/example/shop.ts";
import { findBrowser } from "../../../worker/chrome/find-browser.ts";
import { runCommand, startCommand } from "../../harness/program.ts";
import { shared } from "../../harness/shared.ts";
import { tempDir } from "../../harness/temp-dir.ts";
import { startWorker } from "../../harness/worker.ts";
import { serveSite } from "../../site/serve.ts";

const DEADLINE = { timeout: 60_000 };
/** An invisible window for a browser that must open one. */
const UNSEEN = { args: ["--headless=new", "--disable-popup-blocking"] };
const DISPLAY = { DISPLAY: ":99", WAYLAND_DISPLAY: "" };
/** Logging in by hand takes a browser that opens windows, and the embedded one does not. */
const { kind } = await findBrowser({ env: process.env });
const BY_HAND = {
  ...DEADLINE,
  skip: kind === "headless-shell" && "the browser found here opens no window (apt-get install chromium)",
};
const NO_DISPLAY = { DISPLAY: "", WAYLAND_DISPLAY: "" };

const shop = shared(await serveShop({ port: 0 }));
const site = shared(await serveSite());
const { dir: base } = shared(tempDir());
// As root, the browser runs as another user.
await chmod(base, 0o755);

const loginSteps = () => [
  { navigate: `${shop.url}/login` },
  { type: { role: "textbox", name: "User name", text: "customer" } },
  { type: { role: "textbox", name: "Password", env: "SHOP_PASSWORD" } },
  { click: { role: "button", name: "Log in" } },
  { wait_for: { role: "heading", name: "Hello, Carla Customer" } },
];

/** Makes a folder with a configuration and a script, in which commands run. */
async function project({ roles = {}, steps = loginSteps() }: { roles?: object; steps?: unknown } = {}) {
  const dir = await mkdtemp(path.join(base, "p-"));
  await chmod(dir, 0o755);
  const file = path.join(dir, "auth/customer.json");
  const customer = { auth: "auth/customer.json", startUrl: `${shop.url}/account` };
  await writeFile(
    path.join(dir, "troupe.yaml"),
    JSON.stringify({ roles: { customer, visitor: {}, ...roles } }),
  );
  await writeFile(path.join(dir, "login.json"), JSON.stringify(steps));
  const options = (env: NodeJS.ProcessEnv) => ({
    cwd: dir,
    env: { ...NO_DISPLAY, TMPDIR: dir, SHOP_PASSWORD: "customer-demo", ...env },
  });
  return {
    file,
    run: (args: string[], env: NodeJS.ProcessEnv = {}) => runCommand(["login", ...args], options(env)),
    start: (args: string[], env: NodeJS.ProcessEnv = {}) => startCommand(["login", ...args], options(env)),
    /** Returns the profiles that browsers left in the folder. It is the temporary folder of all commands. */
    profiles: async () => (await readdir(dir)).filter((name) => name.startsWith("troupe-profile-")),
    /** Returns the processes of its browsers. */
    browsers: () => processesNaming(path.join(dir, "troupe-profile-")),
  };
}

/** Chrome's own process comes first, then its children, whose command lines name their type. */
function processesNaming(text: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => ({ pid: Number(pid), words: commandLine(pid) }))
    .filter(({ words }) => words.includes(text))
    .sort((a, b) => Number(a.words.includes("--type=")) - Number(b.words.includes("--type=")))
    .map(({ pid }) => pid);
}

/** Empty for a process that has ended. */
function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch (error) {
    if (["ENOENT", "ESRCH"].includes((error as NodeJS.ErrnoException).code ?? "")) return "";
    throw error;
  }
}

test("a script logs in, and a session that begins from its file is logged in", DEADLINE, async () => {
  const { file, run, profiles } = await project();
  const { code, out, err } = await run(["customer", "--script", "login.json"]);
  assert.deepEqual([code, err], [0, ""]);
  assert.match(out, /^Saved the login of role customer to auth\/customer\.json: 1 cookie, storage of/);
  assert.doesNotMatch(out, /customer-demo|demo-session/);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.deepEqual(await profiles(), []);
  await using worker = await startWorker({ authFile: file });
  assert.match(await worker.session().open(`${shop.url}/account`), /heading "Hello, Carla Customer"/);
});

test("a failed step is named without its typed text, and the file stays unchanged", DEADLINE, async () => {
  const { file, run, profiles } = await project();
  await run(["customer", "--script", "login.json"]);
  const before = await readFile(file, "utf8");
  const { code, out, err } = await run(["customer", "--script", "login.json"], { SHOP_PASSWORD: "s3cret" });
  assert.deepEqual([code, out], [1, ""]);
  assert.match(
    err,
    /^troupe: step 5 of 5 \(wait_for heading "Hello, Carla Customer"\): no page showed it within 15 s; the page says "User name or password is wrong\."; the browser is at http:\/\/127\.0\.0\.1:\d+\/login\n$/,
  );
  assert.equal(await readFile(file, "utf8"), before);
  assert.deepEqual(await profiles(), []);
});

test("the page's words in a failed step are quoted, without secrets that were typed", DEADLINE, async () => {
  const start = site.page(`<p>Welcome<label>Password <input></label>
    <button onclick="document.body.append('Nobody has the password ' + document.querySelector('input').value)">Enter</button>`);
  const steps = [
    { navigate: start },
    { type: { role: "textbox", name: "Password", env: "SHOP_PASSWORD" } },
    { click: { role: "button", name: "Enter" } },
    { click: { role: "button", name: "Go on" } },
  ];
  const { run } = await project({ steps: [...steps, ...loginSteps().slice(-1)] });
  const { code, err } = await run(["customer", "--script", "login.json"], { SHOP_PASSWORD: "s3cret" });
  assert.equal(code, 1);
  assert.match(err, /within 15 s; the page says "Nobody has the password \[masked\]"; the browser is at/);
});

test("a page that does not load is reported with the browser's word for it", DEADLINE, async () => {
  const steps = [{ navigate: "http://127.0.0.1:9/?token=s3cret" }, ...loginSteps().slice(-1)];
  const { run } = await project({ steps });
  const { code, err } = await run(["customer", "--script", "login.json"]);
  assert.equal(code, 1);
  assert.match(err, /^troupe: step 1 of 2 \(navigate http:\/\/127\.0\.0\.1:9\/\): the browser says ERR_\w+;/);
  assert.doesNotMatch(err, /s3cret/);
});

test("a password in the script itself is refused and not repeated", DEADLINE, async () => {
  const steps = loginSteps();
  steps[2] = { type: { role: "textbox", name: "Password", text: "customer-demo" } };
  const { run } = await project({ steps });
  const { code, err } = await run(["customer", "--script", "login.json"]);
  assert.equal(code, 64);
  assert.match(
    err,
    /^troupe: step 3 of 5 \(type textbox "Password"\): a password does not belong into a script/,
  );
  assert.doesNotMatch(err, /customer-demo/);
});

test("a script continues in a popup of another site", DEADLINE, async () => {
  const popup = site.elsewhere(
    site.page(
      `<button onclick="localStorage.done = 'popup'; document.body.innerHTML = '<h1>Done</h1>'">Enter</button>`,
    ),
  );
  const start = site.page(`<button onclick="window.open('${popup}')">Sign in elsewhere</button>`);
  const steps = [
    { navigate: start },
    { click: { role: "button", name: "Sign in elsewhere" } },
    { click: { role: "button", name: "Enter" } },
    { wait_for: { role: "heading", name: "Done" } },
  ];
  const { file, run } = await project({ steps });
  const { code, err } = await run(["customer", "--script", "login.json"]);
  assert.deepEqual([code, err], [0, ""]);
  const [origin] = JSON.parse(await readFile(file, "utf8")).origins;
  assert.deepEqual(
    [origin.origin, origin.localStorage],
    [site.otherOrigin, [{ name: "done", value: "popup" }]],
  );
});

test("a wrong script, role or configuration is refused before any browser starts", DEADLINE, async () => {
  const { run } = await project({ steps: [{ clik: "s3cret" }] });
  const script = await run(["customer", "--script", "login.json"]);
  assert.equal(script.code, 64);
  assert.match(script.err, /^troupe: login\.json: step 1 cannot be read/);
  assert.doesNotMatch(script.err, /s3cret/);
  const none = await run(["customer", "--script", "none.json"]);
  assert.deepEqual([none.code, none.err], [64, "troupe: cannot read the script none.json: ENOENT\n"]);
  const unknown = await run(["custmer"]);
  assert.equal(unknown.code, 64);
  assert.match(unknown.err, /^troupe: there is no role custmer; did you mean customer\?/);
  const without = await run(["visitor"]);
  assert.equal(without.code, 78);
  assert.match(without.err, /^troupe: role visitor has no auth,.*auth: auth\/visitor\.json/);
  const nowhere = await run(["customer", "--config", "none.yaml"]);
  assert.equal(nowhere.code, 78);
});

test(
  "without a display, or with a browser that opens no window, the error says what to do",
  DEADLINE,
  async () => {
    const { run } = await project();
    const blind = await run(["customer"]);
    assert.equal(blind.code, 69);
    assert.match(blind.err, /^troupe: there is no display.*troupe login ROLE --script FILE\n$/);
    const shell = path.join(base, "headless-shell");
    await writeFile(shell, "#!/bin/sh\n", { mode: 0o755 });
    const windowless = await run(["customer"], { ...DISPLAY, TROUPE_BROWSER: shell });
    assert.equal(windowless.code, 69);
    assert.match(windowless.err, /opens no window: install Chrome.*troupe login ROLE --script FILE\n$/);
  },
);

test("a login by hand saves the storage of all origins, also of closed popups", BY_HAND, async () => {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const beacon = site.route((_request, response) => {
    response.end();
    resolve();
  });
  const popup = site.elsewhere(
    site.page(`<script>localStorage.token = 'popup'; opener.postMessage(1, '*'); close()</script>`),
  );
  const start = site.page(`<script>
    localStorage.token = 'start'; sessionStorage.tab = 'start'; document.cookie = 'sid=by-hand';
    onmessage = () => fetch('${beacon}');
    const request = indexedDB.open('keys');
    request.onupgradeneeded = () => request.result.createObjectStore('keys').put('deep', 'key');
    request.onsuccess = () => { request.result.close(); open('${popup}'); }</script>`);
  // The role's allow list does not bind the person.
  const customer = {
    auth: "auth/customer.json",
    startUrl: start,
    allow: ["https://other.example"],
    browser: UNSEEN,
  };
  const { file, start: begin } = await project({ roles: { customer } });
  const login = begin(["customer"], DISPLAY);
  await login.said(/press Enter/);
  await closed;
  login.tell("\n");
  const { code, out, err } = await login.ended;
  assert.deepEqual([code, err], [0, ""]);
  assert.match(out, /1 cookie, storage of 2 origins/);
  const { cookies, origins } = JSON.parse(await readFile(file, "utf8"));
  assert.deepEqual([cookies[0].name, cookies[0].value], ["sid", "by-hand"]);
  const tokens = origins.map(({ origin, localStorage }: Record<string, unknown>) => [origin, localStorage]);
  assert.deepEqual(Object.fromEntries(tokens), {
    [site.origin]: [{ name: "token", value: "start" }],
    [site.otherOrigin]: [{ name: "token", value: "popup" }],
  });
  const { sessionStorage, indexedDB } = origins.find(
    ({ origin }: { origin: string }) => origin === site.origin,
  );
  assert.deepEqual(sessionStorage, [{ name: "tab", value: "start" }]);
  assert.deepEqual(indexedDB[0].stores[0].records, [{ key: "key", value: "deep" }]);
});

test("an unfinished login is not saved, and leaves no browser and no profile", BY_HAND, async () => {
  const roles = { customer: { auth: "auth/customer.json", browser: UNSEEN } };
  const endings: [
    string,
    (login: ReturnType<typeof startCommand>, browsers: number[]) => void,
    number,
    RegExp,
  ][] = [
    ["no input", (login) => login.tell(undefined), 1, /standard input ended before anybody pressed Enter/],
    [
      "window closed",
      (_login, [browser = 0]) => void process.kill(browser, "SIGTERM"),
      1,
      /the (window|browser) was closed before/,
    ],
    ["interrupted", (login) => login.child.kill("SIGINT"), 130, /ended, and no login was saved/],
  ];
  for (const [name, end, expected, words] of endings) {
    const { file, start, profiles, browsers } = await project({ roles });
    const login = start(["customer"], DISPLAY);
    await login.said(/press Enter/);
    end(login, browsers());
    const { code, err } = await login.ended;
    assert.equal(code, expected, `${name}: ${err}`);
    assert.match(err, words);
    assert.doesNotMatch(err, /\n\s+at /);
    await assert.rejects(readFile(file), { code: "ENOENT" });
    assert.deepEqual([await profiles(), browsers()], [[], []], name);
  }
});
