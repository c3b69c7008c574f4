/**
 * Writes `proto/gen/troupe.ts`, the types of the protocol. It holds types only, so no program needs the file at run
 * time. `npm run check` writes it before any step reads it.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { schema } from "./wire/schema.ts";
import { typeDeclarations } from "./wire/type-declarations.ts";

const folder = join(import.meta.dirname, "gen");
const file = join(folder, "troupe.ts");
const text = typeDeclarations(schema());

mkdirSync(folder, { recursive: true });
// An unchanged file keeps its time, so that watchers and incremental compilers do nothing.
if (presentText() !== text) writeFileSync(file, text);

function presentText(): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
