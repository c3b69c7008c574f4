// Writes COMPARISON.md: the tools of other servers, and how the same is done here.
import type { Counterpart } from "../../peers/counterpart.ts";
import { counterparts } from "../../peers/counterparts.ts";
import type { TheirTools } from "../../peers/their-tools.ts";
import { code, document, table } from "./markdown.ts";

const SERVERS: Readonly<Record<keyof TheirTools, string>> = {
  playwright: "Playwright MCP 0.0.83, all capabilities",
  chromeDevtools: "chrome-devtools-mcp 1.11.0",
  agentBrowser: "agent-browser 0.41.2, all tools",
  verdex: "Verdex 0.1.6",
  cherry: "Cherry Chrome MCP 0.1.0, both modes",
};

export function comparisonDocument(): string {
  return document([
    "# Tools of other servers",
    "Each tool that another server offers, and what does the same here. A test of the title in the last column shows it; `test/peers/` checks that no tool is missing. Names of other servers are understood: an agent that calls one is told the call of ours.",
    ...Object.entries(SERVERS).flatMap(([server, name]) => [
      `## ${name}`,
      table(["their tool", "here", "shown by, or why not"], rowsOf(server as keyof TheirTools)),
    ]),
  ]);
}

function rowsOf(server: keyof TheirTools): string[][] {
  return counterparts.flatMap((each) =>
    (each.theirs[server]?.split(" ") ?? []).map((name) => [code(name), ...answerOf(each)]),
  );
}

function answerOf(each: Counterpart): [ours: string, why: string] {
  if ("reason" in each) return ["–", each.reason];
  return [/^\w+$/.test(each.ours) ? `[${code(each.ours)}](TOOLS.md#${each.ours})` : each.ours, each.shownBy];
}
