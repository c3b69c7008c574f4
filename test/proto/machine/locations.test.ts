import assert from "node:assert/strict";
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { findConfigFile, stateFiles } from "../../../proto/machine/locations.ts";

async function folders() {
  const dir = await realpath(await mkdtemp(path.join(tmpdir(), "troupe-locations-")));
  await mkdir(path.join(dir, "shop/sub"), { recursive: true });
  await writeFile(path.join(dir, "shop/troupe.yaml"), "");
  return { dir, [Symbol.asyncDispose]: () => rm(dir, { recursive: true, force: true }) };
}

test("the configuration is the one named, else troupe.yaml here or in a parent, else none", async () => {
  await using made = await folders();
  const shop = path.join(made.dir, "shop/troupe.yaml");
  assert.equal(findConfigFile({ cwd: path.join(made.dir, "shop/sub"), env: {} }), shop);
  assert.equal(
    findConfigFile({ cwd: made.dir, env: {}, config: "other.yaml" }),
    path.join(made.dir, "other.yaml"),
  );
  assert.equal(findConfigFile({ cwd: made.dir, env: { TROUPE_CONFIG: shop } }), shop);
  assert.equal(findConfigFile({ cwd: made.dir, env: {} }), undefined);
});

test("two projects never share a state folder; one project under two names does", async () => {
  await using made = await folders();
  await mkdir(path.join(made.dir, "other/shop"), { recursive: true });
  await writeFile(path.join(made.dir, "other/shop/troupe.yaml"), "");
  await symlink(path.join(made.dir, "shop"), path.join(made.dir, "link"));
  const env = { HOME: made.dir };
  const dirOf = (cwd: string) => stateFiles({ cwd: path.join(made.dir, cwd), env }).dir;
  assert.notEqual(dirOf("shop"), dirOf("other/shop"));
  assert.equal(dirOf("shop"), dirOf("link"));
  assert.equal(stateFiles({ cwd: made.dir, env }).dir, path.join(made.dir, ".local/state/troupe/default"));
});

test("the flag comes before the environment, and XDG before HOME", () => {
  const cwd = "/srv";
  assert.equal(stateFiles({ cwd, env: { TROUPE_STATE_DIR: "/a" }, stateDir: "b" }).dir, "/srv/b");
  assert.equal(stateFiles({ cwd, env: { TROUPE_STATE_DIR: "/a" } }).dir, "/a");
  assert.equal(
    stateFiles({ cwd, env: { XDG_STATE_HOME: "/x", HOME: "/h" } }, undefined).dir,
    "/x/troupe/default",
  );
});
