// The bridge as the script that Chrome evaluates at the start of every document.
import { fileURLToPath } from "node:url";
import { build, stop } from "esbuild";

/** The isolated world's name; pages do not see it. */
export const BRIDGE_WORLD = "troupe";

/** The function in that world by which a bridge sends text ahead of its answer. */
export const PIECE_BINDING = "__troupePiece";

/** Bundles worker/bridge into one script (some 20 ms). */
export async function bundleBridge(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("../bridge/main.ts", import.meta.url))],
    bundle: true,
    write: false,
    minify: true,
    format: "iife",
    target: "chrome120",
    legalComments: "none",
    logLevel: "silent",
  });
  // Its process has nothing more to do, and would stay.
  await stop();
  const [script] = outputFiles;
  if (!script) throw new Error("esbuild made no bridge");
  return script.text;
}
