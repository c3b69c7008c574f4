// Checks users' programs with the compiler. They import `troupe` from this checkout's sources, and the packages of others.
import { execFile } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { tempDir } from "../temp-dir.ts";

const ROOT = path.join(import.meta.dirname, "../../..");
const COMPILE_MS_MAX = 200_000;

/** Takes the programs' texts by their file names. Rejects with the compiler's complaints. */
export async function compile(programs: Readonly<Record<string, string>>): Promise<void> {
  using temp = tempDir();
  const write = (name: string, text: string) => writeFileSync(path.join(temp.dir, name), text);
  for (const [name, text] of Object.entries(programs)) write(name, text);
  const compilerOptions = { typeRoots: [path.join(ROOT, "node_modules/@types")] };
  const extended = path.join(ROOT, "tsconfig.json");
  symlinkSync(path.join(ROOT, "node_modules"), path.join(temp.dir, "node_modules"));
  write("package.json", JSON.stringify({ type: "module" }));
  write(
    "tsconfig.json",
    JSON.stringify({ extends: extended, compilerOptions, files: Object.keys(programs), include: [] }),
  );
  const args = [path.join(ROOT, "node_modules/typescript/bin/tsc"), "-p", temp.dir];
  await promisify(execFile)(process.execPath, args, { timeout: COMPILE_MS_MAX }).catch(({ stdout }) => {
    throw new Error(stdout);
  });
}
