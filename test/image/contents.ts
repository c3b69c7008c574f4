// Looks at the files of the image: size, owners, leftovers, and the list of its parts.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Sbom } from "../../deploy/image/sbom.ts";
import type { Image } from "./build.ts";
import type { Verdicts } from "./verdicts.ts";

const SET_ID = 0o6000;
const BY_OTHERS = 0o002;
const STICKY = 0o1000;
const MB = 1e6;
const LIST_BYTES_MAX = 64 * 2 ** 20;
/** Packed, as a registry stores it. */
const PACKED_BYTES_MAX = 500 * MB;
const SBOM = "usr/share/doc/troupe/sbom.json";
/** Files that a build leaves behind if it does not clean up, and files with secrets. */
const LEFT_BEHIND =
  /^(?:root\/\.(?!bashrc|profile)|tmp\/.|build\/|var\/lib\/apt\/lists\/.)|\/(?:\.npmrc|\.env|\.git|\.npm|id_\w+|[^/]*\.key)$/;

interface File {
  name: string;
  mode: number;
  uid: number;
  /** f: a file, d: a folder, l: a link. */
  kind: string;
  bytes: number;
}

export async function showContents(image: Image, { show }: Verdicts): Promise<void> {
  const files = filesOf(image.root);
  const names = (chosen: (file: File) => boolean) => files.filter(chosen).map(({ name }) => name);

  await show("its size", () => {
    const unpacked = files.reduce((sum, { bytes }) => sum + bytes, 0);
    assert.ok(image.packedBytes <= PACKED_BYTES_MAX, `${image.packedBytes} bytes`);
    return `${megabytes(image.packedBytes)} in a registry, ${megabytes(unpacked)} unpacked`;
  });
  await show("the user owns its state folder alone, and may write nowhere else", () => {
    assert.deepEqual(
      names(({ uid }) => uid === image.uid),
      ["var/lib/troupe"],
    );
    const open = ({ mode, kind }: File) => kind !== "l" && (mode & BY_OTHERS) !== 0 && (mode & STICKY) === 0;
    assert.deepEqual(names(open), []);
    return `${files.length} files and folders`;
  });
  await show("no program gives its user another one's rights", () => {
    assert.deepEqual(
      names(({ mode, kind }) => kind === "f" && (mode & SET_ID) !== 0),
      [],
    );
    return "no set-user-ID, no set-group-ID";
  });
  await show("no file of the build or with a secret is left", () => {
    assert.deepEqual(
      names(({ name }) => LEFT_BEHIND.test(name)),
      [],
    );
    return "none";
  });
  await show("the list of its parts is whole", () => listedParts(image.root));
}

const megabytes = (bytes: number) => `${Math.round(bytes / MB)} MB`;

/** Returns what the image's file system has. */
function filesOf(root: string): File[] {
  const args = [root, "-mindepth", "1", "-printf", "%P\\t%m\\t%U\\t%y\\t%n\\t%s\\n"];
  const lines = execFileSync("find", args, { encoding: "utf8", maxBuffer: LIST_BYTES_MAX })
    .trim()
    .split("\n");
  return lines
    .filter((line) => !line.startsWith("dev/"))
    .map((line) => {
      const [name = "", mode = "", uid, kind = "", links, bytes] = line.split("\t");
      // Of a file with several names, each counts for its part.
      const part = kind === "f" ? Number(bytes) / Number(links) : 0;
      return { name, mode: Number.parseInt(mode, 8), uid: Number(uid), kind, bytes: part };
    });
}

/** Compares the list with the database of dpkg and with node_modules. */
function listedParts(root: string): string {
  const { components }: Sbom = JSON.parse(readFileSync(path.join(root, SBOM), "utf8"));
  const listed = new Set(components.map(({ purl }) => purl.replace(/\?.*/, "")));
  const debian = readFileSync(path.join(root, "var/lib/dpkg/status"), "utf8").split("\n\n");
  const installed = debian.flatMap((entry) => {
    const [, name = ""] = /^Package: (.*)$/m.exec(entry) ?? [];
    const [, version = ""] = /^Version: (.*)$/m.exec(entry) ?? [];
    return name && /^Status: install ok installed$/m.test(entry)
      ? [`pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}`]
      : [];
  });
  const modules = packagesBelow(path.join(root, "opt/troupe/node_modules"));
  const missing = [...installed, ...modules].filter((purl) => !listed.has(purl));
  assert.deepEqual(missing, []);
  return `${installed.length} packages of Debian, ${components.length - installed.length - 1} of npm, and Node`;
}

function packagesBelow(folder: string): string[] {
  const manifests = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    /(?:^|node_modules\/)(?:@[^/]+\/)?[^/@]+\/package\.json$/.test(name),
  );
  return manifests.flatMap((name) => {
    const { name: own, version } = JSON.parse(readFileSync(path.join(folder, name), "utf8"));
    return own && name.endsWith(`${own}/package.json`)
      ? [`pkg:npm/${own.replace("@", "%40")}@${version}`]
      : [];
  });
}
