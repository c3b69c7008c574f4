// Generates documents from their single sources, and finds those that are out of date.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { comparisonDocument } from "./comparison.ts";
import { configurationDocument, configurationSchema } from "./configuration.ts";
import { errorsDocument } from "./errors.ts";
import { metricsDocument } from "./metrics.ts";
import { toolsDocument } from "./tools.ts";

const documents: Readonly<Record<string, () => string>> = {
  "ERRORS.md": errorsDocument,
  "TOOLS.md": toolsDocument,
  "CONFIGURATION.md": configurationDocument,
  "METRICS.md": metricsDocument,
  "COMPARISON.md": comparisonDocument,
  "troupe.schema.json": configurationSchema,
};

/** Returns the documents that differ from the folder's, with their new text. */
export function outOfDate(folder: string): { name: string; text: string }[] {
  return Object.entries(documents)
    .map(([name, make]) => ({ name, text: make() }))
    .filter(({ name, text }) => text !== written(join(folder, name)));
}

/** Returns the document in the folder; undefined if there is none yet. */
function written(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
