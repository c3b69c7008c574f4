/** Reports every import that breaks a rule, and every file of ours that no parser could read. */
import { globSync } from "node:fs";
import { join } from "node:path";
import { cruisedFolders, cruiseImports, foreignFolder } from "./import-rules.ts";

const root = join(import.meta.dirname, "../..");
const present = globSync(`{${cruisedFolders.join(",")}}/**/*.{ts,tsx,mts,cts,js,mjs,cjs}`, {
  cwd: root,
  exclude: (name) => name.endsWith("node_modules"),
});
const { files, violations } = await cruiseImports(root);
const foreign = new RegExp(foreignFolder);
const unread = present.filter((file) => !files.includes(file) && !foreign.test(file));

const complaints = [
  ...violations.map(
    ({ from, to, cycle, rule }) =>
      `${rule.name}: ${[from, ...(cycle?.map(({ name }) => name) ?? [to])].join(" → ")}`,
  ),
  ...unread.map((file) => `${file} was not read, so that its imports are unknown`),
];
if (files.length === 0) complaints.push("no file was read at all");
for (const complaint of complaints) console.error(complaint);
console.log(`${files.length} files read, ${complaints.length} complaints`);
process.exitCode = complaints.length > 0 ? 1 : 0;
