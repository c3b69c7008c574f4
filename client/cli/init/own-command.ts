// Decides how an MCP client starts this Troupe: by the command that a person would type, else by absolute paths.
import { existsSync, readFileSync, realpathSync } from "node:fs";
import path from "node:path";
import { isBuilt, ownPath, packageRoot } from "../../../proto/machine/program.ts";

export interface OwnCommand {
  program: string;
  args: string[];
}

/** The facts that the command depends on. */
export interface Installation {
  /** The folder with Troupe's package.json. */
  packageRoot: string;
  isBuilt: boolean;
  /** The package that `npx` was asked for, if `npx` runs this Troupe. */
  npxPackage: string | undefined;
  /** `troupe` is on the search path, and is this Troupe. */
  onPath: boolean;
  node: string;
  cli: string;
}

/** Returns the command for a client of the project in `dir`. It holds on other machines where that is possible. */
export function ownCommand(
  dir: string,
  { packageRoot, isBuilt, npxPackage, onPath, node, cli }: Installation,
): OwnCommand {
  const isOfProject = path.relative(dir, packageRoot) === path.join("node_modules", "troupe");
  if (isBuilt && isOfProject) return { program: "npx", args: ["troupe"] };
  if (isBuilt && npxPackage) return { program: "npx", args: ["-y", "-p", npxPackage, "troupe"] };
  if (onPath) return { program: "troupe", args: [] };
  return { program: node, args: [cli] };
}

/** Looks at this process's own installation. */
export function ownInstallation(env: Readonly<Record<string, string | undefined>>): Installation {
  return {
    packageRoot,
    isBuilt,
    npxPackage: npxPackageAt(packageRoot),
    onPath: isOnPath(env.PATH ?? ""),
    node: isBuilt ? process.execPath : path.join(packageRoot, "node_modules/.bin/node"),
    cli: ownPath("client/cli.ts"),
  };
}

/** Returns the package that npx has noted in its cache, for the package that stands there in that folder. */
export function npxPackageAt(root: string): string | undefined {
  const folder = path.dirname(path.dirname(root));
  const file = path.join(folder, "package.json");
  if (path.basename(path.dirname(folder)) !== "_npx" || !existsSync(file)) return undefined;
  try {
    const noted = JSON.parse(readFileSync(file, "utf8")) as { _npx?: { packages?: unknown } } | null;
    const [first] = [noted?._npx?.packages].flat();
    return typeof first === "string" ? first : undefined;
  } catch {
    // A file of another program that is broken or cannot be read counts as missing.
    return undefined;
  }
}

function isOnPath(searchPath: string): boolean {
  const own = path.join(packageRoot, "client/troupe.cjs");
  const found = searchPath
    .split(path.delimiter)
    // npx and npm put folders there that exist for one command only.
    .filter((folder) => path.isAbsolute(folder) && !folder.includes(`${path.sep}node_modules${path.sep}`))
    .map((folder) => path.join(folder, "troupe"))
    .find((file) => existsSync(file));
  return found !== undefined && existsSync(own) && realpathSync(found) === realpathSync(own);
}
