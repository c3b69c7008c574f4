// Turns replies and errors into MCP results.
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { ErrorDetail } from "../errors/catalogue.ts";
import type { FileContent } from "../gen/troupe.ts";
import { planText } from "../plans/plan-text.ts";
import { inlineText } from "../text/inline-text.ts";
import { quote } from "../text/quote.ts";
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
      ...fileParts(response.file),
    ],
    ...(result && { structuredContent: result }),
    ...(page && { _meta: { [PAGE_META]: toldPage(page) } }),
  };
}

/** A small text is read at once. Any other file is an embedded resource. */
function fileParts(file: unknown): CallToolResult["content"] {
  const { name = "", mimeType = "", content, id = "" } = (file ?? {}) as Partial<FileContent>;
  if (!(content instanceof Uint8Array) || content.length === 0) return [];
  const text = inlineText(content);
  if (text !== undefined) return [{ type: "text", text: `Content of ${quote(name)}:\n${text}` }];
  const uri = `troupe:///files/${encodeURIComponent(id || name)}`;
  const blob = Buffer.from(content).toString("base64");
  return [{ type: "resource", resource: { uri, mimeType: mimeType || "application/octet-stream", blob } }];
}

/** Returns an error as the text of its plan, and whole for programs. */
export function errorResult(detail: ErrorDetail, profile: Profile): CallToolResult {
  return {
    isError: true,
    content: [{ type: "text", text: planText(detail, profile) }],
    _meta: { [ERROR_META]: { ...detail } },
  };
}
