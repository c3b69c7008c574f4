// The parts of the generated documents.

/** The first line of each document. */
const GENERATED = "<!-- Written by `npm run documents`. Change what it is made from instead. -->";

/** Prints a table. Pipes and line breaks in its cells are escaped. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

export function code(text: string): string {
  return text === "" ? "" : `\`${text}\``;
}

/** Prints a text in a fence, if `code` cannot hold it unchanged. */
export function fence(text: string, language = ""): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

/** Joins paragraphs, tables and fences with blank lines. */
export function document(parts: readonly string[]): string {
  return `${[GENERATED, ...parts].join("\n\n")}\n`;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replace(/\s*\n\s*/g, " ");
}
