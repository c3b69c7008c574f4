import assert from "node:assert/strict";
import { truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { parseStorageState, readStorageState } from "../../../worker/storage/storage-state.ts";
import { tempDir } from "../../harness/temp-dir.ts";

const parse = (value: unknown) => parseStorageState(JSON.stringify(value), "auth/x.json");
const cookie = { name: "sid", value: "s3cret", domain: "shop.example" };

test("a file as Playwright writes it is read whole", () => {
  const state = parse({
    cookies: [{ ...cookie, path: "/", expires: -1, httpOnly: true, secure: true, sameSite: "Lax" }],
    origins: [{ origin: "https://shop.example", localStorage: [{ name: "a", value: "b" }] }],
  });
  assert.deepEqual(state.cookies, [
    { ...cookie, path: "/", expires: -1, httpOnly: true, secure: true, sameSite: "Lax" },
  ]);
  assert.deepEqual(state.origins[0]?.localStorage, [{ name: "a", value: "b" }]);
  assert.deepEqual(state.origins[0]?.sessionStorage, []);
});

test("missing optional parts are filled in, and unknown ones are ignored", () => {
  assert.deepEqual(parse({}), { cookies: [], origins: [] });
  const { cookies } = parse({ cookies: [{ ...cookie, priority: "High" }], futureField: 1 });
  assert.deepEqual(cookies, [{ ...cookie, path: "/", expires: -1, httpOnly: false, secure: false }]);
});

test("an error names the wrong place, without the file's content", () => {
  for (const [value, place] of [
    ["s3cret", "the whole"],
    [null, "the whole"],
    [[cookie], "the whole"],
    [{ cookies: { sid: "s3cret" } }, "cookies"],
    [{ cookies: [{ name: "sid", domain: "a" }] }, "cookies.0.value"],
    [{ cookies: [{ name: "sid", value: "s3cret" }] }, "cookies.0"],
    [{ cookies: [{ ...cookie, domain: "" }] }, "cookies.0.domain"],
    [{ cookies: [{ ...cookie, expires: "s3cret" }] }, "cookies.0.expires"],
    [{ cookies: [{ ...cookie, sameSite: "s3cret" }] }, "cookies.0.sameSite"],
    [{ origins: [{ origin: "s3cret" }] }, "origins.0.origin"],
    [{ origins: [{ origin: "file:///s3cret" }] }, "origins.0.origin"],
    [{ origins: [{ origin: "javascript:s3cret" }] }, "origins.0.origin"],
    [
      { origins: [{ origin: "https://a.example", localStorage: [{ name: 1, value: "s3cret" }] }] },
      "origins.0.localStorage.0.name",
    ],
  ] as const) {
    const message = messageOf(() => parse(value));
    assert.ok(
      message.startsWith(`Failed to load auth from auth/x.json: no storageState: ${place}: `),
      message,
    );
    assert.doesNotMatch(message, /s3cret/);
  }
  assert.equal(
    messageOf(() => parseStorageState("{s3cret", "a")),
    "Failed to load auth from a: it is not JSON",
  );
  assert.equal(
    messageOf(() => parseStorageState("", "a")),
    "Failed to load auth from a: it is not JSON",
  );
});

const database = (records: unknown, more = {}) => ({
  origins: [
    {
      origin: "https://a.example",
      indexedDB: [{ name: "s3cret", version: 1, stores: [{ name: "s3cret", records, ...more }] }],
    },
  ],
});

test("databases as Playwright writes them are read, with values that only look like attacks", () => {
  const valueEncoded = {
    o: [
      { k: "__proto__", v: { v: "undefined" } },
      {
        k: "list",
        v: { a: [{ d: "2020-01-01T00:00:00.000Z" }, { ref: 1 }, { ta: { b: "AA==", k: "ui8" } }], id: 2 },
      },
      { k: "more", v: { o: [], id: 3, x: { map: [["a", { bi: "12" }]] } } },
    ],
    id: 1,
  };
  const value = JSON.parse('{"__proto__": {"isAdmin": true}, "constructor": 1}');
  const [origin] = parse(
    JSON.parse(
      JSON.stringify(
        database([
          { key: "k", value },
          { keyEncoded: 0, valueEncoded },
        ]),
      ),
    ),
  ).origins;
  const [store] = origin?.indexedDB[0]?.stores ?? [];
  assert.deepEqual(store?.records[1], { keyEncoded: 0, valueEncoded });
  assert.ok(Object.hasOwn(store?.records[0]?.value as object, "__proto__"));
  assert.equal(({} as Record<string, unknown>).isAdmin, undefined);
  assert.deepEqual([store?.indexes, store?.autoIncrement], [[], false]);
});

test("values in unknown forms are refused at any depth, without their content", () => {
  const records = "origins.0.indexedDB.0.stores.0.records";
  for (const [value, place] of [
    [database("s3cret"), records],
    [database([], { keyPath: { s3cret: 1 } }), "origins.0.indexedDB.0.stores.0.keyPath"],
    [database([], { indexes: [{ name: 5 }] }), "origins.0.indexedDB.0.stores.0.indexes.0.name"],
    ...[
      null,
      {},
      { h: 0 },
      { v: "s3cret" },
      { v: "constructor" },
      { d: 5 },
      { bi: "s3cret" },
      { bi: "1".repeat(100_000) },
      { ta: { b: "AA==", k: "Function" } },
      { a: [{ o: [{ k: 1, v: 1 }] }] },
      { a: [null] },
      { o: [], x: { view: { b: "AA==", k: "Function" } } },
      { o: [], x: { map: [["s3cret"]] } },
      { o: [], x: { s3cret: 1 } },
      { o: [], x: {} },
    ].map((valueEncoded) => [database([{ valueEncoded }]), `${records}.0.valueEncoded`] as const),
    [database([{ keyEncoded: { s3cret: 1 } }]), `${records}.0.keyEncoded`],
  ] as const) {
    const message = messageOf(() => parse(value));
    assert.ok(message.includes(`no storageState: ${place}: `), message);
    assert.doesNotMatch(message, /s3cret/);
  }
});

test("endless nesting is refused, and does not end the program", () => {
  const deep = `${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}`;
  const text = JSON.stringify(database([{ value: "HERE" }])).replace('"HERE"', deep);
  assert.match(
    messageOf(() => parseStorageState(text, "a")),
    /^Failed to load auth from a: no storageState: it is nested too deep$/,
  );
});

test("a file beyond the bound is not read", async () => {
  using temp = tempDir();
  const { dir } = temp;
  const file = path.join(dir, "large.json");
  await writeFile(file, "");
  await truncate(file, 64 * 1024 * 1024 + 1);
  await assert.rejects(readStorageState(file, "auth/large.json"), {
    message: "Failed to load auth from auth/large.json: it is larger than 64 MiB",
  });
});

function messageOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return (error as Error).message;
  }
  return assert.fail("nothing was wrong");
}
