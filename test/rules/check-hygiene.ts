/** Reports breaches of hygiene rules in the files that are, or would be, in the repository. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "./hygiene.ts";

const root = join(import.meta.dirname, "../..");
const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
  maxBuffer: 64 * 1024 * 1024,
});
const files = listed.split("\0").filter((file) => file !== "" && existsSync(join(root, file)));
const texts = files
  .map((file) => [file, readFileSync(join(root, file), "utf8")] as const)
  .filter(([, text]) => !text.includes("\0"));

const complaints = inspect(texts);
for (const { file, line, rule, why } of complaints) console.error(`${file}:${line} ${rule}: ${why}`);
console.log(`${texts.length} files read, ${complaints.length} complaints`);
process.exitCode = texts.length === 0 || complaints.length > 0 ? 1 : 0;
