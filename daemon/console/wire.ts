// The console's messages from the daemon to its page. Times are milliseconds since the epoch.

/** The person behind the page. */
export interface Me {
  client: string;
  control: "none" | "read" | "write";
}

export interface StatusView {
  version: string;
  startedAtMs: number;
  warnings: string[];
}

export interface LoadView {
  draining: boolean;
  /** 0 for a client that sees only its own data. */
  callsUnderWay: number;
}

export interface RoleView {
  name: string;
  /** Such as READY. */
  state: string;
  reason: string;
  retryAtMs: number | null;
  readySinceMs: number | null;
  login: string;
  loginEndsMs: number | null;
  awake: number;
  resting: number;
  waiting: number;
  restarts: number;
  memoryBytes: number;
  browser: string;
}

export interface SessionView {
  /** CLIENT/ID. */
  key: string;
  id: string;
  client: string;
  program: string;
  door: string;
  currentRole: string;
  createdAtMs: number;
  usedAtMs: number;
  /** `personSinceMs`: since when a person is at work there. */
  roles: { role: string; resting: boolean; personSinceMs: number | null }[];
  /** The title of its current tab, if it is awake. */
  title: string;
  lastCall: { tool: string; outcome: string; atMs: number } | null;
}

export interface CallView {
  tool: string;
  role: string;
  session: string;
  /** Empty for a call from before the page was opened. */
  client: string;
  outcome: string;
  durationMs: number;
  atMs: number;
  requestId: string;
}

export interface FailureView extends CallView {
  category: string;
  recoverable: boolean;
  /** The error's text, as the model read it. */
  plan: string;
}

export interface EpisodeView {
  type: string;
  role: string;
  session: string;
  client: string;
  tool: string;
  outcome: string;
  calls: number;
  atMs: number;
}

/** The errors of a type in the last 24 hours, by their outcome. */
export interface RecoveryView {
  type: string;
  recovered: number;
  repeated: number;
  abandoned: number;
}

/** The fields of every wait for a person. */
interface Wait {
  /** The session: CLIENT/ID. */
  key: string;
  role: string;
  why: string;
  sinceMs: number;
}

/** An agent that has asked for a person to take its session over. `why`: in the agent's own words. */
export interface HelpWait extends Wait {
  kind: "help";
}

/** An action of an agent that waits for a decision. `why`: the action in words. */
export interface ApprovalWait extends Wait {
  kind: "approval";
  /** The action's id. */
  id: string;
  /** The page that it comes from. */
  page: string;
  /** When it is refused by itself. */
  endsMs: number | null;
}

/** An agent that waits for a person. */
export type WaitView = HelpWait | ApprovalWait;

/** All that a page shows. Lists of records end with the newest. */
export interface ConsoleState {
  status: StatusView;
  load: LoadView;
  roles: RoleView[];
  /** The sessions that were used last, by key. */
  sessions: Record<string, SessionView>;
  /** All sessions, also those beyond the bound. */
  sessionCount: number;
  calls: CallView[];
  failures: FailureView[];
  episodes: EpisodeView[];
  recovery: RecoveryView[];
  waits: WaitView[];
  /** In spans of {@link RECOVERY_SPAN_MS}. */
  recoverySpans: { atMs: number; recovered: number; episodes: number }[];
  /** In spans of {@link CALLS_SPAN_MS}. */
  callSpans: { atMs: number; calls: number; failed: number }[];
}

/** The records that came since the change before. */
type Records = Pick<ConsoleState, "calls" | "failures" | "episodes">;
type Lists = Omit<ConsoleState, keyof Records | "sessions">;

/** The changed parts. A part that is missing is as before. */
export interface ConsoleChange extends Partial<Lists>, Partial<Records> {
  /** Changed sessions; null for each that is gone. */
  sessions?: Record<string, SessionView | null>;
}

/** A session's own page. */
export interface SessionPage {
  session: SessionView;
  tabs: { role: string; id: string; title: string; url: string; current: boolean }[];
  /** With the plan of each failed call that is still known. */
  calls: (CallView & { plan: string })[];
}

/** A session that has ended and whose evidence is still kept. `key`: CLIENT/ID. */
export interface EndedSession {
  key: string;
  /** When its last recorded call was. */
  newestMs: number;
}

/** A recorded call in the list of a session's evidence. */
export interface EvidenceCall {
  id: string;
  tool: string;
  role: string;
  tab: string;
  /** Its role and name; empty for a call without an element. */
  element: string;
  /** Empty if the daemon ended before the call. */
  outcome: string;
  durationMs: number;
  /** 0 without an outcome. */
  atMs: number;
  hasPicture: boolean;
  /** Why there is no picture. */
  missing: string;
}

/** Some recorded calls, newest first. `next` is empty at the end. */
export interface EvidenceList {
  calls: EvidenceCall[];
  next: string;
}

export interface EvidenceDetail {
  plan: string;
  arguments: string;
  reply: string;
  title: string;
  url: string;
}

/** A tab as it is now. `resting`: the session is at rest, and a look does not wake it. `silent`: the page does not answer. */
export interface Look {
  state: "shown" | "resting" | "closed" | "silent";
  text: string;
}

/** The most records of each kind in a state. */
export const RECORDS_MAX = 200;
export const CALLS_SPAN_MS = 10_000;
export const RECOVERY_SPAN_MS = 1_800_000;
