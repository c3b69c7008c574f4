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
    ...(isObject(result) && { structuredContent: withNulls(result) }),
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

/** Messages leave out an index that is not there; a query's result has it as null. */
function withNulls(result: Record<string, unknown>): Record<string, unknown> {
  return "siblings" in result ? { targetSiblingIndex: null, ...result } : result;
}

/** The page; warnings only where there are some, without what says nothing. */
function pageMeta({ warnings, ...page }: PageInfo): Record<string, unknown> {
  const told = filled(warnings ?? {});
  return { ...page, ...(Object.keys(told).length > 0 && { warnings: told }) };
}

function filled(object: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(object).filter(([, value]) => (Array.isArray(value) ? value.length > 0 : Boolean(value))),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
