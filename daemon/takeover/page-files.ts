// Reads the files of the person's page. A checkout bundles its script; the package has it.
import { readFile } from "node:fs/promises";
import { isBuilt, ownPath } from "../../proto/machine/program.ts";

const FOLDER = "daemon/takeover/page";

/** The page's files, by their names. */
export interface PageFiles {
  "index.html": string;
  "page.css": string;
  "main.js": string;
}

export async function pageFiles(): Promise<PageFiles> {
  const read = (name: string) => readFile(ownPath(`${FOLDER}/${name}`), "utf8");
  const script = isBuilt ? read("main.js") : bundlePerson();
  const [html, css, js] = await Promise.all([read("index.html"), read("page.css"), script]);
  return { "index.html": html, "page.css": css, "main.js": js };
}

/** Bundles the script of the person's page. */
export async function bundlePerson(): Promise<string> {
  const { build, stop } = await import("esbuild");
  const { outputFiles } = await build({
    entryPoints: [ownPath(`${FOLDER}/main.ts`)],
    bundle: true,
    write: false,
    minify: true,
    format: "iife",
    target: ["chrome120", "firefox120", "safari17"],
    legalComments: "none",
    logLevel: "silent",
  });
  // esbuild's process would otherwise stay without any work.
  await stop();
  return outputFiles[0]?.text ?? "";
}
