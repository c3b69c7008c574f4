// Finds Troupe's own files: TypeScript in a checkout, JavaScript below dist/ in the package.
import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(import.meta.url);
/** True in the built package. */
export const isBuilt: boolean = path.extname(here) === ".js";

/** The folder with Troupe's package.json. */
export const packageRoot: string = rootAbove(path.dirname(here));

/** The page that lists every key of the configuration. */
export const configurationPage: string = path.join(packageRoot, "docs/CONFIGURATION.md");

/** Returns the absolute path of a file of Troupe, given by its path in a checkout such as `worker/main.ts`. */
export function ownPath(file: string): string {
  if (!isBuilt) return path.join(packageRoot, file);
  return path.join(packageRoot, "dist", file.replace(/\.ts$/, ".js"));
}

function rootAbove(folder: string): string {
  if (existsSync(path.join(folder, "package.json"))) return folder;
  const above = path.dirname(folder);
  if (above === folder) throw new Error(`Troupe's package.json is not above ${here}: do not bundle Troupe`);
  return rootAbove(above);
}
