// What became of recoverable errors: whether the session then succeeded, did the same again, or gave up.
import type { ElementMark } from "../../proto/wire/element-mark.ts";
import { type IntendedElement, isIntended } from "./intended-element.ts";

/** A recoverable error that a session has not got over yet. One is open per session, role and tool. */
export interface Episode {
  type: string;
  role: string;
  tool: string;
  openedAtMs: number;
  /** Calls of the session since. */
  calls: number;
  /** Of the request that failed. */
  digest: string;
  /** The same call is no repetition from then on. */
  retryAtMs?: number;
  /** Success with another element is none. */
  meant?: IntendedElement;
  /** Its call was one of many that are no more than counted. */
  isOneOfMany?: boolean;
}

export interface EndedEpisode {
  type: string;
  role: string;
  tool: string;
  outcome: "recovered" | "repeated" | "abandoned";
  /** Calls from the error to the end. */
  calls: number;
  /** The calls that began and ended it are no more than counted, and so is it. */
  isOneOfMany?: boolean;
}

/** A call of the session, as far as episodes go by it. */
export interface EpisodeCall {
  tool: string;
  role: string;
  atMs: number;
  /** What a call that succeeded was about. */
  element?: ElementMark;
  failure?: {
    type: string;
    recoverable: boolean;
    digest: string;
    retryAtMs?: number;
    meant?: IntendedElement;
  };
  /** It is no more than counted. */
  isOneOfMany?: boolean;
}

const CALLS_MAX = 5;
const AGE_MS_MAX = 5 * 60_000;

/** The session's open episodes after one more call, and those that it ended. */
export function afterCall(
  open: readonly Episode[],
  call: EpisodeCall,
): { open: Episode[]; ended: EndedEpisode[] } {
  const { open: young, ended } = expired(open, call.atMs);
  const next: Episode[] = [];
  for (const episode of young) {
    const counted = { ...episode, calls: episode.calls + 1 };
    const outcome = outcomeOf(counted, call);
    if (outcome) ended.push(end(counted, outcome, call));
    else next.push(counted);
  }
  const { failure, tool, role, atMs, isOneOfMany } = call;
  const goesOn = next.some((episode) => episode.tool === tool && episode.role === role);
  // Of a call that nobody knows the tool of, no success can tell that its session got over it.
  if (failure?.recoverable && tool !== "" && !goesOn) {
    const { type, digest, retryAtMs, meant } = failure;
    next.push({
      type,
      role,
      tool,
      openedAtMs: atMs,
      calls: 0,
      digest,
      ...(retryAtMs !== undefined && { retryAtMs }),
      ...(meant && { meant }),
      ...(isOneOfMany && { isOneOfMany }),
    });
  }
  return { open: next, ended };
}

/** What is left of the episodes at that time: those that nobody came back to are abandoned. */
export function expired(open: readonly Episode[], nowMs: number): { open: Episode[]; ended: EndedEpisode[] } {
  const old = (episode: Episode) => nowMs - episode.openedAtMs > AGE_MS_MAX;
  return {
    open: open.filter((each) => !old(each)),
    ended: open.filter(old).map((each) => end(each, "abandoned")),
  };
}

/** The session is over: so are its episodes. */
export function abandoned(open: readonly Episode[]): EndedEpisode[] {
  return open.map((episode) => end(episode, "abandoned"));
}

function outcomeOf(
  episode: Episode,
  { tool, role, atMs, element, failure }: EpisodeCall,
): EndedEpisode["outcome"] | undefined {
  const sameTool = tool === episode.tool && role === episode.role;
  if (sameTool && !failure && (!episode.meant || isIntended(episode.meant, element))) return "recovered";
  if (sameTool && failure && repeats(episode, failure, atMs)) return "repeated";
  return episode.calls >= CALLS_MAX ? "abandoned" : undefined;
}

function repeats(episode: Episode, failure: NonNullable<EpisodeCall["failure"]>, atMs: number): boolean {
  const waited = episode.retryAtMs !== undefined && atMs >= episode.retryAtMs;
  return !waited && failure.type === episode.type && failure.digest === episode.digest;
}

function end(
  { type, role, tool, calls, isOneOfMany }: Episode,
  outcome: EndedEpisode["outcome"],
  last?: EpisodeCall,
): EndedEpisode {
  return { type, role, tool, outcome, calls, ...(isOneOfMany && last?.isOneOfMany && { isOneOfMany }) };
}
