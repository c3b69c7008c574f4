// The queries of a page's structure around an element. Expected problems are part of their result.
import { isTroupeError } from "../../../proto/errors/catalogue.ts";
import type { Limits, QueryError } from "../../bridge/api/bridge-api.ts";
import { DocumentGone } from "../../core/gone.ts";
import { quote } from "../../snapshot/quote.ts";
import type { Located, Page } from "../../tab/page.ts";

/** The bounds of the queries. Elements beyond them are counted, not listed. */
export const LIMITS: Limits = { maxDepth: 4, maxSiblings: 15, maxDescendants: 100 };

/** Runs a query. An unusable ref is reported in the result, as are problems that the bridge reports. */
export async function query<R extends Partial<QueryError>>(
  page: Page,
  ref: string,
  nothing: R,
  ask: (at: Located) => Promise<R>,
): Promise<R> {
  page.detail = "refs";
  try {
    return await ask(await page.locate(ref));
  } catch (error) {
    const problem = expected(error);
    if (!problem) throw error;
    return { ...nothing, ...problem };
  }
}

function expected(error: unknown): QueryError | undefined {
  const suggestion = "Call browser_snapshot() to refresh refs";
  if (isTroupeError(error) && error.type === "UNKNOWN_REF")
    return { error: "Element not found in current snapshot", errorType: "not_found", suggestion };
  if (error instanceof DocumentGone || (isTroupeError(error) && error.type === "FRAME_DETACHED")) {
    return { error: "The element's frame or page is gone", errorType: "disconnected", suggestion };
  }
  return undefined;
}

export function problemText({ error, suggestion }: Partial<QueryError>, page: Page): string | undefined {
  return error && [`❌ ${error}`, `💡 Suggestion: ${suggestion}`, `(Role: ${page.call.role})`].join("\n\n");
}

/** Writes refs as a snapshot does, because refs in that form count as delivered. */
export function refsText(refs: readonly string[]): string {
  return refs.map((ref) => `[ref=${ref}]`).join(" ") || "none";
}

export function attributesText(attributes: Record<string, string>): string {
  const pairs = Object.entries(attributes).map(([name, value]) => `${name}=${quote(value)}`);
  return pairs.length ? ` ${pairs.join(" ")}` : "";
}
