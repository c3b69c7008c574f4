// Lines of one tree put among those of another.

import type { FrameHole } from "../bridge/api/bridge-api.ts";

/** The text with what its iframes hold, below their lines; undefined or nothing for one that is left as it is. */
export function splice(
  text: string,
  holes: readonly FrameHole[],
  parts: readonly ({ text: string } | undefined)[],
): string {
  if (holes.length === 0) return text;
  const lines = text.split("\n");
  holes.forEach((hole, index) => {
    const content = parts[index]?.text ?? "";
    if (content !== "") lines[hole.line] += `:\n${indented(content, "  ".repeat(hole.level + 1))}`;
  });
  return lines.join("\n");
}

export function indented(text: string, indent: string): string {
  return indent + text.replaceAll("\n", `\n${indent}`);
}

/** Those that say anything. */
export function joined(texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join("\n");
}
