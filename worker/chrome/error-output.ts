// What Chrome writes to its standard error while it starts. Puppeteer keeps it to itself where the start fails.
import type { ChildProcess } from "node:child_process";
import diagnostics, { type ChannelListener } from "node:diagnostics_channel";
import { once } from "node:events";

/** Node publishes each process that is made to this channel. */
const CHANNEL = "child_process";
const TEXT_LENGTH_MAX = 16_384;
/** Processes of a dead browser may hold its output open. */
const END_MS_MAX = 1_000;

/** What the process writes that is started with this argument's value; it is kept until this is disposed of. */
export interface ErrorOutput extends Disposable {
  /** All of it, within bounds, once the process has ended. */
  whole(): Promise<string>;
}

/** Listens to the process that is started next with `mark` among its arguments. */
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
  // It is published before it has arguments and streams.
  const published: ChannelListener = (message) =>
    queueMicrotask(() => take((message as { process: ChildProcess }).process));
  diagnostics.subscribe(CHANNEL, published);
  return {
    async whole() {
      // Output that stays open is not waited for any longer: what has come by then is enough.
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
