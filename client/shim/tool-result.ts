// Replies and errors as MCP results.
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import type { ErrorDetail } from "../../proto/errors.ts";
import type { PageInfo } from "../../proto/gen/troupe.ts";
import { planText } from "../../proto/plan.ts";
import type { Profile } from "../../proto/tools.ts";
import type { Reply } from "../reply.ts";

const PAGE_META = "troupe.v1/page";
const ERROR_META = "troupe.v1/error";

/** A reply's text, and beside it the page, a picture, or a query's result. */
export function toolResult({ text, page, response }: Reply): CallToolResult {
  const { image, mimeType, result } = response;
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
    ...(isObject(result) && { structuredContent: result }),
    ...(page && { _meta: { [PAGE_META]: pageMeta(page) } }),
  };
}

/** An error as the text of its plan, and whole for programs. */
export function errorResult(detail: ErrorDetail, profile: Profile): CallToolResult {
  return {
    isError: true,
    content: [{ type: "text", text: planText(detail, profile) }],
    _meta: { [ERROR_META]: { ...detail } },
  };
}

/** The page, without what says nothing. */
function pageMeta(page: PageInfo): Record<string, unknown> {
  const { warnings, ...rest } = page;
  const told = filled(warnings ?? {});
  return { ...filled(rest), ...(Object.keys(told).length > 0 && { warnings: told }) };
}

function filled(object: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(object).filter(([, value]) => (Array.isArray(value) ? value.length > 0 : Boolean(value))),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
