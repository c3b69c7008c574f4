// The list of all that the image holds.
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { BUNDLED, imageSbom } from "../../../deploy/image/sbom.ts";
import { ROOT } from "../../readme/pages.ts";

const NODE = "26.9.0";

/** A list as npm prints it, of packages that each lead to others. */
function npmList(packages: Readonly<Record<string, readonly string[]>>) {
  const names = Object.keys(packages).filter((name) => name !== "troupe");
  return {
    components: names.map((name) => ({
      type: "library",
      name,
      version: "1.0.0",
      purl: `pkg:npm/${name}@1.0.0`,
      "bom-ref": name,
    })),
    dependencies: Object.entries(packages).map(([ref, dependsOn]) => ({ ref, dependsOn: [...dependsOn] })),
    metadata: { component: { "bom-ref": "troupe" } },
  };
}

test("it has the packages that the direct ones lead to, and none for developers alone", () => {
  const npm = npmList({
    troupe: ["zod", "eslint", "preact"],
    zod: ["deep"],
    deep: [],
    eslint: ["deep", "espree"],
    espree: [],
    preact: [],
  });
  const { components, dependencies } = imageSbom(npm, ["zod", "preact"], "", NODE);
  assert.deepEqual(
    components.map(({ name }) => name),
    ["zod", "deep", "preact", "node"],
  );
  assert.deepEqual(dependencies, [
    { ref: "troupe", dependsOn: ["zod", "preact"] },
    { ref: "zod", dependsOn: ["deep"] },
    { ref: "deep", dependsOn: [] },
    { ref: "preact", dependsOn: [] },
  ]);
});

test("it has Debian's packages and Node, named as scanners look for them", () => {
  const debian =
    "libstdc++6\t14.2.0-19\tamd64\tgcc-14\t14.2.0-19\ntzdata\t2026b-0+deb13u1\tall\ttzdata\t2026b-0+deb13u1\n";
  const { components } = imageSbom(npmList({ troupe: [] }), [], debian, NODE);
  assert.deepEqual(
    components.map(({ purl }) => purl),
    [
      "pkg:deb/debian/libstdc%2B%2B6@14.2.0-19?arch=amd64&distro=debian-13&upstream=gcc-14%4014.2.0-19",
      "pkg:deb/debian/tzdata@2026b-0%2Bdeb13u1?arch=all&distro=debian-13&upstream=tzdata%402026b-0%2Bdeb13u1",
      "pkg:generic/node@26.9.0",
    ],
  );
});

test("the bundled packages are those that the product imports, and that are no dependencies", () => {
  const { devDependencies } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8"));
  // A checkout alone bundles at run time.
  const forDevelopers = new Set(Object.keys(devDependencies).filter((name) => name !== "esbuild"));
  const files = globSync(["{client,daemon,worker,proto}/**/*.{ts,tsx}", "deploy/{newer,build}.ts"], {
    cwd: ROOT,
  });
  const imported = files.flatMap((file) => {
    const text = readFileSync(path.join(ROOT, file), "utf8");
    return [...text.matchAll(/(?:from|import) ?\(?["`](?!node:)((?:@[\w-]+\/)?[\w.-]+)/g)].map(
      ([, name = ""]) => name,
    );
  });
  assert.deepEqual(
    [...new Set(imported)].filter((name) => forDevelopers.has(name)).sort(),
    [...BUNDLED].sort(),
  );
});
