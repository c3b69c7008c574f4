import assert from "node:assert/strict";
import { test } from "node:test";
import { currentTab } from "../../../../client/cli/watch/follow.ts";
import { watchedSession } from "../../../../client/cli/watch/watched-session.ts";

const tab = (id: string, current = false) => ({ id, current, url: "", title: "" });
const session = (id: string, role: string, ...tabs: ReturnType<typeof tab>[]) => ({
  id,
  roles: [{ role, tabs, resting: false, personSince: null }],
});
const ALL = [
  session("cli-1", "customer", tab("t1", true)),
  session("shop-agent", "customer", tab("t1"), tab("t2", true)),
  session("it's", "customer", tab("t1")),
  session("boss", "admin", tab("t1")),
  session("empty", "admin"),
];
const ROLES = ["customer", "admin", "visitor"];

function chosen(
  role: string,
  { session, own = "cli-9", tab }: { session?: string; own?: string; tab?: string } = {},
) {
  return watchedSession({ role, session, own, tab }, ROLES, ALL);
}

test("the named session is watched, else this terminal's own", () => {
  assert.equal(chosen("customer", { session: "shop-agent", tab: "t2" }), "shop-agent");
  assert.equal(chosen("customer", { own: "cli-1" }), "cli-1");
});

test("without a session of this terminal, the role's sessions are listed as commands", () => {
  assert.throws(() => chosen("customer"), {
    exitCode: 64,
    message: `this terminal has no session in role customer: name one
  troupe watch customer --session cli-1
  troupe watch customer --session shop-agent
  troupe watch customer --session 'it'\\''s'`,
  });
  assert.throws(() => chosen("visitor"), /no session uses role visitor/);
});

test("wrong roles, sessions and tabs are named with what is meant", () => {
  const cases: [() => unknown, RegExp][] = [
    [() => chosen("custmer"), /no role "custmer"; did you mean customer\?/],
    [() => chosen("nothing"), /there are customer, admin, visitor/],
    [() => chosen("customer", { session: "shop-agnt" }), /no session "shop-agnt": did you mean shop-agent\?/],
    [() => chosen("customer", { session: "boss" }), /session boss does not use role customer; it uses admin/],
    [
      () => chosen("customer", { session: "shop-agent", tab: "t7" }),
      /no tab "t7" in role customer; it has t1, t2/,
    ],
    [() => chosen("admin", { session: "empty" }), /no tab open in role admin/],
  ];
  for (const [choose, message] of cases) assert.throws(choose, { exitCode: 64, message });
});

test("the next tab is the current one, and never one that is closed already", () => {
  assert.equal(currentTab(ALL, "shop-agent", "customer", new Set()), "t2");
  assert.equal(currentTab(ALL, "shop-agent", "customer", new Set(["t2"])), "t1");
  assert.equal(currentTab(ALL, "shop-agent", "customer", new Set(["t1", "t2"])), undefined);
  assert.equal(currentTab(ALL, "gone", "customer", new Set()), undefined);
});
