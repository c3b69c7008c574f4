// A session as programs use it: one method for each tool, a stream of what a tab shows, and an end.
import type { SnapshotUpdate } from "../../proto/gen/troupe.ts";
import type { Profile } from "../../proto/tools/read-tools.ts";
import type { Reply } from "../../proto/wire/reply.ts";
import type { JsonObject } from "../../proto/wire/struct.ts";
import { lastingStream } from "../connection/lasting-stream.ts";
import type { NamedSessions } from "../session/named-sessions.ts";
import { type FilePlace, type FileUploadArguments, sendFiles } from "./files.ts";
import { type CallOptions, type ToolMethods, type ToolReply, toolMethods } from "./tool-methods.ts";

export interface WatchFilter {
  /** The tab. Default: the tab that is current now. */
  tab?: string;
  /** The longest update in tokens; 0 for no limit. Default: 6000. */
  maxTokens?: number;
  /** Each update is the whole tree. Default: the first one is, and the others are what changed. */
  whole?: boolean;
  /** The role. Default: the current one. */
  role?: string;
}

/** The calls of one session. Each fails with a TroupeError. */
export interface TroupeSession extends Omit<ToolMethods, "fileUpload">, AsyncDisposable {
  readonly id: string;
  /** The tools that models are offered and that plans name. */
  readonly profile: Profile;
  /** Calls a tool as a model does: by a name of the profile, with arguments as a model writes them. */
  call(name: string, args?: JsonObject, options?: CallOptions): Promise<Reply>;
  /**
   * Yields what a tab shows, then each change, until the session is closed. It goes on over lost connections and
   * restarted workers for up to five minutes. The next update after such a gap is a whole one.
   */
  watch(filter?: WatchFilter, options?: CallOptions): AsyncGenerator<SnapshotUpdate, void>;
  /** Gives files to the page: `paths` of this machine, or `files` with their content. */
  fileUpload(args: FileUploadArguments, options?: CallOptions): Promise<ToolReply<"FileUpload">>;
  /** Yields a file of the session in parts: a download, or a document that was made of a page. */
  file(id: string, place?: FilePlace, options?: CallOptions): AsyncIterable<Uint8Array>;
  /** Ends calls under way. If `connect` made up the session's id, it ends the session in the daemon too. */
  close(): Promise<void>;
}

const CLOSE_TIMEOUT_MS = 2000;

/**
 * The typed form of a session. `closed`: aborts when the client is closed. `ended`: called once the session is closed.
 */
export function typedSession(session: NamedSessions, closed: AbortSignal, ended: () => void): TroupeSession {
  const closing = new AbortController();
  const over = AbortSignal.any([closed, closing.signal]);
  const given = (signal: AbortSignal | undefined) => (signal ? AbortSignal.any([signal, over]) : over);
  const close = async () => {
    closing.abort();
    // If the daemon cannot be reached, it notices by itself that no client holds the session any more.
    await Promise.allSettled([session.close(AbortSignal.timeout(CLOSE_TIMEOUT_MS))]);
    ended();
  };
  const methods = toolMethods((tool, args, { signal }) => session.call(tool, args, given(signal)));
  return {
    ...methods,
    id: session.own.id,
    profile: session.profile,
    fileUpload: async ({ files = [], ...args }, { signal } = {}) => {
      const sent = await sendFiles(files, session.transfer(args, given(signal)));
      return await methods.fileUpload({ ...args, files: sent as never }, { signal });
    },
    file: (id, place = {}, { signal } = {}) => session.transfer(place, given(signal)).get(id),
    call: (name, args = {}, { signal } = {}) => session.call(name, args, given(signal)),
    watch: (filter = {}, { signal } = {}) =>
      lastingStream((ends, again) => session.own.watch({ ...filter }, !again, ends), {
        signal,
        closed: over,
      }),
    close,
    [Symbol.asyncDispose]: close,
  };
}
