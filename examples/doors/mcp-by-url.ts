// An MCP client that connects by URL, with a token: node mcp-by-url.ts URL TOKEN PAGE
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [url = "", token = "", page = ""] = process.argv.slice(2);
const client = new Client({ name: "by-url-example", version: "1" });
const headers = { authorization: `Bearer ${token}` };
await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
const { content } = await client.callTool({ name: "browser_navigate", arguments: { url: page } });
console.log(content);
await client.close();
