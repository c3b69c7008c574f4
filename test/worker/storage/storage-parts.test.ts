// Tests a session's storage that is put together from its parts, and the changes by a login that was replaced.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Login } from "../../../worker/storage/role-login.ts";
import {
  cookiesOf,
  isReplaced,
  ofTab,
  originsOf,
  partName,
  storedParts,
} from "../../../worker/storage/storage-parts.ts";
import { parseStorageState } from "../../../worker/storage/storage-state.ts";

const SHOP = "https://shop.example";
const cookie = (name: string, value: string, domain: string) => ({ name, value, domain });
const item = (name: string, value: string) => ({ name, value });
const database = (name: string, version = 1) => ({ name, version, stores: [] });

const told = (of: Parameters<typeof partName>[0], value: unknown) => ({
  name: partName(of),
  data: Buffer.from(JSON.stringify(value)),
});
const parts = [
  told({ area: "cookies" }, [cookie("login", "old", "shop.example"), cookie("cart", "3", ".other.example")]),
  told({ area: "login" }, 1_000),
  told({ area: "local", origin: SHOP }, [item("token", "old"), item("theme", "dark")]),
  told({ area: "databases", origin: SHOP }, [database("a"), database("b")]),
  told({ area: "session", tab: "t1", origin: SHOP }, [item("step", "2")]),
  told({ area: "session", tab: "t2", origin: SHOP }, [item("step", "7")]),
];
const login = (writtenAtMs: number): Login => ({
  role: "shop",
  authPath: "auth.json",
  required: true,
  writtenAtMs,
  state: parseStorageState(
    JSON.stringify({
      cookies: [cookie("login", "new", ".shop.example")],
      origins: [{ origin: SHOP, localStorage: [item("token", "new")], indexedDB: [database("b", 2)] }],
    }),
    "auth.json",
  ),
});

test("parts come back as they were reported, a tab's own parts with the tab", () => {
  const stored = storedParts(parts);
  assert.deepEqual(originsOf(stored, "t2", login(1_000)), [
    {
      origin: SHOP,
      localStorage: [item("token", "old"), item("theme", "dark")],
      sessionStorage: [item("step", "7")],
      indexedDB: [database("a"), database("b")],
    },
  ]);
  assert.deepEqual(
    cookiesOf(stored, login(1_000)).map(({ value }) => value),
    ["old", "3"],
  );
  assert.deepEqual(ofTab(stored.session, "t1")[0]?.sessionStorage, [item("step", "2")]);
  assert.deepEqual(ofTab(stored.session, "t3"), []);
});

test("a replaced login is laid over the stored parts, and removes nothing else", () => {
  const stored = storedParts(parts);
  assert.ok(!isReplaced(stored, login(1_000)));
  assert.ok(isReplaced(stored, login(2_000)));
  assert.ok(!isReplaced(stored, undefined));
  assert.deepEqual(
    cookiesOf(stored, login(2_000)).map(({ value }) => value),
    ["3", "new"],
  );
  const [shop] = originsOf(stored, "t1", login(2_000));
  assert.deepEqual(shop?.localStorage, [item("theme", "dark"), item("token", "new")]);
  assert.deepEqual(shop?.sessionStorage, [item("step", "2")]);
  assert.deepEqual(shop?.indexedDB, [database("a"), database("b", 2)]);
});

test("a part with an unknown name is refused", () => {
  assert.throws(() => storedParts([{ name: "unknown", data: Buffer.from("1") }]), /none of ours/);
  assert.throws(() => storedParts([{ name: "cookies", data: Buffer.from("{") }]), SyntaxError);
});
