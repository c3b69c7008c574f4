// Runs a script of the client, or one of the worker's, in a page's own world. The value comes within bounds.
import type { Protocol } from "puppeteer-core";
import { fail } from "../../proto/errors/catalogue.ts";
import { cut } from "../../proto/text/quote.ts";
import { DocumentGone, isGone } from "../core/gone.ts";
import { stackIn } from "../tab/console/console-stack.ts";
import { thrownText } from "../tab/console/console-text.ts";
import type { Frame } from "../tab/frames/frame.ts";
import type { Page } from "../tab/page.ts";
import { VALUE_BOUNDS, WRITE_VALUE } from "./script-value.ts";

const ERROR_LENGTH_MAX = 1_000;

/** A value of the page as data. `isCut`: it was larger than the bounds. */
export interface ScriptValue {
  value: unknown;
  isCut: boolean;
}

/** A script that Chrome can call: it takes an element, and its first line is that of the client's text. */
export interface ReadyScript {
  declaration: string;
}

/**
 * Checks that the text is an expression, a function or statements, and makes a function of it. Nothing runs. Throws
 * SCRIPT_FAILED for a text that cannot be read.
 */
export async function readScript(page: Page, { client }: Frame, text: string): Promise<ReadyScript> {
  const plain = text.replace(/[;\s]+$/, "");
  const compiled = async (expression: string) =>
    (
      await page.during(
        client.send("Runtime.compileScript", { expression, sourceURL: "", persistScript: false }),
      )
    ).exceptionDetails;
  const problem = await compiled(`(\n${plain}\n)`);
  if (!problem) return { declaration: asFunction(`const _made = (\n${plain}\n);`, CALL) };
  const asStatements = await compiled(`(async () => {\n${text}\n})`);
  if (!asStatements)
    return { declaration: asFunction(`const _made = await (async () => {\n${text}\n})();`, "_made") };
  throw fail("SCRIPT_FAILED", { error: errorText(problem), ...inText(problem) });
}

const CALL = `typeof _made === "function" ? await _made(_element) : await _made`;

function asFunction(made: string, value: string): string {
  return `async function (_element) { ${made} return (${WRITE_VALUE})(${value}, ${JSON.stringify(VALUE_BOUNDS)}); }`;
}

/**
 * Runs the script in the frame's own world, with the element of a ref if there is one. Throws SCRIPT_FAILED if it
 * throws. Resolves to undefined if the document goes away meanwhile.
 */
export async function runScript(
  page: Page,
  frame: Frame,
  { declaration }: ReadyScript,
  args: { ref?: string | undefined; values?: readonly unknown[] } = {},
): Promise<ScriptValue | undefined> {
  try {
    return await page.holding(frame.client, async (objectGroup) => {
      const element =
        args.ref === undefined ? [] : [{ objectId: await elementOf(page, frame, args.ref, objectGroup) }];
      const called = frame.client.send("Runtime.callFunctionOn", {
        functionDeclaration: declaration,
        arguments: [...element, ...(args.values ?? []).map((value) => ({ value }))],
        ...(frame.ownWorldId === undefined ? {} : { uniqueContextId: frame.ownWorldId }),
        returnByValue: true,
        awaitPromise: true,
        userGesture: true,
      });
      const { result, exceptionDetails } = await page.during(called);
      if (exceptionDetails) throw scriptFailed(exceptionDetails);
      return valueIn(result.value);
    });
  } catch (error) {
    if (isGone(error) && page.tab.isOpen) return undefined;
    throw error;
  }
}

/** The page may have tampered with the answer. */
function valueIn(answer: unknown): ScriptValue {
  const { value, isCut } = (answer ?? {}) as Record<string, unknown>;
  return { value: value ?? null, isCut: isCut === true };
}

/** Returns the element as an object of the page's own world. The bridge knows it in another world. */
async function elementOf(
  page: Page,
  { client, world }: Frame,
  ref: string,
  objectGroup: string,
): Promise<string> {
  if (!world) throw new DocumentGone("the element's document is gone");
  const found = client.send("Runtime.callFunctionOn", {
    functionDeclaration: "(ref) => globalThis.__troupe.node(ref)",
    arguments: [{ value: ref }],
    uniqueContextId: world.uniqueId,
    objectGroup,
  });
  const { result } = await page.during(found);
  if (result.objectId === undefined) throw new DocumentGone("the element is gone");
  const { node } = await page.during(client.send("DOM.describeNode", { objectId: result.objectId }));
  const { backendNodeId } = node;
  const { object } = await page.during(client.send("DOM.resolveNode", { backendNodeId, objectGroup }));
  return object.objectId ?? "";
}

function scriptFailed(details: Protocol.Runtime.ExceptionDetails): Error {
  const [call] = stackIn(details.exception?.description);
  const isOwn = call === undefined || call.url === "<anonymous>" || call.url === "";
  const at = call ? { line: isOwn ? call.line - 1 : call.line, column: call.column } : inText(details);
  return fail("SCRIPT_FAILED", {
    error: errorText(details),
    line: Math.max(0, at.line),
    column: at.column,
    ...(call && !isOwn && { url: call.url }),
  });
}

/** The client's text begins at the second line of what Chrome compiles. */
function inText({ lineNumber, columnNumber }: Protocol.Runtime.ExceptionDetails): {
  line: number;
  column: number;
} {
  return { line: Math.max(0, lineNumber), column: columnNumber + 1 };
}

function errorText(details: Protocol.Runtime.ExceptionDetails): string {
  return cut(thrownText(details).replace(/^Uncaught (?:\(in promise\) )?/, ""), ERROR_LENGTH_MAX);
}
