// Follows a page's open streams: WebSockets and server-sent events. An answer to a sent message may come over one of
// them.
import type { Reaction } from "./reaction.ts";

/** A message that comes later than this after a sent one is not its answer. */
const ANSWER_MS_MAX = 700;
const CHATTER_PER_S = 3;
/** Messages of a stream that chatters are awaited for this long. */
const CHATTER_MS = 250;
/** A stream that brought nothing this often is not waited for until it brings something. */
export const IN_VAIN_MAX = 2;
const STREAMS_MAX = 100;

interface Stream {
  /** The source of the events that report it. */
  source: object;
  /** The page asks again and again: nothing is open between two answers. */
  isPoll: boolean;
  /** Chrome reports its messages only as parts of an answer, because a script of the page reads them itself. */
  isInParts: boolean;
  /** With this many unrequested messages within a second, none can be recognized as an answer. */
  chatterPerS: number;
  /** When the last messages came. */
  cameAtMs: number[];
  /** When a message was sent whose answer is awaited. */
  askedAtMs: number | undefined;
  isChatty: boolean;
  /** How many messages in a row had no answer in time. */
  unanswered: number;
  /** How many actions' requests it did not follow. */
  inVain: number;
}

export class Streams {
  readonly #streams = new Map<string, Stream>();

  opened(
    id: string,
    source: object,
    { isInParts = false, isPoll = false, chatterPerS = CHATTER_PER_S } = {},
  ): void {
    if (this.#streams.has(id)) return;
    if (this.#streams.size >= STREAMS_MAX) this.#forgetAPoll();
    if (this.#streams.size >= STREAMS_MAX) return;
    const fresh = { cameAtMs: [], askedAtMs: undefined, isChatty: false, unanswered: 0, inVain: 0 };
    this.#streams.set(id, { ...fresh, source, isPoll, isInParts, chatterPerS });
  }

  /** Is true if the page holds a connection open. A poll does not count. */
  get areOpen(): boolean {
    return [...this.#streams.values()].some(({ isPoll }) => !isPoll);
  }

  /** Returns true if each part of the answer is a message. */
  isInParts(id: string): boolean {
    return this.#streams.get(id)?.isInParts === true;
  }

  closed(id: string): void {
    this.#streams.delete(id);
  }

  /** Drops the streams of a source that has ended. */
  unwatched(source: object): void {
    for (const [id, stream] of this.#streams) if (stream.source === source) this.#streams.delete(id);
  }

  /** Drops the oldest poll to make room. */
  #forgetAPoll(): void {
    for (const [id, { isPoll }] of this.#streams) if (isPoll) return void this.#streams.delete(id);
  }

  /** Drops all streams, because another document is shown. */
  clear(): void {
    this.#streams.clear();
  }

  /** Notes a message that the page sent. Returns true if an action waits for its answer. */
  sent(id: string, reactions: ReadonlySet<Reaction>): boolean {
    const stream = this.#streams.get(id);
    const nowMs = performance.now();
    if (!stream) return false;
    stream.isChatty = isChattering(stream);
    stream.askedAtMs = nowMs;
    return reactions.size > 0 && stream.unanswered < IN_VAIN_MAX;
  }

  /** Notes a message that came. Returns true if an action may be waiting for it. */
  came(id: string): boolean {
    const stream = this.#streams.get(id);
    if (!stream) return false;
    const nowMs = performance.now();
    stream.cameAtMs = [...stream.cameAtMs.slice(1 - stream.chatterPerS), nowMs];
    stream.inVain = 0;
    const isAnswer = stream.askedAtMs !== undefined && nowMs - stream.askedAtMs <= ANSWER_MS_MAX;
    if (isAnswer) stream.unanswered = 0;
    if (isAnswer && !stream.isChatty) stream.askedAtMs = undefined;
    return isAnswer || !isChattering(stream);
  }

  /** Returns until when an answer is awaited. Undefined if none is. */
  awaitedUntilMs({ beganAtMs }: Reaction): number | undefined {
    let untilMs: number | undefined;
    for (const stream of this.#streams.values()) {
      const { askedAtMs, isChatty, unanswered } = stream;
      if (askedAtMs === undefined || askedAtMs < beganAtMs || unanswered >= IN_VAIN_MAX) continue;
      const own = askedAtMs + (isChatty ? CHATTER_MS : ANSWER_MS_MAX);
      if (own > performance.now()) untilMs = Math.max(untilMs ?? 0, own);
      else {
        if (!isChatty) stream.unanswered++;
        stream.askedAtMs = undefined;
      }
    }
    return untilMs;
  }

  /** Is true if an action's result may come over a stream: one is open, and has not been silent before. */
  get mayFollow(): boolean {
    return [...this.#streams.values()].some((stream) => stream.inVain < IN_VAIN_MAX && !isChattering(stream));
  }

  /** Notes that an action's request ended, and no message followed. */
  didNotFollow(): void {
    for (const stream of this.#streams.values()) stream.inVain++;
  }
}

function isChattering({ cameAtMs, chatterPerS }: Stream): boolean {
  return cameAtMs.length >= chatterPerS && performance.now() - (cameAtMs[0] ?? 0) <= 1_000;
}
