/**
 * `npm run documents` writes the documents from their single sources. With --check, as in `npm run check`, it only
 * compares them, and names the command for those that are out of date.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { outOfDate } from "./documents.ts";

const folder = join(import.meta.dirname, "../../../docs");
const stale = outOfDate(folder);

if (process.argv.includes("--check")) {
  for (const { name } of stale) console.error(`docs/${name} is out of date: run npm run documents`);
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  for (const { name, text } of stale) writeFileSync(join(folder, name), text);
  console.log(
    stale.length > 0 ? stale.map(({ name }) => `wrote docs/${name}`).join("\n") : "all are up to date",
  );
}
