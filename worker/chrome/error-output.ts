// Captures Chrome's standard error while it starts. Puppeteer does not pass it on if the start fails.
import type { ChildProcess } from "node:child_process";
import diagnostics, { type ChannelListener } from "node:diagnostics_channel";
import { once } from "node:events";

/** Node publishes each new process to this channel. */
const CHANNEL = "child_process";
const TEXT_LENGTH_MAX = 16_384;
/** Processes of a dead browser may hold its output open. */
const END_MS_MAX = 1_000;

/** The output of the process that is started with this argument. It is collected until disposal. */
export interface ErrorOutput extends Disposable {
  /** Returns all of it, within bounds, once the process has ended. */
  whole(): Promise<string>;
}

/** Listens to the next process with `mark` among its arguments. */
export function errorOutput(mark: string): ErrorOutput {
  let text = "";
  let child: ChildProcess | undefined;
  const listen = (chunk: Buffer) => {
    if (text.length < TEXT_LENGTH_MAX) text += chunk.toString("utf8");
  };
  const take = (made: ChildProcess) => {
    if (!made.spawnargs?.some((arg) => arg.includes(mark))) return;
    child = made;
    made.stderr?.on("data", listen);
  };
  // Node publishes the process before it has arguments and streams.
  const published: ChannelListener = (message) =>
    queueMicrotask(() => take((message as { process: ChildProcess }).process));
  diagnostics.subscribe(CHANNEL, published);
  return {
    async whole() {
      // Output that stays open is not waited for any longer: the text so far is enough.
      if (child?.stderr && !child.stderr.closed)
        await once(child.stderr, "close", { signal: AbortSignal.timeout(END_MS_MAX) }).catch(() => undefined);
      return text;
    },
    [Symbol.dispose]() {
      diagnostics.unsubscribe(CHANNEL, published);
      child?.stderr?.off("data", listen);
    },
  };
}
