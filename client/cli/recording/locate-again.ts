// Finds the elements of a recording on the page as it is now, by tools that give refs.
import { oneLine, quote } from "../../../proto/text/quote.ts";
import type { Reply } from "../../../proto/wire/reply.ts";
import type { JsonObject } from "../../../proto/wire/struct.ts";
import { CallError } from "../../connection/call-error.ts";
import { CommandError, EXIT } from "../../connection/exit-code.ts";
import type { FileElement, FileLocator } from "./recording-file.ts";

/** Calls a tool in the replayed session and tab. */
export type CallTool = (tool: string, args: JsonObject) => Promise<Pick<Reply, "text" | "response">>;

/** Beyond this, no locator is known to match one element alone. */
const HITS_MAX = 200;
/** So many elements are asked for the iframe that they lie in. */
const FRAMED_MAX = 10;
/** The longest selector in a locator's code. */
const SELECTOR_MAX = 4_000;
/** An element may come late. It is waited for by its name. */
const WAIT_S = 5;
const WAIT_NAME_MAX = 200;

/** Returns the ref of the one element that a locator matches. Throws a CommandError. */
export async function locateAgain(element: FileElement, call: CallTool): Promise<string> {
  const found = (await firstMatch(element, call)) ?? (await matchAfterWait(element, call));
  if (found !== undefined) return found;
  const { role, name, locators } = element;
  const tried = locators.length === 1 ? "its locator" : `none of its ${locators.length} locators`;
  throw new CommandError(
    EXIT.failed,
    `${oneLine(`${role} ${JSON.stringify(name)}`)} is not on the page, or not alone: ${tried} matches exactly one element`,
  );
}

async function firstMatch(element: FileElement, call: CallTool): Promise<string | undefined> {
  for (const locator of element.locators) {
    const { text, response } = await lookUp(locator, element, call);
    // Names are found by their parts. One that is not shown may have this very name.
    if (Number(response.total ?? 0) > HITS_MAX) continue;
    const refs = refsIn(text, element, "role" in locator ? locator : undefined);
    const [only, ...others] = await inFrames(refs, element, call);
    if (only !== undefined && others.length === 0) return only;
  }
  return undefined;
}

/** Returns the refs of elements in the same iframe as the recorded one. */
async function inFrames(
  refs: readonly string[],
  { frames = [] }: FileElement,
  call: CallTool,
): Promise<readonly string[]> {
  if (frames.length === 0) return refs;
  if (refs.length > FRAMED_MAX) return [];
  const around = frames.map((css) => `.frameLocator(${quote(css, SELECTOR_MAX)})`).join("");
  const there: string[] = [];
  for (const ref of refs) if (await hasCode(ref, `page${around}`, call)) there.push(ref);
  return there;
}

/** Returns true if a locator of the element leads through these iframes and no others. */
async function hasCode(ref: string, around: string, call: CallTool): Promise<boolean> {
  const { locators } = (await call("inspect_element", { ref })).response;
  const codes = Array.isArray(locators) ? locators.map((each) => String(each?.playwright)) : [];
  return codes.some((code) => code.startsWith(`${around}.`) && !code.startsWith(`${around}.frameLocator(`));
}

async function matchAfterWait(element: FileElement, call: CallTool): Promise<string | undefined> {
  const { name } = element;
  if (name === "" || name.length > WAIT_NAME_MAX) return undefined;
  try {
    await call("browser_wait_for", { text: name, time: WAIT_S });
  } catch (error) {
    // The name may be no text of the page. The look itself decides.
    if (!(error instanceof CallError)) throw error;
  }
  return await firstMatch(element, call);
}

function lookUp(locator: FileLocator, { labelled }: FileElement, call: CallTool): ReturnType<CallTool> {
  if ("css" in locator)
    return call("query_elements", {
      selector: locator.css,
      limit: HITS_MAX,
      ...(labelled && { includeHidden: true }),
    });
  if ("text" in locator) return call("browser_find", { text: locator.text, limit: HITS_MAX });
  const { role, name } = locator;
  return call("browser_find", { ariaRole: role, ...(name && { name }), limit: HITS_MAX });
}

/**
 * Returns the refs of the hits that have the element's role, and the locator's name if it goes by that. A frame's refs
 * have its number.
 */
function refsIn(
  text: string,
  { role, frames = [] }: Pick<FileElement, "role" | "frames">,
  named?: { name: string },
): string[] {
  const refs = text.split("\n").flatMap((line) => {
    const [, itsRole, quoted, rest = ""] =
      /^\s*- ([\w-]+)(?: ("(?:[^"\\]|\\.)*"))?((?: \[[^\]]*\])*)/.exec(line) ?? [];
    const ref = /\[ref=(\w+)\]/.exec(rest)?.[1];
    if (!ref || itsRole !== role || ref.startsWith("f") === (frames.length === 0)) return [];
    return named && quoted !== undefined && quoted !== JSON.stringify(named.name) ? [] : [ref];
  });
  return [...new Set(refs)];
}
