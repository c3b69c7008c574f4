// Tests that a login copied from one context to another is the same login, with all kinds of values.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { CDPSession } from "puppeteer-core";
import { launchChrome } from "../../../worker/chrome/launch.ts";
import { captureContext, captureOrigin } from "../../../worker/storage/capture-storage.ts";
import { loadCookies, loadWebStorage } from "../../../worker/storage/load-storage.ts";
import { parseStorageState, type StorageState } from "../../../worker/storage/storage-state.ts";
import { pageScripts } from "../../../worker/tab/bridge-bundle.ts";
import { serveSite } from "../../site/serve.ts";

const [chrome, { storage: script }, site] = await Promise.all([
  launchChrome({ executable: "", headless: true, sandbox: "auto", args: [] } as never),
  pageScripts(),
  serveSite(),
]);
after(async () => {
  await site[Symbol.asyncDispose]();
  await chrome.close();
});
const page = site.page("<p>a page</p>");

/** A context with a tab. Disposing of it ends it. */
async function openContext() {
  const context = await chrome.browser.createBrowserContext();
  const open = async (url = "about:blank") => {
    const tab = await context.newPage();
    const client = await tab.createCDPSession();
    await client.send("Page.enable");
    await tab.goto(url);
    return { client, run: (source: string) => tab.evaluate(source), close: () => tab.close() };
  };
  return { id: context.id ?? "", open, [Symbol.asyncDispose]: () => context.close() };
}

async function contextWith(state: StorageState) {
  const context = await openContext();
  const tab = await context.open();
  await loadCookies(chrome.session, context.id, state);
  await loadWebStorage({ tab: tab.client, origins: state.origins, script });
  return context;
}

const capture = async (client: CDPSession, bounds = {}) => {
  const captured = await captureOrigin(client, { script, ...bounds });
  assert.ok(captured);
  return captured;
};

/** The state after it was written to a file. */
const reread = (state: unknown) => parseStorageState(JSON.stringify(state), "a");

/** In a page: opens a database made by `make(db)`, and fills it by `fill(transaction)`. */
const FILL = `globalThis.fill = (name, make, fill) => new Promise((resolve, reject) => {
  const request = indexedDB.open(name, 3);
  request.onupgradeneeded = () => make(request.result);
  request.onerror = () => reject(request.error);
  request.onsuccess = () => {
    const db = request.result;
    const transaction = db.transaction([...db.objectStoreNames], "readwrite");
    fill(transaction);
    transaction.oncomplete = () => { db.close(); resolve(); };
    transaction.onabort = () => reject(transaction.error);
  };
});
globalThis.all = (name, store) => new Promise((resolve, reject) => {
  const request = indexedDB.open(name);
  request.onerror = () => reject(request.error);
  request.onsuccess = () => {
    const got = request.result.transaction(store).objectStore(store).getAll();
    got.onsuccess = () => { request.result.close(); resolve(got.result); };
    got.onerror = () => reject(got.error);
  };
});
true;`;

const KINDS: [source: string, same: string][] = [
  ["undefined", "it === undefined"],
  ["null", "it === null"],
  ["0", "Object.is(it, 0)"],
  ["-0", "Object.is(it, -0)"],
  ["NaN", "Number.isNaN(it)"],
  ["[Infinity, -Infinity]", "it[0] === Infinity && it[1] === -Infinity"],
  ["''", "it === ''"],
  ["false", "it === false"],
  ["12345678901234567890n", "it === 12345678901234567890n"],
  ["new Date(1700000000123)", "it instanceof Date && it.getTime() === 1700000000123"],
  ["new Date(NaN)", "it instanceof Date && Number.isNaN(it.getTime())"],
  ["/a[b]/gi", "it instanceof RegExp && String(it) === '/a[b]/gi'"],
  ["new TypeError('no')", "it instanceof TypeError && it.message === 'no'"],
  ["[1, , 3]", "it.length === 3 && it[2] === 3 && !(1 in it)"],
  [
    "Object.assign([1, , ], { 0: { n: 2 }, note: 'x' })",
    "it.length === 2 && it[0].n === 2 && it.note === 'x' && !(1 in it)",
  ],
  ["(() => { const list = [1]; list.length = 4e9; return list; })()", "it.length === 4e9 && it[0] === 1"],
  ["new Map([[{ k: 1 }, new Set([1, 'a'])]])", "[...it.keys()][0].k === 1 && [...it.values()][0].has('a')"],
  ["new Uint16Array([1, 65535])", "it instanceof Uint16Array && String(it) === '1,65535'"],
  ["new BigInt64Array([-1n])", "it instanceof BigInt64Array && it[0] === -1n"],
  [
    "new Uint8Array(100000).fill(7).buffer",
    "it instanceof ArrayBuffer && new Uint8Array(it).every((b) => b === 7)",
  ],
  [
    "new DataView(new Uint8Array([1, 2, 3]).buffer, 1)",
    "it instanceof DataView && it.byteLength === 2 && it.getUint8(0) === 2",
  ],
  [
    "new File(['hello'], 'a.txt', { type: 'text/plain', lastModified: 5 })",
    "it instanceof File && it.name === 'a.txt' && it.lastModified === 5 && (await it.text()) === 'hello'",
  ],
  ["new Blob(['hello'])", "it instanceof Blob && (await it.text()) === 'hello'"],
  ["Object(5)", "typeof it === 'object' && it.valueOf() === 5"],
  [
    "(() => { const it = { list: [] }; it.self = it; it.list.push(it.list); return it; })()",
    "it.self === it && it.list[0] === it.list",
  ],
  ['JSON.parse(\'{"__proto__": {"x": 1}, "d": 1}\')', "Object.hasOwn(it, '__proto__') && it.x === undefined"],
  [
    "{ ...JSON.parse('{\"__proto__\": {\"x\": 1}}'), ['__proto__']: { x: 1 }, at: new Date(0) }",
    "Object.hasOwn(it, '__proto__') && it.x === undefined && it.at.getTime() === 0",
  ],
  [
    "await crypto.subtle.generateKey({ name: 'AES-GCM', length: 128 }, true, ['encrypt'])",
    "it instanceof CryptoKey && it.extractable && it.algorithm.name === 'AES-GCM' && it.usages[0] === 'encrypt'",
  ],
  [
    "(await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign'])).privateKey",
    "it.type === 'private' && it.algorithm.namedCurve === 'P-256'",
  ],
];

