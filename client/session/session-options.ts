// The settings of a client's session.
import type { Profile } from "../../proto/tools/read-tools.ts";
import type { DaemonLink } from "../connection/daemon-link.ts";
import type { FileAccess } from "../files/with-files.ts";
import type { Program } from "./program.ts";
import type { SessionHold } from "./session-hold.ts";

export interface SessionOptions {
  link: DaemonLink;
  id: string;
  /** The name that calls give this session, if it is not their connection's own. Plans repeat it. */
  name?: string;
  /** The program behind the connection, which operators see. */
  program?: Program;
  profile: Profile;
  /** The first role. Default: the daemon's first one. */
  role?: string;
  /** The budget of replies, for calls that name none. */
  maxTokens?: number;
  /** The daemon keeps evidence of its calls, also in a role without `record`. */
  record?: boolean | undefined;
  /** The reader does not know what the session saw before. Its first snapshot of each tab is whole. */
  newReader?: boolean;
  /** The session belongs to this process, so the daemon ends it soon after this process. */
  own?: boolean;
  /** Keeps the session in the daemon while this process lives. Default: a stream of its own if the session is `own`. */
  hold?: Hold;
  /** The deadline of each call. Default: 55 s. */
  deadlineMs?: number;
  /** The files of this machine that calls may name. Default: none. */
  files?: FileAccess;
}

export type Hold = Pick<SessionHold, "keep" | "release">;
