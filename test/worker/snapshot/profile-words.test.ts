import assert from "node:assert/strict";
import { test } from "node:test";
import { findTool, inProfile, PROFILES } from "../../../proto/tools/read-tools.ts";
import { moreWays, pointer, tabPointer, tokensFor } from "../../../worker/snapshot/profile-words.ts";

test("replies name only tools of the client's profile", () => {
  for (const profile of PROFILES) {
    const texts = [
      pointer(profile, "get_failures", "shows them"),
      pointer(profile, "browser_find", "finds them"),
      tabPointer(profile),
      moreWays(profile),
    ];
    for (const [name] of texts.join("\n").matchAll(/\b(?:browser_\w+|get_failures)\b/g))
      assert.ok(inProfile(findTool(name)?.profile ?? "debug", profile), `${name} in ${profile}`);
  }
  assert.equal(pointer("small", "get_failures", "shows them"), "");
  assert.equal(pointer("core", "get_failures", "shows them"), " (get_failures shows them)");
  assert.match(tabPointer("core"), /browser_tabs/);
});

test("the small profile has a smaller budget, unless the call asks for more", () => {
  assert.equal(tokensFor({ profile: "small" }), 1500);
  assert.equal(tokensFor({ profile: "small" }, 0), 0);
  assert.equal(tokensFor({ profile: "core" }), 6000);
  assert.equal(tokensFor({ profile: "core" }, 900), 900);
  assert.equal(tokensFor({ profile: "small", maxTokens: 3000 }), 3000);
  assert.equal(tokensFor({ profile: "core", maxTokens: 3000 }, 900), 900);
  assert.equal(tokensFor({ profile: "core", maxTokens: 0 }), 0);
});
