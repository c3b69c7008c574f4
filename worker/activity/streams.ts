// A page's open streams: WebSockets, and servers' events. An answer may come over one of them, after what was sent.
import type { Reaction } from "./reaction.ts";

/** A message that comes so long after one was sent is no answer to it. */
const ANSWER_MS_MAX = 700;
const CHATTER_PER_S = 3;
/** What comes over a stream that chatters is awaited for so long. */
const CHATTER_MS = 250;
/** A stream that brought nothing so often is not waited for until it brings something. */
export const IN_VAIN_MAX = 2;
const STREAMS_MAX = 100;

interface Stream {
  /** Whose events tell of it. */
  source: object;
  /** The page asks again and again: nothing is open between two answers. */
  isPoll: boolean;
  /** Chrome tells of its messages only as parts of an answer: a script of the page reads them itself. */
  isInParts: boolean;
  /** So many messages within a second, unasked for, and no message is known to be the answer. */
  chatterPerS: number;
  /** When messages came, the last ones. */
  cameAtMs: number[];
  /** When a message was sent whose answer is awaited. */
  askedAtMs: number | undefined;
  isChatty: boolean;
  /** How many messages in a row had no answer in their time. */
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

  /** Whether the page holds a connection open; a poll is none. */
  get areOpen(): boolean {
    return [...this.#streams.values()].some(({ isPoll }) => !isPoll);
  }

  /** Whether each part of it that comes is a message. */
  isInParts(id: string): boolean {
    return this.#streams.get(id)?.isInParts === true;
  }

  closed(id: string): void {
    this.#streams.delete(id);
  }

  /** Nothing more is heard from there. */
  unwatched(source: object): void {
    for (const [id, stream] of this.#streams) if (stream.source === source) this.#streams.delete(id);
  }

  /** The oldest makes room. */
  #forgetAPoll(): void {
    for (const [id, { isPoll }] of this.#streams) if (isPoll) return void this.#streams.delete(id);
  }

  /** Another document is shown. */
  clear(): void {
    this.#streams.clear();
  }

  /** The page sent a message over it. True where an action waits for the answer. */
  sent(id: string, reactions: ReadonlySet<Reaction>): boolean {
    const stream = this.#streams.get(id);
    const nowMs = performance.now();
    if (!stream) return false;
    stream.isChatty = isChattering(stream);
    stream.askedAtMs = nowMs;
    return reactions.size > 0 && stream.unanswered < IN_VAIN_MAX;
  }

  /** A message came. True where it may be what an action waits for. */
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

  /** Until when an answer is awaited; undefined where none is. */
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

  /** Whether the answer to an action's request may come over a stream: one is open, and has not been silent before. */
  get mayFollow(): boolean {
    return [...this.#streams.values()].some((stream) => stream.inVain < IN_VAIN_MAX && !isChattering(stream));
  }

  /** An action's request ended, and no message followed. */
  didNotFollow(): void {
    for (const stream of this.#streams.values()) stream.inVain++;
  }
}

function isChattering({ cameAtMs, chatterPerS }: Stream): boolean {
  return cameAtMs.length >= chatterPerS && performance.now() - (cameAtMs[0] ?? 0) <= 1_000;
}
