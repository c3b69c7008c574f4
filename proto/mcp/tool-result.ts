// Turns replies and errors into MCP results.
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { ErrorDetail } from "../errors/catalogue.ts";
import { planText } from "../plans/plan-text.ts";
import type { Profile } from "../tools/read-tools.ts";
import { queryResult, type Reply, toldPage } from "../wire/reply.ts";

const PAGE_META = "troupe.v1/page";
const ERROR_META = "troupe.v1/error";

/** Returns a reply's text, and beside it the page, a picture or a query's result. */
export function toolResult({ text, page, response }: Reply): CallToolResult {
  const { image, mimeType } = response;
  const result = queryResult(response);
  return {
    content: [
      { type: "text", text },
      ...(image instanceof Uint8Array && image.length > 0
        ? [
            {
              type: "image" as const,
              data: Buffer.from(image).toString("base64"),
              mimeType: String(mimeType),
            },
          ]
        : []),
    ],
    ...(result && { structuredContent: result }),
    ...(page && { _meta: { [PAGE_META]: toldPage(page) } }),
  };
}

/** Returns an error as the text of its plan, and whole for programs. */
export function errorResult(detail: ErrorDetail, profile: Profile): CallToolResult {
  return {
    isError: true,
    content: [{ type: "text", text: planText(detail, profile) }],
    _meta: { [ERROR_META]: { ...detail } },
  };
}
