/**
 * `npm run test:image` builds the container image, runs it as an engine would, and prints what it shows. It needs root,
 * and the packages mmdebstrap, buildah and runc of Debian.
 */
import { execFileSync } from "node:child_process";
import { buildImage } from "./build.ts";
import { showContents } from "./contents.ts";
import { showDenied } from "./denied.ts";
import { showMemory } from "./memory.ts";
import { showServing } from "./serving.ts";
import { verdicts } from "./verdicts.ts";

const PROGRAMS = ["mmdebstrap", "buildah", "runc", "nsenter"];
const UNAVAILABLE = 69;

const PARTS = [
  ["The image", showContents],
  ["Read-only, with the shipped seccomp profile", showServing],
  ["Read-only, where namespaces are denied", showDenied],
  ["With a bound of memory", showMemory],
] as const;

process.exitCode = await main();

async function main(): Promise<number> {
  const missing = missingParts();
  if (missing.length > 0) {
    console.error(`this needs ${missing.join(", ")}: apt-get install mmdebstrap buildah runc`);
    return UNAVAILABLE;
  }
  await using image = await buildImage((line) => console.log(`making ${line} …`));
  const all = verdicts();
  for (const [title, show] of PARTS) {
    console.log(`\n${title}`);
    await show(image, all);
  }
  console.log(all.failed === 0 ? "\nall is shown" : `\n${all.failed} are not shown`);
  return all.failed === 0 ? 0 : 1;
}

function missingParts(): string[] {
  const rights = process.getuid?.() === 0 ? [] : ["root"];
  const isMissing = (program: string) => {
    try {
      return execFileSync("which", [program]).length === 0;
    } catch {
      return true;
    }
  };
  return [...rights, ...PROGRAMS.filter(isMissing)];
}
