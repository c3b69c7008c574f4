// Tests the check of an attached browser.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { attachedFinding } from "../../../worker/doctor/attached-browser.ts";
import { startPersonsChrome } from "../../harness/browser/persons-chrome.ts";
import { serveBrowser } from "../../harness/browser/spoken-browser.ts";
import { freePort } from "../../harness/free-port.ts";
import { tempDir } from "../../harness/temp-dir.ts";

test("an attached browser is looked for, and its absence has a remedy", async () => {
  await using chrome = await startPersonsChrome();
  assert.deepEqual(await attachedFinding(chrome.address, {}), {
    check: "attached browser",
    ok: true,
    found: `${chrome.address} answers`,
  });
  const away = await attachedFinding(`http://127.0.0.1:${await freePort()}`, {});
  assert.match(away.found, /nothing listens there/);
  assert.match(away.remedy ?? "", /--remote-debugging-port/);
  using home = tempDir();
  const auto = await attachedFinding("auto", { HOME: home.dir });
  assert.equal(auto.ok, false);
  assert.match(auto.remedy ?? "", /chrome:\/\/inspect/);
});

test("the port of a browser that crashed is not well, and another browser's is", async () => {
  using home = tempDir();
  const env = { HOME: home.dir, XDG_CONFIG_HOME: home.dir };
  const write = (name: string, address: string, place: string) => {
    mkdirSync(path.join(home.dir, name));
    const { port } = new URL(address);
    writeFileSync(path.join(home.dir, name, "DevToolsActivePort"), `${port}\n/devtools/browser/${place}`);
  };
  write("google-chrome-beta", `http://127.0.0.1:${await freePort()}`, "a");
  const stale = await attachedFinding("auto", env);
  assert.equal(stale.ok, false);
  assert.match(stale.found, /nothing listens at the port/);
  await using live = await serveBrowser();
  write("google-chrome", live.address, "b");
  assert.equal((await attachedFinding("auto", env)).ok, true);
  assert.equal(live.connections, 0);
});
