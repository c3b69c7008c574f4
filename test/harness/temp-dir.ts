// Makes folders that end with their test.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** Makes a temporary folder. Its disposal removes it. */
export function tempDir(): { dir: string } & Disposable {
  const dir = mkdtempSync(path.join(tmpdir(), "trp-"));
  return { dir, [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true, maxRetries: 5 }) };
}
