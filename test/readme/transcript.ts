/**
 * Makes the parts of README that come from a real run and from measurements. `node test/readme/transcript.ts --write`
 * writes them; a test compares them.
 */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { plotsOf } from "../bench/plots/plots.ts";
import { figures, recoverySentence } from "./figures.ts";
import { ROOT } from "./pages.ts";
import { picture } from "./picture.ts";
import { playSession, type Session, type Turn } from "./session.ts";

interface Written {
  file: string;
  text: string;
}

/** Returns the files as they must be after this session. */
export function writtenFrom({ turns, failed }: Session): Written[] {
  const parts = {
    session: fenced(turns.map(inText).join("\n")),
    error: fenced(inText(failed)),
    recovery: recoverySentence(readText("test/bench/RECOVERY.md")),
    figures: figures(readText("test/bench/RESULTS.md")),
  };
  const readme = Object.entries(parts).reduce(withPart, readText("README.md"));
  return [
    { file: "README.md", text: readme },
    { file: "docs/session.svg", text: picture(turns, failed) },
    ...plotsOf(readText("test/bench/RESULTS.md")),
  ];
}

export function readText(file: string): string {
  return readFileSync(path.join(ROOT, file), "utf8");
}

/** Replaces what stands between the comments of this name. Throws if they are missing. */
function withPart(readme: string, [name, text]: [string, string]): string {
  const place = new RegExp(`(<!-- ${name}: [^>]*-->\n)[\\s\\S]*?(\n<!-- end of ${name} -->)`);
  if (!place.test(readme)) throw new Error(`README.md has no part "${name}"`);
  return readme.replace(place, (_, before: string, after: string) => `${before}\n${text}\n${after}`);
}

function inText({ call, shown }: Turn): string {
  return `${call}\n${shown.replace(/^(?=.)/gm, "    ")}`;
}

function fenced(text: string): string {
  return `\`\`\`\n${text}\n\`\`\``;
}

if (import.meta.main && process.argv.includes("--write")) {
  for (const { file, text } of writtenFrom(await playSession())) {
    writeFileSync(path.join(ROOT, file), text);
    console.log(`wrote ${file}`);
  }
}
