// Sends one question to the bridge of a document.
import type { Bridge } from "../bridge/api/bridge-api.ts";
import { refPrefix } from "../refs/ref-text.ts";
import type { Frame, World } from "./frames/frame.ts";

/** The questions that a worker asks a bridge by name. */
export type BridgeMethod = Exclude<keyof Bridge, "refOf" | "fileField" | "newestTree" | "setPrefix">;
export type BridgeAnswer<M extends BridgeMethod> = Awaited<ReturnType<Bridge[M]>>;

/**
 * Returns the answer with the number of the newest tree at that time, or undefined if the world has no bridge. Rejects
 * with the bridge's own error, or Chrome's if the document is gone.
 */
export async function callBridge<M extends BridgeMethod>(
  frame: Pick<Frame, "client" | "number">,
  world: World,
  method: M,
  args: Parameters<Bridge[M]>,
): Promise<{ answer: BridgeAnswer<M>; seen: number } | undefined> {
  const { result, exceptionDetails } = await frame.client.send("Runtime.callFunctionOn", {
    functionDeclaration: CALL_BRIDGE,
    arguments: [{ value: method }, { value: args }, { value: refPrefix(frame.number) }],
    uniqueContextId: world.uniqueId,
    returnByValue: true,
    awaitPromise: true,
  });
  if (exceptionDetails)
    throw new Error(`bridge.${method}: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`);
  return result.value;
}

/** JSON has no undefined: an omitted argument travels as null. */
const CALL_BRIDGE = `async (method, args, prefix) => {
  if (!Object.hasOwn(globalThis, "__troupe")) return;
  globalThis.__troupe.setPrefix(prefix);
  const answer = await globalThis.__troupe[method](...args.map((each) => each ?? undefined));
  return { answer, seen: globalThis.__troupe.newestTree() };
}`;
