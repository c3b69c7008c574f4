// Decides by a .dockerignore what a build sees, as Docker does: the last pattern that fits a path or a folder above it.
import path from "node:path";

export type IsIgnored = (file: string) => boolean;

export function readIgnores(text: string): IsIgnored {
  const lines = text.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#"));
  const patterns = lines.map(withPlainDots);
  return (file) => {
    const steps = withPlainDots(file).split("/");
    const above = steps.map((_, index) => steps.slice(0, index + 1).join("/"));
    let ignored = false;
    for (const pattern of patterns) {
      const isException = pattern.startsWith("!");
      const fits = above.some((each) => path.matchesGlob(each, pattern.slice(isException ? 1 : 0)));
      if (fits) ignored = !isException;
    }
    return ignored;
  };
}

/** In Docker, a star stands for a leading dot, too. Node's patterns would not take it. */
function withPlainDots(text: string): string {
  return text.replaceAll(/(?<=^|[!/])\./g, "dot.");
}
