import assert from "node:assert/strict";
import { test } from "node:test";
import { splitSession } from "../../../proto/calls/session-argument.ts";
import { detailOf, isTroupeError } from "../../../proto/errors/catalogue.ts";
import { baseSessionId, namedSessionId } from "../../../proto/wire/session-name.ts";
import type { Json, JsonObject } from "../../../proto/wire/struct.ts";

function refusal(args: JsonObject) {
  try {
    splitSession(args);
  } catch (error) {
    if (isTroupeError(error)) return error;
    throw error;
  }
  return assert.fail("nothing was refused");
}

test("the session is split from the arguments; without one it is the connection's own", () => {
  assert.deepEqual(splitSession({ ref: "e5", session: "buyer.2_a-B" }), {
    session: "buyer.2_a-B",
    args: { ref: "e5" },
  });
  assert.deepEqual(splitSession({ ref: "e5" }), { session: undefined, args: { ref: "e5" } });
  for (const session of [null, ""])
    assert.deepEqual(splitSession({ session }), { session: undefined, args: {} });
});

test("a session in quotes, in a list of one, as a number or under a similar name is taken", () => {
  const cases: [JsonObject, string][] = [
    [{ session: " 'buyer' " }, "buyer"],
    [{ session: ["buyer"] }, "buyer"],
    [{ session: 7 }, "7"],
    [{ Session: "buyer" }, "buyer"],
    [{ session_name: "buyer" }, "buyer"],
    [{ sessionId: "buyer" }, "buyer"],
  ];
  for (const [args, name] of cases) assert.deepEqual(splitSession(args), { session: name, args: {} });
});

test("a name that is not allowed is an invalid argument", () => {
  const wrong: Json[] = ["a b", "a/b", "a~b", "Käufer", "x".repeat(65), "é", 1.5, true, {}, ["a", "b"], " "];
  for (const session of wrong) {
    const { type, data } = refusal({ ref: "e5", session });
    assert.equal(type, "INVALID_ARGUMENT");
    assert.equal((data as { argument: string }).argument, "session");
  }
});

test("the corrected call keeps different names apart", () => {
  const correctedOf = (args: JsonObject) => {
    const call = {
      tool: "browser_click",
      arguments: args,
      profile: "core",
      role: "",
      session: "",
      tab: "",
    } as const;
    return detailOf(refusal(args), call, 0).steps[0]?.arguments;
  };
  assert.deepEqual(correctedOf({ ref: "e5", Session: "agent 1" }), { ref: "e5", session: "agent-1" });
  const odd = ["агент", "актёр", `${"x".repeat(70)}1`, `${"x".repeat(70)}2`, "~~", "~!"];
  const mended = odd.map((session) => correctedOf({ ref: "e5", session })?.session);
  assert.equal(new Set(mended).size, odd.length);
  for (const session of mended) assert.equal(splitSession({ session: session ?? null }).session, session);
});

test("an id with a name is taken apart only by that name", () => {
  const id = namedSessionId("mcp-1~x", "buyer");
  assert.equal(baseSessionId(id, "buyer"), "mcp-1~x");
  assert.equal(baseSessionId(id, "yer"), undefined);
  assert.equal(baseSessionId("~buyer", "buyer"), undefined);
  assert.equal(baseSessionId(id, ""), undefined);
  assert.equal(baseSessionId(id, "x~buyer"), undefined);
});
