// A session as programs use it: a method for each tool, what a tab shows as a stream, and its end.
import type { SnapshotUpdate } from "../../proto/gen/troupe.ts";
import type { Profile } from "../../proto/tools/catalogue.ts";
import type { Reply } from "../../proto/wire/reply.ts";
import type { JsonObject } from "../../proto/wire/struct.ts";
import { lastingStream } from "../connection/lasting-stream.ts";
import type { Session } from "../session/session.ts";
import { type CallOptions, type ToolMethods, toolMethods } from "./tool-methods.ts";

export interface WatchFilter {
  /** The tab; without it, the current one of now. */
  tab?: string;
  /** Longest update in tokens; 0 for all. Default 6000. */
  maxTokens?: number;
  /** The role; without it, the current one. */
  role?: string;
}

/** Calls of one session. Each fails with a TroupeError. */
export interface TroupeSession extends ToolMethods, AsyncDisposable {
  readonly id: string;
  /** Which tools models are offered, and the plans of errors name. */
  readonly profile: Profile;
  /** Calls a tool as a model does: by a name of the profile, with arguments as a model writes them. */
  call(name: string, args?: JsonObject, options?: CallOptions): Promise<Reply>;
  /**
   * What a tab shows, then each change of it, until the session is closed. It goes on over lost connections and
   * restarted workers for up to five minutes; what went on meanwhile is told by the next update, which is whole.
   */
  watch(filter?: WatchFilter, options?: CallOptions): AsyncGenerator<SnapshotUpdate, void>;
  /** Ends what is under way, and in the daemon a session that `connect` made up. */
  close(): Promise<void>;
}

const CLOSE_TIMEOUT_MS = 2000;

/** The typed form of a session. `closed`: aborted when the client is. `ended`: called once it has been closed. */
export function typedSession(session: Session, closed: AbortSignal, ended: () => void): TroupeSession {
  const closing = new AbortController();
  const over = AbortSignal.any([closed, closing.signal]);
  const given = (signal: AbortSignal | undefined) => (signal ? AbortSignal.any([signal, over]) : over);
  const close = async () => {
    closing.abort();
    // Where it cannot be told, the daemon notices by itself that nobody holds the session any longer.
    await Promise.allSettled([session.close(AbortSignal.timeout(CLOSE_TIMEOUT_MS))]);
    ended();
  };
  return {
    ...toolMethods((tool, args, { signal }) => session.call(tool, args, given(signal))),
    id: session.id,
    profile: session.profile,
    call: (name, args = {}, { signal } = {}) => session.call(name, args, given(signal)),
    watch: (filter = {}, { signal } = {}) =>
      lastingStream((ends, again) => session.watch({ ...filter }, !again, ends), {
        signal,
        closed: over,
      }),
    close,
    [Symbol.asyncDispose]: close,
  };
}
