// Reads the scripts that Chrome evaluates in documents. A checkout bundles them from worker/bridge; the package has them.
import { readFile } from "node:fs/promises";
import { isBuilt, ownPath } from "../../proto/machine/program.ts";

/** The function in that world by which a bridge sends text ahead of its answer. */
export const PIECE_BINDING = "__troupePiece";

/** The scripts that run in pages. */
export interface PageScripts {
  /** Runs in every document, at its start. */
  bridge: string;
  /** Reads and fills an origin's storage, when that is needed. */
  storage: string;
}

/** Returns both scripts that run in pages. */
export async function pageScripts(): Promise<PageScripts> {
  if (!isBuilt) return await bundlePageScripts();
  const script = (name: string) => readFile(ownPath(`worker/bridge/${name}.js`), "utf8");
  return { bridge: await script("bridge"), storage: await script("storage") };
}

/** Bundles the sources of both scripts (some 20 ms). */
export async function bundlePageScripts(): Promise<PageScripts> {
  const { build, stop } = await import("esbuild");
  const entry = (name: string) => ownPath(`worker/bridge/${name}`);
  const { outputFiles } = await build({
    entryPoints: { bridge: entry("main.ts"), storage: entry("storage/main.ts") },
    outdir: "/",
    bundle: true,
    write: false,
    minify: true,
    format: "iife",
    target: "chrome120",
    legalComments: "none",
    logLevel: "silent",
  });
  // esbuild's process would otherwise stay without any work.
  await stop();
  const script = (name: string) => {
    const found = outputFiles.find(({ path }) => path.endsWith(`${name}.js`));
    if (!found) throw new Error(`esbuild made no ${name}`);
    return found.text;
  };
  return { bridge: script("bridge"), storage: script("storage") };
}

/**
 * Returns the bridge for a browser that was started without the worker's arguments. A page that was left must be gone
 * for good, and Chrome keeps no page that listens for its end.
 */
export function withoutReturn(bridge: string): string {
  return `${bridge}\n;addEventListener("unload", () => undefined);`;
}
