// Keeps the latest messages of an MCP session's streams, so that a client can resume a stream that it lost.
import type { EventStore, JSONRPCMessage } from "@modelcontextprotocol/server";
import type { Clock } from "../../core/clock.ts";

/** The most that one session keeps. */
const EVENTS_MAX = 500;
const BYTES_MAX = 8 * 2 ** 20;
/** The most that all sessions keep together. */
const ALL_BYTES_MAX = 64 * 2 ** 20;
/** A client that has not come back by then has given up. */
const AGE_MS_MAX = 5 * 60_000;

/** The bytes that all sessions keep together. */
export class EventMemory {
  /** The session whose events are the oldest first. */
  readonly #all = new Set<StreamEvents>();
  bytes = 0;

  /** Makes room in the sessions that stored least recently. */
  stored(events: StreamEvents): void {
    this.#all.delete(events);
    this.#all.add(events);
    for (const oldest of this.#all) {
      while (this.bytes > ALL_BYTES_MAX && oldest.dropFirst());
      if (this.bytes <= ALL_BYTES_MAX) return;
    }
  }

  forget(events: StreamEvents): void {
    this.#all.delete(events);
  }
}

interface StoredEvent {
  streamId: string;
  message: JSONRPCMessage;
  bytes: number;
  atMs: number;
}

export class StreamEvents implements EventStore, Disposable {
  readonly #events = new Map<string, StoredEvent>();
  readonly #memory: EventMemory;
  readonly #clock: Clock;
  #bytes = 0;
  #count = 0;

  constructor(memory: EventMemory, clock: Clock) {
    this.#memory = memory;
    this.#clock = clock;
  }

  async storeEvent(streamId: string, message: JSONRPCMessage): Promise<string> {
    const bytes = Buffer.byteLength(JSON.stringify(message));
    const atMs = this.#clock.steady();
    const id = `${++this.#count}`;
    this.#events.set(id, { streamId, message, bytes, atMs });
    this.#add(bytes);
    while (this.#isTooMuch(atMs) && this.dropFirst());
    this.#memory.stored(this);
    return id;
  }

  async getStreamIdForEventId(eventId: string): Promise<string | undefined> {
    return this.#events.get(eventId)?.streamId;
  }

  async replayEventsAfter(
    lastEventId: string,
    { send }: { send: (eventId: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const last = this.#events.get(lastEventId);
    // The transport has asked for the stream before.
    if (!last) throw new Error("an event that is not kept");
    let isAfter = false;
    for (const [id, { streamId, message }] of [...this.#events]) {
      // The event that opens a stream holds no message.
      if (isAfter && streamId === last.streamId && "jsonrpc" in message) await send(id, message);
      isAfter ||= id === lastEventId;
    }
    return last.streamId;
  }

  /** Drops the oldest event. Returns false if there is none. */
  dropFirst(): boolean {
    const [first] = this.#events;
    if (!first) return false;
    const [id, { bytes }] = first;
    this.#events.delete(id);
    this.#add(-bytes);
    return true;
  }

  [Symbol.dispose](): void {
    this.#events.clear();
    this.#add(-this.#bytes);
    this.#memory.forget(this);
  }

  #add(bytes: number): void {
    this.#bytes += bytes;
    this.#memory.bytes += bytes;
  }

  #isTooMuch(nowMs: number): boolean {
    const [first] = this.#events.values();
    const isOld = first !== undefined && first.atMs + AGE_MS_MAX < nowMs;
    return isOld || this.#events.size > EVENTS_MAX || this.#bytes > BYTES_MAX;
  }
}
