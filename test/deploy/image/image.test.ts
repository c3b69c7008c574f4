// The files that the container image is made of, held to the product. `npm run test:image` builds and runs it.
import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { loadConfig } from "../../../daemon/config/load.ts";
import { namedBrowser } from "../../../worker/chrome/find-browser.ts";
import { ROOT } from "../../readme/pages.ts";
import { type Instruction, readDockerfile, type Stage } from "./dockerfile.ts";
import { readIgnores } from "./dockerignore.ts";

const text = (file: string) => readFileSync(path.join(ROOT, file), "utf8");
const { args, stages } = readDockerfile(text("deploy/image/Dockerfile"));
const manifest = JSON.parse(text("package.json"));
const isIgnored = readIgnores(text(".dockerignore"));
const packages = text("deploy/image/packages")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"));
const PINNED = /^[\w.-]+(?:\/[\w.-]+)+:[\w.-]+@sha256:[0-9a-f]{64}$/;

/** The last stage with those that it begins with, the first of them first. */
const line: Stage[] = [];
for (let stage = stages.at(-1); stage; ) {
  line.unshift(stage);
  const { base } = stage;
  stage = stages.find(({ name }) => name === base);
}
const shipped = line.flatMap(({ instructions }) => instructions);
const last = (name: string): Instruction | undefined => shipped.findLast((each) => each.name === name);
const list = (name: string) => JSON.parse(last(name)?.rest.replace(/^CMD /, "") ?? "[]") as string[];
const pairs = (name: string) => {
  const found = shipped
    .filter((each) => each.name === name)
    .flatMap(({ rest }) => [...rest.matchAll(/([\w.]+)=("[^"]*"|\S+)/g)]);
  return Object.fromEntries(found.map(([, key = "", value = ""]) => [key, value.replaceAll('"', "")]));
};

test("base images have a tag for people and a digest", () => {
  for (const [name, value] of Object.entries(args)) assert.match(value, PINNED, name);
  const names = stages.map(({ name }) => name);
  for (const { base } of stages) assert.ok(PINNED.test(base) || names.includes(base), base);
  assert.match(args.NODE_IMAGE ?? "", new RegExp(`node:${manifest.devDependencies.node}-trixie-slim@`));
});

test("what is copied exists, and the build sees it", () => {
  const seen = new Set<string | undefined>();
  for (const { name, instructions } of stages) {
    for (const { flags, rest } of instructions.filter((each) => each.name === "COPY")) {
      const sources = rest.split(" ").slice(0, -1);
      if (flags.from) assert.ok(seen.has(flags.from), `${flags.from} is no earlier stage`);
      else
        for (const source of sources) {
          assert.ok(existsSync(path.join(ROOT, source)), source);
          assert.ok(source === "." || !isIgnored(source), `${source} is ignored`);
        }
    }
    seen.add(name);
  }
});

test("the build sees all that the package holds, and nothing else of a checkout", () => {
  const files = (manifest.files as string[]).filter((pattern) => pattern !== "dist");
  const held = files.flatMap((pattern) => globSync(pattern, { cwd: ROOT }));
  const needed = [
    "package-lock.json",
    "tsconfig.build.json",
    "README.md",
    "LICENSE",
    "deploy/build.ts",
    "proto/troupe/v1/browser.proto",
  ];
  assert.deepEqual([...held, ...needed].filter(isIgnored), []);
  const others = [
    "troupe.yaml",
    "auth/customer.json",
    "node_modules/zod/package.json",
    "dist/cli.js",
    ".git/config",
    ".npmrc",
    "test/run.ts",
    "proto/gen/troupe.ts",
    "deploy/compose/.env",
    "deploy/compose/secrets/tls.key",
    "deploy/first.key",
    "client/ci.token",
  ];
  assert.deepEqual(
    others.filter((file) => !isIgnored(file)),
    [],
  );
});

test("it runs under tini as a user with few rights, and is checked", () => {
  assert.equal(last("USER")?.rest, "10001:10001");
  assert.deepEqual(list("ENTRYPOINT"), ["/usr/bin/tini", "--", "troupe", "daemon"]);
  assert.deepEqual(list("HEALTHCHECK"), ["troupe", "status", "--json"]);
  assert.ok(packages.includes("tini"));
  assert.deepEqual(last("EXPOSE")?.rest.split(" "), ["7420", "7421", "7424"]);
  assert.equal(pairs("LABEL")["org.opencontainers.image.version"], manifest.version);
  assert.equal(pairs("LABEL")["org.opencontainers.image.licenses"], manifest.license);
  assert.deepEqual(
    packages.filter((name) => !/^[a-z0-9][a-z0-9.+-]+$/.test(name)),
    [],
  );
});

test("the product understands its environment and the configuration that it holds", () => {
  const env = pairs("ENV");
  const copied = shipped.find(({ name, rest }) => name === "COPY" && rest.endsWith(` ${env.TROUPE_CONFIG}`));
  const [file = ""] = copied?.rest.split(" ") ?? [];
  const flags = { listen: [], roles: [], example: false };
  const config = loadConfig({ flags, env: { ...env, TROUPE_CONFIG: path.join(ROOT, file) }, cwd: "/tmp" });
  assert.equal(config.state.dir, "/var/lib/troupe");
  assert.deepEqual(
    config.roles.map(({ name }) => name),
    ["default"],
  );
  assert.deepEqual(config.http, [{ host: "127.0.0.1", port: 7421, preferred: true }]);
  assert.equal(
    path.basename(namedBrowser({ env })?.path ?? ""),
    packages.find((name) => name.startsWith("chromium")),
  );
  assert.equal(env.HOME, env.TMPDIR);
});
