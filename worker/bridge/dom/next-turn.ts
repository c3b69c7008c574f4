// Waits for a turn of the event loop. One channel serves all waits, because Chrome counts each channel's listener with
// the page's.

const waiting: (() => void)[] = [];
let port: MessagePort | undefined;

/** Resolves after all that the page has queued so far has run. */
export function nextTurn(): Promise<void> {
  port ??= open();
  const { promise, resolve } = Promise.withResolvers<void>();
  waiting.push(resolve);
  port.postMessage(undefined);
  return promise;
}

function open(): MessagePort {
  const { port1, port2 } = new MessageChannel();
  // Messages arrive in the order in which they were sent.
  port1.onmessage = () => waiting.shift()?.();
  return port2;
}
