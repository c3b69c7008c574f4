// Builds deploy/image/Dockerfile by buildah. No registry of images is asked: mmdebstrap makes the Debian of the base
// images, and Node is this program's own.
import { execFile } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { tempDir } from "../harness/temp-dir.ts";

const run = promisify(execFile);
const OUTPUT_BYTES_MAX = 64 * 2 ** 20;
const ROOT = path.join(import.meta.dirname, "../..");
const RELEASE = "trixie";
const SOURCES = "/etc/apt/sources.list.d/debian.sources";
/** The machine's certificates and settings of npm, for a network that npm reaches only with them. */
const CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt";
const NPM_SETTINGS = path.join(homedir(), ".npmrc");
const DEBIAN = "localhost/troupe-test/debian";
const NODE = "localhost/troupe-test/node";
const TROUPE = "localhost/troupe-test/troupe";
/** Layers are kept from run to run. */
const STORAGE = path.join(homedir(), ".cache/troupe/image");

/** A built image: the folder with its files, and its settings. */
export interface Image extends AsyncDisposable {
  root: string;
  /** The bytes of all layers, compressed. */
  packedBytes: number;
  uid: number;
  gid: number;
  env: string[];
  entrypoint: string[];
  folder: string;
  healthcheck: string[];
}

/** Builds the image and mounts its files. `say` takes a line for each step. */
export async function buildImage(say: (line: string) => void): Promise<Image> {
  mkdirSync(STORAGE, { recursive: true });
  // A run that was killed leaves its files mounted.
  await buildah("rm", "--all");
  say("Debian, by mmdebstrap");
  await makeDebian();
  await makeNode();
  say("the image, by buildah");
  const bases = [`NODE_IMAGE=${NODE}`, `DEBIAN_IMAGE=${DEBIAN}`].map((each) => `--build-arg=${each}`);
  await build(ROOT, "deploy/image/Dockerfile", TROUPE, "--layers", ...bases);
  const { Docker } = JSON.parse(await buildah("inspect", "--type=image", TROUPE));
  const { User, Env, Entrypoint, WorkingDir, Healthcheck } = Docker.config;
  const [uid, gid] = User.split(":").map(Number);
  const container = await buildah("from", "--pull-never", TROUPE);
  return {
    root: await buildah("mount", container),
    packedBytes: await packedBytes(),
    ...{ uid, gid, env: Env, entrypoint: Entrypoint, folder: WorkingDir },
    healthcheck: Healthcheck.Test.slice(1),
    [Symbol.asyncDispose]: async () => void (await buildah("rm", container)),
  };
}

/** Returns the bytes that a registry would store. */
async function packedBytes(): Promise<number> {
  using temp = tempDir();
  const file = path.join(temp.dir, "image.tar");
  await buildah("push", "--quiet", TROUPE, `oci-archive:${file}`);
  return statSync(file).size;
}

/** Makes the base image of Debian, from where this machine gets its own packages. */
async function makeDebian(): Promise<void> {
  if (await isThere(DEBIAN)) return;
  using temp = tempDir();
  const { dir } = temp;
  const sources = path.join(dir, "sources.list");
  writeFileSync(sources, sourcesOf(readFileSync(SOURCES, "utf8")));
  const settings = ["Check-Valid-Until", "Check-Date"].map((each) => `--aptopt=Acquire::${each} "false"`);
  const tar = path.join(dir, "debian.tar");
  await command("mmdebstrap", "--variant=minbase", "--quiet", ...settings, RELEASE, tar, sources);
  writeFileSync(path.join(dir, "Dockerfile"), "FROM scratch\nADD debian.tar /\n");
  await build(dir, "Dockerfile", DEBIAN);
}

/** Returns the lines of sources.list for the release, from the machine's file in the form of deb822. */
function sourcesOf(deb822: string): string {
  const [main = "", security = main] = [...deb822.matchAll(/^URIs: (\S+)/gm)].map(([, uri = ""]) => uri);
  return [
    [main, RELEASE],
    [main, `${RELEASE}-updates`],
    [security, `${RELEASE}-security`],
  ]
    .map(([uri, suite]) => `deb ${uri} ${suite} main\n`)
    .join("");
}

/** Makes the base image of Node, with the Node that runs this program and the npm of this machine. */
async function makeNode(): Promise<void> {
  if (await isThere(NODE)) return;
  using temp = tempDir();
  const { dir } = temp;
  const npm = (await command("npm", "root", "--global")).trim();
  copyFileSync(process.execPath, path.join(dir, "node"));
  cpSync(path.join(npm, "npm"), path.join(dir, "npm"), { recursive: true });
  copyFileSync(CERTIFICATES, path.join(dir, "certificates"));
  if (existsSync(NPM_SETTINGS)) copyFileSync(NPM_SETTINGS, path.join(dir, "npmrc"));
  else writeFileSync(path.join(dir, "npmrc"), "");
  writeFileSync(path.join(dir, "LICENSE"), "");
  writeFileSync(path.join(dir, "Dockerfile"), NODE_DOCKERFILE);
  await build(dir, "Dockerfile", NODE);
}

const NODE_DOCKERFILE = `
FROM ${DEBIAN}
COPY node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
COPY npmrc /usr/local/etc/npmrc
COPY certificates ${CERTIFICATES}
COPY LICENSE /usr/local/LICENSE
ENV NODE_EXTRA_CA_CERTS=${CERTIFICATES}
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm \\
 && apt-get update && apt-get install --yes --no-install-recommends libatomic1
`;

async function isThere(name: string): Promise<boolean> {
  return (await buildah("images", "--quiet", "--filter", `reference=${name}`)) !== "";
}

async function build(context: string, file: string, tag: string, ...options: string[]): Promise<void> {
  const args = ["--format=docker", "--pull-never", "--quiet", `--tag=${tag}`, `--file=${file}`, ...options];
  await run("buildah", [...ownStorage, "bud", ...args, "."], { ...SETTINGS, cwd: context });
}

async function buildah(...args: string[]): Promise<string> {
  return (await command("buildah", ...ownStorage, ...args)).trim();
}

const ownStorage = [`--root=${path.join(STORAGE, "layers")}`, `--runroot=${path.join(STORAGE, "run")}`];
/** It needs no container engine and no further right than root's. */
const SETTINGS = {
  env: { ...process.env, BUILDAH_ISOLATION: "chroot" },
  maxBuffer: OUTPUT_BYTES_MAX,
};

async function command(program: string, ...args: string[]): Promise<string> {
  return (await run(program, args, SETTINGS)).stdout;
}
