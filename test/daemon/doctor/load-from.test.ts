import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { loadConfig } from "../../../daemon/config/load.ts";
import { loadFrom } from "../../../daemon/doctor/load-from.ts";
import { tempDir } from "../../harness/temp-dir.ts";

/** A state folder whose daemon was started with these arguments, and another folder with a configuration. */
function folders(started: string[]) {
  const temp = tempDir();
  const [stateDir, project] = [path.join(temp.dir, "state"), path.join(temp.dir, "project")];
  for (const dir of [stateDir, project]) mkdirSync(dir);
  writeFileSync(path.join(project, "team.yaml"), "roles: { buyer: {} }\n");
  const facts = { pid: 1, version: "", addresses: [], http: [] };
  writeFileSync(
    path.join(stateDir, "daemon.json"),
    JSON.stringify({ ...facts, started: { arguments: started, cwd: project } }),
  );
  const here = { env: { HOME: temp.dir }, cwd: temp.dir };
  const checked = (given: { config?: string; stateDir?: string }) => {
    const config = loadConfig(loadFrom(given, here));
    return { roles: config.roles.map(({ name }) => name), dir: config.state.dir };
  };
  return { temp, stateDir, checked, [Symbol.dispose]: () => temp[Symbol.dispose]() };
}

test("the doctor checks the configuration of the daemon that runs on the state folder", () => {
  using at = folders(["--config", "team.yaml", "--state-dir", "../state"]);
  assert.deepEqual(at.checked({ stateDir: at.stateDir }), { roles: ["buyer"], dir: at.stateDir });
  assert.deepEqual(at.checked({ stateDir: path.join(at.temp.dir, "other") }).roles, ["default"]);
});

test("the doctor checks the example and the roles of a daemon's command line", () => {
  using example = folders(["--example"]);
  assert.deepEqual(example.checked({ stateDir: example.stateDir }).roles, ["visitor", "customer", "admin"]);
  using flags = folders(["--role", "seller"]);
  assert.deepEqual(flags.checked({ stateDir: flags.stateDir }).roles, ["seller"]);
});

test("a configuration that the person names is the one that is checked", () => {
  using at = folders(["--config", "team.yaml"]);
  const own = path.join(at.temp.dir, "own.yaml");
  writeFileSync(own, "roles: { own: {} }\n");
  assert.deepEqual(at.checked({ stateDir: at.stateDir, config: own }).roles, ["own"]);
});
