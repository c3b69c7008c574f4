// Opens the WebSocket that a browser's protocol runs over.
import type { ConnectionTransport } from "puppeteer-core";
import { within } from "../../proto/machine/within.ts";
import { LOST, NotConnected } from "./not-connected.ts";

/** An open connection. `closed` resolves at its end with the reason. */
export interface OpenSocket {
  transport: ConnectionTransport;
  closed: Promise<string>;
}

/**
 * Resolves when the browser has accepted the connection. Rejects with NotConnected. `timeMs`: the connection may take so
 * long, also for a person who is asked first.
 */
export async function openSocket(address: string, timeMs: number): Promise<OpenSocket> {
  const socket = socketAt(address);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.addEventListener("open", () => resolve());
  // A failed connection ends with "close", after "error". Neither says why.
  socket.addEventListener("close", () => reject(new NotConnected(REFUSED)));
  socket.addEventListener("error", () => reject(new NotConnected(REFUSED)));
  const late = () => new NotConnected(`it did not accept a connection within ${timeMs / 1000} s`);
  await within({ timeMs, late, gaveUp: () => socket.close() }, promise);
  return transportOf(socket);
}

const REFUSED = "it refused the connection, or speaks no DevTools protocol";

function socketAt(address: string): WebSocket {
  try {
    return new WebSocket(address);
  } catch (cause) {
    throw new NotConnected("no WebSocket can be opened at its address", { cause });
  }
}

function transportOf(socket: WebSocket): OpenSocket {
  const { promise: closed, resolve } = Promise.withResolvers<string>();
  const transport: ConnectionTransport = {
    send: (message) => socket.send(message),
    close: () => socket.close(),
  };
  const end = (reason: string) => {
    transport.onclose?.();
    resolve(reason);
  };
  const receive = async (text: string): Promise<void> => {
    if (!text.startsWith("{")) throw new TypeError("the message is no object");
    // Puppeteer's handler is asynchronous, although its type does not say so.
    await Promise.resolve(transport.onmessage?.(text));
  };
  socket.addEventListener("message", ({ data }) => {
    // Another program listens there, or the browser breaks the protocol. Both end as a lost connection does.
    receive(String(data)).catch(() => {
      socket.close();
      // Such a program may never answer that the connection ends.
      end("the browser broke the DevTools protocol");
    });
  });
  socket.addEventListener("close", () => end(LOST));
  return { transport, closed };
}
