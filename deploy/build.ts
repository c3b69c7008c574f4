/**
 * Builds the package into dist/. It holds the programs, the SDK with its types, and the files that they read. `npm pack`
 * runs it first.
 */
import { execFileSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type BuildOptions, build } from "esbuild";
import { bundlePage } from "../daemon/console/page-files.ts";
import { bundlePerson } from "../daemon/takeover/page-files.ts";
import { builtSchema } from "../proto/wire/schema.ts";
import { bundlePageScripts } from "../worker/tab/bridge-bundle.ts";
import {
  handlersTogether,
  healthFolder,
  httpWithoutWebSocket,
  leftOut,
  SELDOM,
  shared,
  sharedEntries,
  sharedModules,
  UNBUNDLED,
} from "./bundled-packages.ts";
import { ownMap } from "./own-map.ts";

/** The modules that clients run and import. They are bundled apart from the rest, because people wait for them. */
const CLIENT = ["client/cli.ts", "client/sdk/index.ts", "client/adapters/index.ts"];
/** The modules that are run by their path. */
const PROGRAMS = [
  "daemon/main.ts",
  "daemon/startup/login.ts",
  "daemon/doctor/main.ts",
  "worker/main.ts",
  "worker/login/main.ts",
  "worker/doctor/main.ts",
  "worker/threads/search.ts",
  "worker/threads/source-map.ts",
  "deploy/example/shop.ts",
  "deploy/example/logins.ts",
];
/** Files that the programs read at run time. */
const DATA = [
  "proto/**/*.proto",
  "deploy/example/**/*.{yaml,json,js,css}",
  "daemon/takeover/page/*.{html,css}",
];
/** Packages of CommonJS that are bundled need this function, which modules lack. */
const REQUIRE =
  'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);';
/** Parts of ECMAScript 2026 that Node 22 lacks. */
const NEWER = ["disposable-stack", "async-disposable-stack", "promise/try"].map(
  (part) => `import "core-js/actual/${part}";`,
);
const root = path.join(import.meta.dirname, "..");
const dist = path.join(root, "dist");
const node = (...args: string[]) => execFileSync(process.execPath, args, { cwd: root, stdio: "inherit" });

rmSync(dist, { recursive: true, force: true });
node("proto/generate-types.ts");
node("node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json");
const COMMON = {
  absWorkingDir: root,
  bundle: true,
  format: "esm",
  platform: "node",
  mainFields: ["module", "main"],
  target: "node22",
  // Names stay as they are: errors and stacks show them.
  minifyWhitespace: true,
  minifySyntax: true,
  banner: { js: REQUIRE },
  logLevel: "warning",
} as const satisfies BuildOptions;
const bundled = (entryPoints: string[], external: string[], chunks: string) =>
  build({
    ...COMMON,
    entryPoints,
    outbase: ".",
    outdir: "dist",
    chunkNames: `${chunks}/[name]-[hash]`,
    splitting: true,
    sourcemap: true,
    sourcesContent: false,
    inject: ["deploy/newer.ts"],
    plugins: [leftOut, shared, healthFolder, httpWithoutWebSocket, handlersTogether],
    external,
  });
await bundled(CLIENT, UNBUNDLED, "client/chunks");
await bundled(PROGRAMS, [...UNBUNDLED, ...SELDOM], "chunks");
await build({
  ...COMMON,
  entryPoints: sharedEntries,
  outdir: "dist/packages",
  splitting: true,
  plugins: [leftOut, sharedModules],
});
await build({
  absWorkingDir: root,
  stdin: { contents: NEWER.join("\n"), resolveDir: root },
  outfile: "dist/deploy/polyfills.cjs",
  bundle: true,
  minify: true,
  format: "cjs",
  platform: "node",
  target: "node22",
  logLevel: "warning",
});
for (const file of globSync("**/*.js.map", { cwd: dist })) {
  const map = path.join(dist, file);
  writeFileSync(map, ownMap(readFileSync(map, "utf8")));
}
writeFileSync(path.join(dist, "proto/schema.json"), JSON.stringify(builtSchema()));
for (const file of globSync(DATA, { cwd: root })) cpSync(path.join(root, file), path.join(dist, file));
writeFileSync(path.join(dist, "daemon/takeover/page/main.js"), await bundlePerson());
mkdirSync(path.join(dist, "worker/bridge"), { recursive: true });
for (const [name, text] of Object.entries(await bundlePageScripts()))
  writeFileSync(path.join(dist, `worker/bridge/${name}.js`), text);
mkdirSync(path.join(dist, "daemon/console/page"), { recursive: true });
for (const [name, text] of Object.entries(await bundlePage()))
  writeFileSync(path.join(dist, `daemon/console/page/${name}`), text);
