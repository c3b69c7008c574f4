// What the generated documents are written with.

/** The first line of each. */
const GENERATED = "<!-- Written by `npm run documents`. Change what it is made from instead. -->";

/** A table; pipes and line breaks in its cells are written so that they stay in them. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

export function code(text: string): string {
  return text === "" ? "" : `\`${text}\``;
}

/** What `code` cannot hold as it is: a text in a fence of its own. */
export function fence(text: string, language = ""): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

/** Paragraphs, tables and fences, with a blank line between. */
export function document(parts: readonly string[]): string {
  return `${[GENERATED, ...parts].join("\n\n")}\n`;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replace(/\s*\n\s*/g, " ");
}
