// Catches the error of a client's call that must fail.
import assert from "node:assert/strict";
import type { TroupeError } from "../../client/sdk/index.ts";

/** Resolves with the error of a failed call. */
export function failure(step: () => Promise<unknown>): Promise<TroupeError> {
  return step().then(
    () => assert.fail("nothing failed"),
    (error) => error as TroupeError,
  );
}