test("a context is the same after its copy to a file and to another context, with every kind of value", async () => {
  await using from = await openContext();
  const first = await from.open(page);
  const secret = "await crypto.subtle.generateKey({ name: 'AES-GCM', length: 128 }, false, ['encrypt'])";
  await first.run(`(async () => { ${FILL}
    localStorage.token = "t\\ud800"; sessionStorage.tab = "first"; document.cookie = "theme=dark";
    const values = [${KINDS.map(([source]) => source).join()}, ${secret}];
    await fill("kinds", (db) => {
      db.createObjectStore("values");
      const people = db.createObjectStore("people", { keyPath: ["a", "b.c"] });
      people.createIndex("tags", "tags", { unique: true, multiEntry: true });
      people.createIndex("both", ["a", "tags"]);
      db.createObjectStore("log", { keyPath: "id", autoIncrement: true });
    }, (transaction) => {
      values.forEach((value, at) => transaction.objectStore("values").add(value, [at, new Date(at), new Uint8Array([at])]));
      transaction.objectStore("people").add({ a: 1, b: { c: "x" }, tags: ["p", "q"] });
      transaction.objectStore("log").add({ text: "one" });
    });
  })()`);
  const other = await from.open(site.elsewhere(page));
  await other.run(`localStorage.token = "other"`);
  const blank = await from.open();
  const asked = site.requests.length;
  const captured = await captureContext({
    browser: chrome.session,
    contextId: from.id,
    tab: blank.client,
    origins: [site.origin, site.otherOrigin, "https://nothing.example"],
    pages: [first.client],
    script,
  });
  assert.equal(site.requests.length, asked);
  assert.deepEqual(captured.errors, []);
  // Only a key that may not leave the browser is left out, and that is reported.
  assert.deepEqual(captured.leftOut, [
    {
      area: "indexedDB",
      database: "kinds",
      store: "values",
      reason: "no form",
      records: 1,
      origin: site.origin,
    },
  ]);
  const state = reread(captured.state);
  assert.deepEqual(
    state.cookies.map(({ name, value }) => [name, value]),
    [["theme", "dark"]],
  );
  assert.deepEqual(
    state.origins.map(({ origin }) => origin),
    [site.origin, site.otherOrigin],
  );

  await using into = await contextWith(state);
  const there = await into.open(page);
  const wrong = await there.run(`(async () => { ${FILL}
    const tests = [${KINDS.map(([, same]) => `async (it) => ${same}`).join()}];
    const values = await all("kinds", "values");
    const failed = [];
    for (const [at, test] of tests.entries()) if (!(await test(values[at]))) failed.push(at);
    return JSON.stringify({ failed, count: values.length, log: await all("kinds", "log"),
      people: await all("kinds", "people"), token: localStorage.token, cookie: document.cookie,
      version: (await indexedDB.databases())[0].version });
  })()`);
  const { failed, ...rest } = JSON.parse(String(wrong));
  assert.deepEqual(
    failed.map((at: number) => KINDS[at]),
    [],
  );
  assert.deepEqual(rest, {
    count: KINDS.length,
    log: [{ text: "one", id: 1 }],
    people: [{ a: 1, b: { c: "x" }, tags: ["p", "q"] }],
    token: "t\ud800",
    cookie: "theme=dark",
    version: 3,
  });
  // A second copy gives the same file.
  const again = await capture(there.client);
  assert.deepEqual(again.leftOut, []);
  assert.deepEqual(again.origin.indexedDB, state.origins[0]?.indexedDB);
});

