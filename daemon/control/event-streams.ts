// Holds the open streams of Control.WatchEvents. Their number is bounded for each client, and for all together.
import type { ServerWritableStream } from "@grpc/grpc-js";
import { fail } from "../../proto/errors/catalogue.ts";
import type { WatchEventsRequest, WatchEventsResponse } from "../../proto/gen/troupe.ts";
import { ClientStreams } from "../admission/client-streams.ts";

export type EventStream = ServerWritableStream<WatchEventsRequest, WatchEventsResponse>;

const STREAMS_MAX = 10_000;
/** A client may hold each of its sessions with a stream. Programs that share a token are one client. */
const STREAMS_OF_CLIENT_MAX = 2_000;

export class EventStreams {
  readonly #open = new Set<EventStream>();
  readonly #ofClients = new ClientStreams(STREAMS_OF_CLIENT_MAX, "streams of events");

  /** Holds a stream until the result is disposed of. Throws BUSY if the client, or all, have as many as they may. */
  add(stream: EventStream, client: string): Disposable {
    if (this.#open.size >= STREAMS_MAX)
      throw fail("BUSY", { limit: `${STREAMS_MAX} watchers at once`, holders: [], retryAfterMs: 1000 });
    const counted = this.#ofClients.add(client);
    this.#open.add(stream);
    return {
      [Symbol.dispose]: () => {
        this.#open.delete(stream);
        counted[Symbol.dispose]();
      },
    };
  }

  [Symbol.iterator](): IterableIterator<EventStream> {
    return this.#open.values();
  }
}
