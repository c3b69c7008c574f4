// Bundles the bridge into the script that Chrome evaluates at the start of every document.
import { fileURLToPath } from "node:url";
import { build, stop } from "esbuild";

/** The isolated world's name, which pages do not see. */
export const BRIDGE_WORLD = "troupe";

/** The function in that world by which a bridge sends text ahead of its answer. */
export const PIECE_BINDING = "__troupePiece";

/** Bundles worker/bridge into one script (some 20 ms). */
export async function bundleBridge(): Promise<string> {
  const { bridge } = await bundlePageScripts();
  return bridge;
}

/** The scripts that run in pages. */
export interface PageScripts {
  /** Runs in every document, at its start. */
  bridge: string;
  /** Reads and fills an origin's storage, when that is needed. */
  storage: string;
}

/** Bundles both scripts that run in pages. */
export async function bundlePageScripts(): Promise<PageScripts> {
  const entry = (name: string) => fileURLToPath(new URL(`../bridge/${name}`, import.meta.url));
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
