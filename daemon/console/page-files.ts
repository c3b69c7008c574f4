// Reads the page's files. A checkout bundles them from daemon/console/page; the package has them.
import { readFile } from "node:fs/promises";
import { isBuilt, ownPath } from "../../proto/machine/program.ts";

/** The files of the page, by their name below /console. */
export interface PageFiles {
  "index.html": string;
  "console.js": string;
  "console.css": string;
  "icon.svg": string;
}

/** Files that are served as they are. */
const STATIC = ["index.html", "icon.svg"] as const;
const FOLDER = "daemon/console/page";

export async function pageFiles(): Promise<PageFiles> {
  if (!isBuilt) return await bundlePage();
  const text = (name: string) => readFile(ownPath(`${FOLDER}/${name}`), "utf8");
  return {
    "index.html": await text("index.html"),
    "console.js": await text("console.js"),
    "console.css": await text("console.css"),
    "icon.svg": await text("icon.svg"),
  };
}

/** Bundles the page's sources (some 50 ms). */
export async function bundlePage(): Promise<PageFiles> {
  const { build, stop } = await import("esbuild");
  const { outputFiles } = await build({
    entryPoints: { console: ownPath(`${FOLDER}/main.tsx`) },
    outdir: "/",
    bundle: true,
    write: false,
    minify: true,
    format: "esm",
    target: "es2022",
    jsx: "automatic",
    jsxImportSource: "preact",
    // The licences of the libraries ask for their notices.
    legalComments: "inline",
    logLevel: "silent",
  });
  // esbuild's process would otherwise stay without any work.
  await stop();
  const made = (name: string) => {
    const found = outputFiles.find(({ path }) => path.endsWith(name));
    if (!found) throw new Error(`esbuild made no ${name}`);
    return found.text;
  };
  const [html, icon] = await Promise.all(
    STATIC.map((name) => readFile(ownPath(`${FOLDER}/${name}`), "utf8")),
  );
  return {
    "index.html": html ?? "",
    "icon.svg": icon ?? "",
    "console.js": made("console.js"),
    "console.css": made("console.css"),
  };
}
