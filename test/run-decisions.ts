/** The decisions of `npm test`. */

const SLOWEST = 12;

/** As node:test counts them. */
export interface Counts {
  tests: number;
  passed: number;
  skipped: number;
  todo: number;
}

/** The files to run, in order: all but fixtures, or those of them whose path holds a pattern. */
export function chooseFiles(paths: readonly string[], patterns: readonly string[]): string[] {
  return paths
    .filter((path) => !path.startsWith("test/site/"))
    .filter((path) => patterns.length === 0 || patterns.some((pattern) => path.includes(pattern)))
    .sort();
}

/** Whatever neither passed nor was left out: also what timed out or could not begin. */
export function failedCount({ tests, passed, skipped, todo }: Counts): number {
  return tests - passed - skipped - todo;
}

/** The last line, which others read. */
export function closingLine(counts: Counts): string {
  const skipped = counts.skipped + counts.todo;
  return `${counts.passed} passed, ${failedCount(counts)} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

/** Returns the files that took longest. They are the ones to make faster. */
export function slowest(tookMs: ReadonlyMap<string, number>): string {
  const sorted = [...tookMs].sort(([, one], [, other]) => other - one).slice(0, SLOWEST);
  const lines = sorted.map(([file, ms]) => `${(ms / 1000).toFixed(1).padStart(6)} s  ${file}`);
  return ["Slowest files:", ...lines].join("\n");
}

/** A developer's own settings must not reach the tests. The choice of a browser may. */
export function withoutOwnSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const ours = (name: string) => name.startsWith("TROUPE_") && name !== "TROUPE_BROWSER";
  return Object.fromEntries(Object.entries(env).filter(([name]) => !ours(name)));
}
