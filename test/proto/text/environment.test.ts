import assert from "node:assert/strict";
import { test } from "node:test";
import { publicUrl } from "../../../proto/text/environment.ts";

test("an address hides long and secret parameters, and says so again when it is read anew", () => {
  const long = "x".repeat(101);
  const first = publicUrl(`https://user:pw@shop.test/?token=a&state=${long}&q=shoes`);
  assert.deepEqual(first, {
    url: "https://shop.test/?token=HIDDEN&state=HIDDEN&q=shoes",
    hidden: ["token", "state"],
  });
  assert.deepEqual(publicUrl(first.url), first);
  assert.deepEqual(publicUrl("https://shop.test/?q=hidden").hidden, []);
});
