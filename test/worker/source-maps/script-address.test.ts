// Tests which scripts an address means.
import assert from "node:assert/strict";
import { test } from "node:test";
import { addressPattern, baseName, isAddress } from "../../../worker/source-maps/script-address.ts";

test("an address is the whole one or its end, from a slash on", () => {
  const address = "https://shop.example/js/app.min.js?v=1#x";
  for (const [asked, fits] of [
    [address, true],
    ["https://shop.example/js/app.min.js", true],
    ["app.min.js", true],
    ["js/app.min.js", true],
    ["/js/app.min.js", true],
    ["./app.min.js", true],
    [" app.min.js ", true],
    ["app.min.js?v=1#x", true],
    ["app.min.js?v=2", false],
    ["min.js", false],
    ["appxmin.js", false],
    ["p.min.js", false],
    ["", false],
    ["(a+)+$", false],
  ] as const) {
    assert.equal(isAddress(asked, address), fits, asked);
    if (asked !== "" && !asked.includes("?"))
      assert.equal(new RegExp(addressPattern(asked)).test(address), fits, asked);
  }
  assert.equal(baseName(address), "app.min.js");
  assert.equal(baseName(""), "");
});
