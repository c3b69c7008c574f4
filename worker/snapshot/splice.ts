// Puts the lines of one tree into another.

import type { FrameHole } from "../bridge/api/bridge-api.ts";

/**
 * Returns the text with each iframe's content below its line. An iframe without content, or with an empty one, stays as
 * it is.
 */
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

/** Joins the texts that are not empty. */
export function joined(texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join("\n");
}
