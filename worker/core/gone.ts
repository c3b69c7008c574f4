// Recognizes a question whose document, frame or tab has gone meanwhile. This is no fault, and the caller asks again.

/** The document or the frame that a question went to is gone. */
export class DocumentGone extends Error {
  override readonly name = "DocumentGone";
  readonly reason = "detached";
}

/** Chrome's messages for it (`ProtocolError` and `TargetCloseError` of its connection). */
const GONE =
  /Cannot find context|Failed to find context|context was destroyed|uniqueContextId not found|Session closed|Target closed|Session with given id|Promise was collected|navigated or closed|Frame was detached|Not attached to an active page|with (?:the )?given id|Could not find object|No node/i;
const PROTOCOL_ERRORS = new Set(["ProtocolError", "TargetCloseError"]);

/** Returns true if an error only means that the document, frame or tab has gone meanwhile. */
export function isGone(error: unknown): error is Error {
  if (error instanceof DocumentGone) return true;
  return error instanceof Error && PROTOCOL_ERRORS.has(error.name) && GONE.test(error.message);
}

/** Returns the answer, or undefined if its document, frame or tab has gone meanwhile. */
export async function unlessGone<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}
