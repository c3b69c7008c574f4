import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

test("the set-up explains itself, and refuses what it does not know", async () => {
  await using checkout = await makeCheckout();
  const help = await checkout.setUp("--help");
  assert.equal(help.code, 0);
  assert.match(help.output, /usage: .*examples:.*exit codes:/s);
  const refused = await checkout.setUp("--fast");
  assert.deepEqual(refused, {
    code: 64,
    output: "setup: unknown argument --fast; there are --no-browser and --help\n",
  });
});

test("after the set-up each script begins in a new shell, as a shell goes on with the Node it found first", async () => {
  const { scripts } = JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8"));
  const setUps = Object.entries<string>(scripts).filter(([, command]) => command.includes("setup.mjs"));
  assert.ok(setUps.length > 5);
  for (const [name, command] of setUps)
    assert.match(command, /^node deploy\/setup\.mjs(?: --no-browser)?$/, name);
});

test("packages that were installed by hand are left alone, and then known without a look at the lock file", async () => {
  await using checkout = await makeCheckout();
  await checkout.install();
  assert.deepEqual(await checkout.setUp("--no-browser"), { code: 0, output: "" });
  await rm(join(checkout.path, "node_modules/.package-lock.json"));
  assert.deepEqual(await checkout.setUp("--no-browser"), { code: 0, output: "" });
});

test("a change of the lock file is noticed, and without npm it is said that npm is missing", async () => {
  await using checkout = await makeCheckout();
  await checkout.install();
  await checkout.setUp("--no-browser");
  await checkout.lock({ "node_modules/a": { version: "2.0.0" } });
  const { code, output } = await checkout.setUp("--no-browser");
  assert.equal(code, 69);
  assert.match(output, /setup: npm is not on the PATH\. Install it/);
});

test("the installation does not know that the package is being packed, and so builds nothing", async () => {
  await using checkout = await makeCheckout();
  const npm = join(checkout.path, "npm.js");
  const seen = join(checkout.path, "seen");
  await writeFile(
    npm,
    `import { writeFileSync } from "node:fs";
    writeFileSync(${JSON.stringify(seen)}, String(process.env.npm_package_resolved));
    process.exit(1);`,
  );
  await checkout.setUpIn({ npm_execpath: npm, npm_package_resolved: checkout.path }, "--no-browser");
  assert.equal(await readFile(seen, "utf8"), "undefined");
});

test("packages behind a symbolic link are used as they are, and nothing is installed through it", async () => {
  await using owner = await makeCheckout();
  await owner.install();
  await using checkout = await makeCheckout();
  await symlink(join(owner.path, "node_modules"), join(checkout.path, "node_modules"));
  assert.deepEqual(await checkout.setUp("--no-browser"), { code: 0, output: "" });
  await checkout.lock({ "node_modules/a": { version: "2.0.0" } });
  const { code, output } = await checkout.setUp("--no-browser");
  assert.equal(code, 78);
  assert.match(output, /node_modules is a symbolic link.*: an installation would empty it\. .*rm /);
});

test("another Node than the pinned one, or none, is said with what to do", async () => {
  await using checkout = await makeCheckout("1.2.3");
  await checkout.install();
  const other = await checkout.setUp("--no-browser");
  assert.equal(other.code, 69);
  assert.match(other.output, new RegExp(`should be Node 1\\.2\\.3, but says: ${process.version}`));
  await rm(join(checkout.path, "node_modules/.bin/node"));
  const none = await checkout.setUp("--no-browser");
  assert.equal(none.code, 69);
  assert.match(none.output, /npm rebuild node --ignore-scripts=false/);
});

test("a checkout without its lock file is said to be at fault", async () => {
  await using checkout = await makeCheckout();
  await rm(join(checkout.path, "package-lock.json"));
  const { code, output } = await checkout.setUp();
  assert.equal(code, 78);
  assert.match(output, /package-lock\.json is missing in .*: restore it/);
});

/** A checkout with one package and the set-up, as far as it needs no network. */
async function makeCheckout(pinned = process.versions.node) {
  const path = await mkdtemp(join(tmpdir(), "troupe-test-"));
  await cp(join(import.meta.dirname, "../../deploy"), join(path, "deploy"), { recursive: true });
  await writeFile(
    join(path, "package.json"),
    JSON.stringify({ type: "module", devDependencies: { node: pinned } }),
  );
  const lock = async (packages: object) =>
    writeFile(join(path, "package-lock.json"), JSON.stringify({ packages: { "": {}, ...packages } }));
  const packages = { "node_modules/a": { version: "1.0.0" } };
  await lock(packages);
  return {
    path,
    lock,
    async install(): Promise<void> {
      await mkdir(join(path, "node_modules/.bin"), { recursive: true });
      await symlink(process.execPath, join(path, "node_modules/.bin/node"));
      await writeFile(join(path, "node_modules/.package-lock.json"), JSON.stringify({ packages }));
    },
    setUp(...args: string[]) {
      return this.setUpIn({}, ...args);
    },
    setUpIn(env: Record<string, string>, ...args: string[]): Promise<{ code: unknown; output: string }> {
      const { promise, resolve } = Promise.withResolvers<{ code: unknown; output: string }>();
      // No PATH and no npm: nothing that these tests do may install anything.
      const options = { env: { PATH: "/nowhere", ...env }, timeout: 30_000 };
      execFile(
        process.execPath,
        [join(path, "deploy/setup.mjs"), ...args],
        options,
        (error, stdout, stderr) => {
          resolve({ code: error?.code ?? 0, output: stdout + stderr });
        },
      );
      return promise;
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}
