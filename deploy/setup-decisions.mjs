/** The pure decisions of the set-up. Plain JavaScript for Node 18 and later. */

/** A fault that the person at the machine has to mend. The message says what and how. */
export class SetupFailure extends Error {
  /**
   * @param {64 | 69 | 78} exitCode by sysexits
   * @param {string} message
   */
  constructor(exitCode, message) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** @param {readonly string[]} args */
export function parseArguments(args) {
  const known = ["--help", "-h", "--no-browser"];
  const unknown = args.find((arg) => !known.includes(arg));
  if (unknown !== undefined) {
    throw new SetupFailure(64, `unknown argument ${unknown}; there are --no-browser and --help`);
  }
  return { help: args.includes("--help") || args.includes("-h"), browser: !args.includes("--no-browser") };
}

/**
 * Returns why Troupe cannot run here, or undefined.
 * @param {{ platform: string, arch: string, versions: { node: string } }} machine
 */
export function unsupportedPlatform({ platform, arch, versions }) {
  if (Number.parseInt(versions.node, 10) < 18) {
    return `Node ${versions.node} is too old even to set up: install Node 20 or later (https://nodejs.org).`;
  }
  if (platform === "win32")
    return "Windows is supported through WSL: install it (wsl --install) and start there.";
  if (!["linux", "darwin"].includes(platform) || !["x64", "arm64"].includes(arch)) {
    return `Troupe runs on Linux and macOS, x64 and arm64; this machine is ${platform} ${arch}. There is no Node ${platform}-${arch} to install.`;
  }
  return undefined;
}

/**
 * Returns true if npm's own record of node_modules matches the lock file. An installation made by hand is then left
 * alone. Optional packages (other systems' builds) may be missing.
 * @param {{ packages: Record<string, Package> }} lock package-lock.json
 * @param {{ packages: Record<string, Package> }} hidden node_modules/.package-lock.json
 * @typedef {{ version?: string, optional?: boolean }} Package
 */
export function installedMatchesLock(lock, hidden) {
  const wanted = Object.entries(lock.packages).filter(([path]) => path !== "");
  const allThere = wanted.every(([path, { version, optional }]) => {
    const installed = hidden.packages[path];
    return installed ? installed.version === version : optional === true;
  });
  return allThere && Object.keys(hidden.packages).every((path) => path in lock.packages);
}

/**
 * Explains a failed `npm ci` and how to mend it.
 * @param {string} output
 * @param {string} folder
 * @returns {{ exitCode: 69 | 78, message: string }}
 */
export function explainNpmFailure(output, folder) {
  const cause = npmFailures.find(({ sign }) => sign.test(output));
  const said = output
    .split("\n")
    .filter((line) => line.trim() && !/complete log|npm warn|^npm error\s*$/i.test(line))
    .slice(0, 6)
    .map((line) => `  ${line}`)
    .join("\n");
  const meaning =
    cause?.means(folder) ?? "the packages could not be installed. Mend what npm says and try again.";
  return { exitCode: cause?.exitCode ?? 69, message: `${meaning}\nnpm said:\n${said || "  (nothing)"}` };
}

/** @type {{ sign: RegExp, exitCode: 69 | 78, means: (folder: string) => string }[]} */
const npmFailures = [
  {
    sign: /ENOENT.*spawn npm|spawn npm ENOENT/,
    exitCode: 69,
    means: () =>
      "npm is not on the PATH. Install it (it comes with Node 20: https://nodejs.org; on Debian: apt-get install npm).",
  },
  {
    sign: /ABORT_ERR/,
    exitCode: 69,
    means: () => "npm did not finish within a quarter of an hour. Look at the network and try again.",
  },
  {
    sign: /ENOSPC/,
    exitCode: 69,
    means: (folder) => `the disk is full. Free 1 GB where ${folder} is, and try again.`,
  },
  {
    sign: /EROFS|EACCES|EPERM/,
    exitCode: 78,
    means: (folder) =>
      `this user may not write to ${folder} or to npm's cache (~/.npm). Give it the right, or clone to a folder of its own.`,
  },
  {
    sign: /ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ENOTCACHED|ERR_SOCKET_TIMEOUT/,
    exitCode: 69,
    means: () =>
      "npm's registry cannot be reached. The first start needs the network: connect, or tell npm of the proxy (npm config set https-proxy URL) or of your registry (npm config set registry URL), and try again.",
  },
  {
    sign: /SELF_SIGNED_CERT|UNABLE_TO_(VERIFY|GET)|CERT_/,
    exitCode: 69,
    means: () =>
      "the certificate of npm's registry is not trusted. Behind a proxy that opens TLS, tell npm of its certificate: npm config set cafile FILE.",
  },
  {
    sign: /can only install packages when your package\.json and package-lock\.json|EJSONPARSE/,
    exitCode: 78,
    means: (folder) =>
      `package.json and package-lock.json in ${folder} do not belong together. Restore both (git checkout package.json package-lock.json) or, after a change of your own, run npm install.`,
  },
  {
    sign: /E404|ETARGET|ENOTARGET/,
    exitCode: 69,
    means: () =>
      "npm's registry lacks a package or its version. Look at the registry that npm uses (npm config get registry).",
  },
  {
    sign: /EINTEGRITY/,
    exitCode: 69,
    means: () =>
      "a package is not what package-lock.json says, so it was not installed. Empty npm's cache (npm cache clean --force) and try again; if it stays, do not trust the registry.",
  },
];