test("a page that closes before it is read is left out, and its origin is read in another tab", async () => {
  await using from = await openContext();
  const shown = await from.open(page);
  await shown.run(`localStorage.token = "kept"`);
  const reader = await from.open();
  await shown.close();
  const captured = await captureContext({
    browser: chrome.session,
    contextId: from.id,
    tab: reader.client,
    origins: [site.origin],
    pages: [shown.client],
    script,
  });
  assert.deepEqual(captured.errors, []);
  assert.deepEqual(
    captured.state.origins.map(({ origin, localStorage }) => [origin, localStorage]),
    [[site.origin, [{ name: "token", value: "kept" }]]],
  );
});

test("databases beyond the bound are left out whole and reported, and the others are copied", async () => {
  await using context = await openContext();
  const { client, run } = await context.open(page);
  await run(`(async () => { ${FILL}
    localStorage.token = "t0ken";
    const make = (db) => db.createObjectStore("s", { autoIncrement: true });
    await fill("big", make, (transaction) => {
      for (let at = 0; at < 50; at++) transaction.objectStore("s").add("x".repeat(1000));
    });
    await fill("bytes", make, (transaction) => transaction.objectStore("s").add(new Blob([new Uint8Array(40000)])));
    await fill("small", make, (transaction) => transaction.objectStore("s").add("kept"));
  })()`);
  const { origin, leftOut } = await capture(client, { databaseChars: 30_000 });
  assert.deepEqual(
    origin.indexedDB.map(({ name }) => name),
    ["small"],
  );
  assert.deepEqual(leftOut, [
    { area: "indexedDB", database: "big", reason: "too large" },
    { area: "indexedDB", database: "bytes", reason: "too large" },
  ]);
  const none = await capture(client, { originChars: 10 });
  assert.deepEqual(none.origin.localStorage, []);
  assert.deepEqual(none.leftOut[0], { area: "localStorage", reason: "too large" });
});

test("a database that a page holds is left out in time, alone, and stays unchanged", async () => {
  await using context = await openContext();
  const holder = await context.open(page);
  await holder.run(`(async () => { ${FILL}
    await fill("free", (db) => db.createObjectStore("s", { keyPath: "id" }), (transaction) => transaction.objectStore("s").add({ id: 1 }));
    await fill("held", (db) => db.createObjectStore("s"), (transaction) => transaction.objectStore("s").add(1, 1));
    // A change of version that waits for its own page, which does not let go.
    await new Promise((resolve) => {
      const open = indexedDB.open("held");
      open.onsuccess = () => {
        globalThis.kept = open.result;
        const change = indexedDB.open("held", 4);
        change.onblocked = resolve;
      };
    });
  })()`);
  const { origin, leftOut } = await capture(holder.client, { timeMs: 1_000 });
  assert.deepEqual(
    origin.indexedDB.map(({ name }) => name),
    ["free"],
  );
  assert.deepEqual(leftOut, [{ area: "indexedDB", database: "held", reason: "no answer" }]);
  // When the page lets go, its change is done: the copy did not interfere.
  const version = await holder.run(`new Promise((resolve) => {
    kept.close();
    const open = indexedDB.open("held");
    open.onsuccess = () => resolve(open.result.version);
  })`);
  assert.equal(version, 4);

  // A page that keeps a database open does not block a fresher login from it.
  const keeper = await context.open(page);
  await keeper.run(
    `new Promise((resolve) => { indexedDB.open("free").onsuccess = (event) => resolve(void (globalThis.kept = event.target.result)); })`,
  );
  const blank = await context.open();
  const [free] = origin.indexedDB;
  assert.ok(free?.stores[0]);
  free.stores[0].records = [{ value: { id: 2 } }];
  await loadWebStorage({ tab: blank.client, origins: [{ ...origin, indexedDB: [free] }], script });
  assert.equal(
    await keeper.run(`(async () => { ${FILL} return JSON.stringify(await all("free", "s")); })()`),
    '[{"id":2}]',
  );
});

test("a file that a database refuses is not half loaded, and the error does not quote it", async () => {
  const store = { name: "s3cret", autoIncrement: false, indexes: [], keyPath: "id" };
  const databases = [
    {
      name: "s3cret-twice",
      version: 1,
      stores: [{ ...store, records: [{ value: { id: 1 } }, { value: { id: 1 } }] }],
    },
    { name: "s3cret-keyless", version: 1, stores: [{ ...store, records: [{ value: "s3cret" }] }] },
    { name: "good", version: 1, stores: [{ ...store, records: [{ value: { id: 1 } }] }] },
  ];
  const state = reread({ origins: [{ origin: site.origin, indexedDB: databases }] });
  await using context = await openContext();
  const { client } = await context.open();
  await assert.rejects(loadWebStorage({ tab: client, origins: state.origins, script }), (error: Error) => {
    assert.match(error.message, /refused its storage: \w+ \(indexedDB\)$/);
    assert.doesNotMatch(error.message, /s3cret/);
    return true;
  });
  const shown = await context.open(page);
  assert.equal(
    await shown.run("indexedDB.databases().then((all) => all.map(({ name }) => name).join())"),
    "good",
  );
});

test("a blank page has no storage for a login", async () => {
  await using context = await openContext();
  const { client } = await context.open();
  assert.equal(await captureOrigin(client, { script }), undefined);
});
