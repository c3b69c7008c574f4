// resolve_container: shows the ancestors of an element.
import type { ContainerResult } from "../../bridge/api/bridge-api.ts";
import { quote } from "../../snapshot/quote.ts";
import type { Page } from "../../tab/page.ts";
import type { ToolHandler } from "../tool.ts";
import { attributesText, LIMITS, problemText, query, refsText } from "./structure.ts";

export const resolveContainer: ToolHandler<"ResolveContainer"> = async ({ ref }, { page: open }) => {
  const page = await open();
  const result = await query<ContainerResult>(page, ref, { target: null, ancestors: [] }, (at) =>
    page.ask(at.frame, "resolveContainer", at.ref, LIMITS),
  );
  return { text: tellContainer(ref, result, page), result };
};

function tellContainer(ref: string, result: ContainerResult, page: Page): string {
  const problem = problemText(result, page);
  if (problem) return problem;
  const { target, ancestors } = result;
  const head = [`Ancestors of ${ref} <${target?.tagName}> ${quote(target?.text ?? "")}, nearest first:`];
  if (ancestors.length === 0) return [...head, "none: it is a direct child of body"].join("\n");
  const lines = ancestors.map(
    ({ level, tagName, attributes, childElements, containsRefs }) =>
      `level ${level}: <${tagName}>${attributesText(attributes)}, ${childElements} children, refs inside: ${refsText(containsRefs)}`,
  );
  return [...head, ...lines].join("\n");
}
