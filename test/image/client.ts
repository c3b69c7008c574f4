// An MCP client that connects by URL: `client.ts ADDRESS TOKEN_FILE CALLS`. It runs in a container's network and prints the
// replies' texts as JSON. CALLS is JSON, too.
import { mcpUrl } from "../daemon/http/mcp/mcp-url.ts";

/** A tool's name and arguments. */
export type Call = [tool: string, args: Record<string, unknown>];

if (import.meta.main) {
  const [address = "", tokenFile = "", calls = "[]"] = process.argv.slice(2);
  await using client = await mcpUrl(address, tokenFile).connect("newer", {
    name: "image",
    query: "?profile=full",
  });
  const texts: string[] = [];
  for (const [tool, args] of JSON.parse(calls) as Call[]) {
    const { content } = await client.call(tool, args);
    texts.push(content.map((part) => ("text" in part ? part.text : part.type)).join("\n"));
  }
  console.log(JSON.stringify(texts));
}
