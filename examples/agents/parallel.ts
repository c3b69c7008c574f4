// Agents side by side over one MCP connection. The argument `session` names each agent's own tabs, role and refs.
// node parallel.ts URL…
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const client = new Client({ name: "parallel-example", version: "1" });
const env = process.env as Record<string, string>;
await client.connect(new StdioClientTransport({ command: "troupe", args: ["mcp"], env }));

async function lookAt(url: string, index: number): Promise<string> {
  const session = `agent-${index}`;
  await client.callTool({ name: "browser_navigate", arguments: { url, session } });
  const { content } = await client.callTool({ name: "browser_tabs", arguments: { action: "list", session } });
  const [first] = content as { text?: string }[];
  return `${session}: ${first?.text}`;
}

for (const look of await Promise.all(process.argv.slice(2).map(lookAt))) console.log(look);
await client.close();
