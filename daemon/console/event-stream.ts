// One page's stream of server-sent events. A page that reads slowly gets the newest state instead of a queue.
import type { ServerResponse } from "node:http";
import type { FastifyReply } from "fastify";

export interface EventStream {
  /** Sends an event. A page that lags behind gets `whole` later, in place of all events that it misses. */
  send(event: Buffer, whole: () => Buffer): void;
  end(): void;
}

/** A page comes back after this time when its stream breaks. */
const RETRY_MS = 2_000;
/** The events that a page may miss before it counts as gone. */
const MISSED_MAX = 60;

/** Makes an event. JSON has no line breaks. */
export function eventOf(kind: string, value: unknown): Buffer {
  return Buffer.from(`event: ${kind}\ndata: ${JSON.stringify(value)}\n\n`);
}

/** Opens the stream. `closed` is called once, when the page is gone. */
export function openEventStream(reply: FastifyReply, closed: () => void): EventStream {
  const { raw } = reply;
  raw.once("close", closed);
  raw.writeHead(200, { ...headersOf(reply), "content-type": "text/event-stream" });
  raw.write(`retry: ${RETRY_MS}\n\n`);
  reply.hijack();
  return { ...paced(raw), end: () => void raw.end() };
}

/** Writes as fast as the page reads. */
export function paced(raw: Pick<ServerResponse, "write" | "once" | "destroy">): Pick<EventStream, "send"> {
  let missed = 0;
  let isFull = false;
  let latest: (() => Buffer) | undefined;
  const write = (event: Buffer) => {
    isFull = !raw.write(event);
    if (!isFull) return;
    raw.once("drain", () => {
      isFull = false;
      missed = 0;
      const whole = latest;
      latest = undefined;
      if (whole) write(whole());
    });
  };
  return {
    send(event, whole) {
      if (!isFull) return write(event);
      latest = whole;
      if (++missed >= MISSED_MAX) raw.destroy();
    },
  };
}

function headersOf(reply: FastifyReply): Record<string, string> {
  return Object.fromEntries(Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]));
}
