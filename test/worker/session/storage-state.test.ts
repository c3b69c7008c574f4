import assert from "node:assert/strict";
import { test } from "node:test";
import { parseStorageState } from "../../../worker/session/storage-state.ts";

const parse = (value: unknown) => parseStorageState(JSON.stringify(value), "auth/x.json");
const cookie = { name: "sid", value: "s3cret", domain: "shop.example" };

test("a file as Playwright writes it is taken whole", () => {
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

test("what may be missing is filled in, and what is unknown is left alone", () => {
  assert.deepEqual(parse({}), { cookies: [], origins: [] });
  const { cookies } = parse({ cookies: [{ ...cookie, priority: "High" }], futureField: 1 });
  assert.deepEqual(cookies, [{ ...cookie, path: "/", expires: -1, httpOnly: false, secure: false }]);
});

test("whatever is wrong is named by its place, without what is in the file", () => {
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

function messageOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return (error as Error).message;
  }
  return assert.fail("nothing was wrong");
}
