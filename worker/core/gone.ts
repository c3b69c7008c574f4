// What a question meets when its document, frame or tab has gone meanwhile: no fault, the asker looks again.

/** The document that a question went to is gone, or its frame is. */
export class DocumentGone extends Error {
  override readonly name = "DocumentGone";
  readonly reason = "detached";
}

/** Chrome's words for it (`ProtocolError` and `TargetCloseError` of its connection). */
const GONE =
  /Cannot find context|Failed to find context|context was destroyed|uniqueContextId not found|Session closed|Target closed|Session with given id|Promise was collected|navigated or closed|Frame was detached|Not attached to an active page|with (?:the )?given id|Could not find object|No node/i;
const PROTOCOL_ERRORS = new Set(["ProtocolError", "TargetCloseError"]);

/** Whether an error only says that the document, frame or tab has gone meanwhile. */
export function isGone(error: unknown): error is Error {
  if (error instanceof DocumentGone) return true;
  return error instanceof Error && PROTOCOL_ERRORS.has(error.name) && GONE.test(error.message);
}

/** What was asked; undefined where its document, frame or tab has gone meanwhile. */
export async function unlessGone<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}
