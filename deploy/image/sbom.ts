// Prints the list of all that the image holds, as CycloneDX: npm's packages, Debian's, and Node itself.
// deploy/image/Dockerfile runs it: `node sbom.ts NPM_JSON PACKAGE_JSON DPKG_TEXT`.
import { readFileSync } from "node:fs";

interface Component {
  type: string;
  name: string;
  version: string;
  purl: string;
  "bom-ref": string;
}

/** The part of a CycloneDX document that is read here. */
export interface Sbom {
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
  metadata: { component: { "bom-ref": string } };
}

/** Packages for developers whose code the build puts into dist/, whole or in part. */
export const BUNDLED = [
  "@opentelemetry/exporter-trace-otlp-proto",
  "@opentelemetry/resources",
  "@opentelemetry/sdk-trace-node",
  "core-js",
  "preact",
  "puppeteer-core",
  "uplot",
];

/**
 * Returns the list of the image. `npm`: what `npm sbom --package-lock-only` prints, with all that developers need.
 * `direct`: the packages of package.json that the image holds. `debian`: a package a line, see `debianComponent`.
 */
export function imageSbom(npm: Sbom, direct: readonly string[], debian: string, nodeVersion: string): Sbom {
  const held = heldRefs(npm, new Set(direct));
  const system = debian.split("\n").filter((line) => line !== "");
  return {
    ...npm,
    components: [
      ...npm.components.filter((each) => held.has(each["bom-ref"])),
      ...system.map(debianComponent),
      component("application", "node", nodeVersion, `pkg:generic/node@${nodeVersion}`),
    ],
    dependencies: npm.dependencies
      .filter(({ ref }) => held.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => held.has(each)) })),
  };
}

/** Returns the packages that the direct ones lead to, with the root itself. */
function heldRefs({ components, dependencies, metadata }: Sbom, direct: ReadonlySet<string>): Set<string> {
  const root = metadata.component["bom-ref"];
  const leadsTo = new Map(dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  const names = new Map(components.map((each) => [each["bom-ref"], each.name]));
  const held = new Set([root]);
  const isHeld = (from: string, ref: string) => from !== root || direct.has(names.get(ref) ?? "");
  for (const from of held) for (const ref of leadsTo.get(from) ?? []) if (isHeld(from, ref)) held.add(ref);
  return held;
}

/** `line`: name, version, architecture, source's name and source's version, between tabs. */
function debianComponent(line: string): Component {
  const [name = "", version = "", arch = "", source = "", sourceVersion = ""] = line.split("\t");
  const qualifiers = new URLSearchParams({
    arch,
    distro: "debian-13",
    upstream: `${source}@${sourceVersion}`,
  });
  const purl = `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?${qualifiers}`;
  return component("library", name, version, purl);
}

function component(type: string, name: string, version: string, purl: string): Component {
  return { type, name, version, purl, "bom-ref": purl };
}

if (import.meta.main) {
  const [npm = "", manifest = "", debian = ""] = process.argv
    .slice(2)
    .map((file) => readFileSync(file, "utf8"));
  const direct = [...Object.keys(JSON.parse(manifest).dependencies), ...BUNDLED];
  const sbom = imageSbom(JSON.parse(npm), direct, debian, process.versions.node);
  process.stdout.write(`${JSON.stringify(sbom, null, 1)}\n`);
}
