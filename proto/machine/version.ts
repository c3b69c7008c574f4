// Troupe's version, from package.json.
import { readFileSync } from "node:fs";

export const VERSION: string = JSON.parse(
  readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
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
