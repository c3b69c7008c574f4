// Runs the storage script in an isolated world. No script of a page can see it, or change what it uses.
import type { CDPSession } from "puppeteer-core";
import type { StorageProgram } from "../bridge/storage/api.ts";
import { withinTime } from "../core/frame-time.ts";

const WORLD = "troupe-storage";
/** The script has this long beyond its own deadline to report its result. */
const ANSWER_MS = 1_000;

/** A question to the storage script in a frame. */
export interface StorageQuestion {
  /** The script, as it was bundled. */
  script: string;
  method: keyof StorageProgram;
  args: (string | number)[];
  /** The script's own deadline. */
  timeMs: number;
  /** Undefined for the session's main frame. */
  frameId?: string;
}

/** Returns the script's answer, parsed from JSON. Rejects with FrameTimeout if the frame hangs. */
export async function askStorage(client: CDPSession, question: StorageQuestion): Promise<unknown> {
  const { timeMs, method } = question;
  return await withinTime(
    () => ask(client, question),
    timeMs + ANSWER_MS,
    `the page did not let its storage be ${method === "read" ? "read" : "filled"} in time`,
  );
}

async function ask(client: CDPSession, { script, method, args, frameId }: StorageQuestion): Promise<unknown> {
  const { executionContextId } = await client.send("Page.createIsolatedWorld", {
    frameId: frameId ?? (await client.send("Page.getFrameTree")).frameTree.frame.id,
    worldName: WORLD,
  });
  const evaluated = await client.send("Runtime.evaluate", {
    expression: script,
    contextId: executionContextId,
  });
  const called = await client.send("Runtime.callFunctionOn", {
    executionContextId,
    functionDeclaration: "(method, ...args) => globalThis.__troupeStorage[method](...args)",
    arguments: [method, ...args].map((value) => ({ value })),
    returnByValue: true,
    awaitPromise: true,
  });
  const exception = (evaluated.exceptionDetails ?? called.exceptionDetails)?.exception;
  // The error names only the exception's kind: its message could quote stored data.
  if (exception) throw new Error(`the storage program failed: ${exception.className ?? "an exception"}`);
  return JSON.parse(called.result.value);
}
