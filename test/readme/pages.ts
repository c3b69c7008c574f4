// The pages that people write, and the fenced blocks in them.
import { readFileSync } from "node:fs";
import path from "node:path";

export const ROOT = path.join(import.meta.dirname, "../..");

/** Each page with the most words that it may have. */
export const PAGES: Readonly<Record<string, number>> = {
  "README.md": 1500,
  "CONTRIBUTING.md": 1000,
  "docs/CLIENTS.md": 1000,
  "docs/PROGRAMS.md": 1000,
  "docs/ROLES.md": 1000,
  "docs/CREDENTIALS.md": 1000,
  "docs/ATTACH.md": 1000,
  "docs/APPROVALS.md": 1000,
  "docs/TEAM.md": 1000,
  "docs/CONSOLE.md": 1000,
  "docs/EVIDENCE.md": 1000,
  "docs/SECURITY.md": 1000,
  "docs/TAKEOVER.md": 1000,
  "docs/OPERATIONS.md": 1000,
  "docs/RUNBOOK.md": 1000,
  "docs/SERVICE.md": 1000,
  "docs/DAEMONS.md": 1000,
  "docs/ENTRY.md": 1000,
  "docs/KUBERNETES.md": 1000,
  "docs/KUBERNETES_UPKEEP.md": 1000,
  "docs/DOCKER.md": 1000,
  "docs/TROUBLESHOOTING.md": 1000,
  "examples/README.md": 1000,
};

export interface Block {
  page: string;
  /** The line of its opening fence, from 1. */
  line: number;
  /** The first word behind the fence, such as `sh`; empty without one. */
  language: string;
  /** The second word behind the fence: the name under which the reader saves the block. */
  file: string | undefined;
  text: string;
}

export function pageText(page: string): string {
  return readFileSync(path.join(ROOT, page), "utf8");
}

/** Returns the fenced blocks of a page in their order. Throws if a fence is not closed. */
export function blocksOf(page: string, markdown: string): Block[] {
  const blocks: Block[] = [];
  let open: (Block & { fence: string }) | undefined;
  for (const [index, line] of markdown.split("\n").entries()) {
    const [, fence = "", info = ""] = /^(`{3,})(.*)$/.exec(line) ?? [];
    if (open && line === open.fence) {
      const { fence: _, ...block } = open;
      blocks.push(block);
      open = undefined;
    } else if (open) {
      open.text += `${line}\n`;
    } else if (fence) {
      const [language = "", file] = info.trim().split(/\s+/);
      open = { page, line: index + 1, language, file, text: "", fence };
    }
  }
  if (open) throw new Error(`${page}:${open.line}: the fence is not closed`);
  return blocks;
}

/** Returns the page without its fenced blocks. */
export function proseOf(markdown: string): string {
  return markdown.replace(/^(`{3,}).*\n[\s\S]*?\n?^\1$/gm, "");
}
