/**
 * Prints the size and shape of the source and the tests, and reports what is beyond a limit. `--root DIR` prints those
 * of another tree, without limits.
 */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { complaintsAbout } from "./shape/limits.ts";
import { reportOf } from "./shape/report.ts";
import { shapeOf } from "./shape/shape.ts";

const { root } = parseArgs({ options: { root: { type: "string" } } }).values;
const tree = root ?? join(import.meta.dirname, "../..");
// Generated types and the applications of real libraries are not written here.
const foreign = ["node_modules", "proto/gen", "test/apps/site"];
const files = globSync("{proto,daemon,worker,client,deploy,examples,test}/**/*.{ts,tsx,mts,js,mjs}", {
  cwd: tree,
  exclude: (path) => foreign.some((folder) => path === folder || path.endsWith(`/${folder}`)),
});

const shape = shapeOf(files.sort().map((file) => [file, readFileSync(join(tree, file), "utf8")] as const));
for (const line of reportOf(shape)) console.log(line);
const complaints = root === undefined ? complaintsAbout(shape) : [];
for (const complaint of complaints) console.error(complaint);
console.log(`\n${files.length} files read, ${complaints.length} complaints`);
process.exitCode = files.length === 0 || complaints.length > 0 ? 1 : 0;
