// Troupe's version, from package.json.
import { readFileSync } from "node:fs";
import path from "node:path";
import { packageRoot } from "./program.ts";

export const VERSION: string = JSON.parse(
  readFileSync(path.join(packageRoot, "package.json"), "utf8"),
).version;

/**
 * Versions of one series understand each other. A series has the same first number, or the same second one if the first
 * is 0.
 */
export function understands(version: string): boolean {
  return seriesOf(version) === seriesOf(VERSION);
}

function seriesOf(version: string): string {
  const [major = "", minor = ""] = version.split(".");
  return major === "0" ? `0.${minor}` : major;
}
