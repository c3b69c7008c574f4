// Follows recoverable errors: the session then succeeds, repeats the failure, or gives up.
import type { ElementMark } from "../../proto/wire/element-mark.ts";
import { type IntendedElement, isIntended } from "./intended-element.ts";

/** A recoverable error that a session has not recovered from yet. One is open for each session, role and tool. */
export interface Episode {
  type: string;
  role: string;
  tool: string;
  openedAtMs: number;
  /** The session's calls since the error. */
  calls: number;
  digest: string;
  /** The same call is no repetition after this time. */
  retryAtMs?: number;
  /** Success with another element is no recovery. */
  meant?: IntendedElement;
}

export interface EndedEpisode {
  type: string;
  role: string;
  tool: string;
  outcome: "recovered" | "repeated" | "abandoned";
  /** The calls from the error to the end. */
  calls: number;
}

/** A call of the session, with the facts that episodes need. */
export interface EpisodeCall {
  tool: string;
  role: string;
  atMs: number;
  /** The element that a successful call concerned. */
  element?: ElementMark;
  failure?: {
    type: string;
    recoverable: boolean;
    digest: string;
    retryAtMs?: number;
    meant?: IntendedElement;
  };
}

const CALLS_MAX = 5;
const AGE_MS_MAX = 5 * 60_000;

/** Returns the session's open episodes after one more call, and those that it ended. */
export function afterCall(
  open: readonly Episode[],
  call: EpisodeCall,
): { open: Episode[]; ended: EndedEpisode[] } {
  const { open: young, ended } = expired(open, call.atMs);
  const next: Episode[] = [];
  for (const episode of young) {
    const counted = { ...episode, calls: episode.calls + 1 };
    const outcome = outcomeOf(counted, call);
    if (outcome) ended.push(end(counted, outcome));
    else next.push(counted);
  }
  const { failure, tool, role, atMs } = call;
  const goesOn = next.some((episode) => episode.tool === tool && episode.role === role);
  // Without a known tool, no later success could show a recovery.
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
    });
  }
  return { open: next, ended };
}

/** Splits the episodes at that time. Those that are too old end as abandoned. */
export function expired(open: readonly Episode[], nowMs: number): { open: Episode[]; ended: EndedEpisode[] } {
  const old = (episode: Episode) => nowMs - episode.openedAtMs > AGE_MS_MAX;
  return {
    open: open.filter((each) => !old(each)),
    ended: open.filter(old).map((each) => end(each, "abandoned")),
  };
}

/** Ends all episodes of a session that is over. */
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

function end({ type, role, tool, calls }: Episode, outcome: EndedEpisode["outcome"]): EndedEpisode {
  return { type, role, tool, outcome, calls };
}
