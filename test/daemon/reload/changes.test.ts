import assert from "node:assert/strict";
import { test } from "node:test";
import type { DaemonConfig } from "../../../daemon/config/load.ts";
import { checkConfiguration } from "../../../daemon/config/read.ts";
import { configChanges } from "../../../daemon/reload/changes.ts";

function configured(given: object): DaemonConfig {
  const checked = checkConfiguration(given);
  assert.ok("configuration" in checked);
  const { configuration } = checked;
  const roles = Object.entries(configuration.roles).map(([name, role]) => ({
    ...role,
    name,
    auth: undefined,
    browser: { ...configuration.browser, ...role.browser },
  }));
  return { ...configuration, roles, listen: [], http: [], warnings: [] } as unknown as DaemonConfig;
}

const before = configured({ roles: { a: { startUrl: "https://a.test/" }, b: {} } });

const table: [what: string, after: object, restarts: string[], left: string[]][] = [
  [
    "the same configuration changes nothing",
    { roles: { a: { startUrl: "https://a.test/" }, b: {} } },
    [],
    [],
  ],
  [
    "another start page restarts its role alone",
    { roles: { a: { startUrl: "https://b.test/" }, b: {} } },
    ["a"],
    [],
  ],
  [
    "more places restart nothing",
    { roles: { a: { startUrl: "https://a.test/", sessions: 9 }, b: {} } },
    [],
    ["a"],
  ],
  [
    "another bound of memory restarts nothing",
    { roles: { a: { startUrl: "https://a.test/" }, b: { memory: "1GiB" } } },
    [],
    ["b"],
  ],
  [
    "the browser of all restarts all",
    { browser: { args: ["--lang=de"] }, roles: { a: { startUrl: "https://a.test/" }, b: {} } },
    ["a", "b"],
    [],
  ],
];

for (const [what, after, restarts, left] of table) {
  test(what, () => {
    const { changed, added, removed } = configChanges(before, configured(after));
    const named = (wanted: boolean) =>
      changed.filter((each) => each.restarts === wanted).map(({ settings }) => settings.name);
    assert.deepEqual([named(true), named(false), added, removed], [restarts, left, [], []]);
  });
}

test("keys outside of roles that take effect at once are listed", () => {
  const roles = { a: { startUrl: "https://a.test/" }, b: {} };
  const { applied, later } = configChanges(
    before,
    configured({ roles, limits: { queue: 3 }, hosts: ["x.test"] }),
  );
  assert.deepEqual([applied, later], [["limits"], ["hosts"]]);
});

test("another issuer, and other grants of the same one, take effect at once", () => {
  const roles = { a: { startUrl: "https://a.test/" }, b: {} };
  const oidc = { issuer: "https://id.test", audience: "troupe", roles: "groups" };
  const { applied, later } = configChanges(before, configured({ roles, oidc }));
  assert.deepEqual([applied, later], [["oidc"], []]);
});

test("added and removed roles are listed by name, and keys for the next start by key", () => {
  const { added, removed, later } = configChanges(
    before,
    configured({ roles: { b: {}, c: {} }, hosts: ["x.test"] }),
  );
  assert.deepEqual([added.map(({ name }) => name), removed, later], [["c"], ["a"], ["hosts"]]);
});
