// The commands of docs/ENTRY.md start the shipped nginx, reload it and stop it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { certificateFolder } from "../../harness/certificates.ts";
import { freePort } from "../../harness/free-port.ts";
import { SHIPPED, skipWithoutNginx, temporaryPaths } from "../../harness/servers/nginx.ts";
import { tempDir } from "../../harness/temp-dir.ts";
import { until } from "../../harness/within.ts";
import { blocksOf, pageText } from "../../readme/pages.ts";

const PAGE = "docs/ENTRY.md";

test("nginx starts with logs that only its owner reads, reloads, and stops", {
  skip: skipWithoutNginx,
  timeout: 60_000,
}, async () => {
  using temp = tempDir();
  using certificates = certificateFolder();
  const file = (name: string) => path.join(temp.dir, name);
  for (const [from, to] of [
    ["server.crt", "entry.crt"],
    ["server.key", "entry.key"],
    ["ca.crt", "ca.crt"],
  ] as const)
    writeFileSync(file(to), certificates.contents(from));
  writeFileSync(file("nginx.conf"), await movedTo(temp.dir));
  const commands = blocksOf(PAGE, pageText(PAGE)).filter(({ text }) => text.includes("nginx -c"));
  const [start = "", reload = "", stop = "", ...others] = commands.map(({ text }) => text);
  assert.deepEqual(others, []);
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };
  const run = (command: string) =>
    execFileSync("sh", ["-ec", command], { cwd: temp.dir, env, stdio: "ignore" });

  run(start);
  const isRunning = () => existsSync(file("troupe-nginx.pid"));
  try {
    assert.ok(isRunning());
    for (const log of ["troupe.log", "troupe-error.log"])
      assert.equal(statSync(file(log)).mode & 0o777, 0o600, log);
    run(reload);
  } finally {
    run(stop);
    await until(() => !isRunning(), "nginx has ended");
  }
});

/** Returns the shipped configuration with a port and folders of this test. */
async function movedTo(dir: string): Promise<string> {
  const shipped = readFileSync(SHIPPED, "utf8");
  for (const place of ["/run/", "/var/log/nginx/", "listen 443 "]) assert.ok(shipped.includes(place), place);
  return shipped
    .replaceAll(/\/(?:run|var\/log\/nginx)\//g, `${dir}/`)
    .replaceAll(/daemon-\d\.example/g, "127.0.0.1")
    .replace("listen 443 ", `listen 127.0.0.1:${await freePort()} `)
    .replace("http {\n", `http {\n${temporaryPaths(dir)}`);
}
