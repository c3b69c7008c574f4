// A role's failures: operations record here; who reads the log decides whether to throw or to warn.

import type { Warnings, FailureLog as WireLog } from "../../proto/gen/troupe.ts";
import { fairShare } from "../../proto/machine/fair-share.ts";
import { counted } from "../../proto/text/counted.ts";
import { cut } from "../../proto/text/quote.ts";
import { redactedAddress, redactedText } from "../../proto/text/redact.ts";
import type { FrameReason, WarningKind } from "../../proto/wire/failure-kinds.ts";
import { FrameTimeout } from "../core/frame-time.ts";
import { DocumentGone, isGone } from "../core/gone.ts";

/** Of a list, in which each session has its share: one page cannot push out what befell others. */
const ENTRIES_MAX = 200;
/** More origins that a document's requests were held back from are counted, not named. */
const BLOCKED_NAMED_MAX = 3;
const ORIGIN_LENGTH_MAX = 2_000;

export type IncidentKind =
  | "page-crashed"
  | "browser-crashed"
  | "browser-hung"
  | "page-unresponsive"
  | "too-many-tabs"
  | "too-much-memory"
  | "storage-not-kept"
  | "storage-not-restored"
  | "no-sandbox";

/** Whose document an entry concerns: it warns as long as that document is shown. */
export interface Concerned {
  id: string;
  /** The key of the session that it belongs to. */
  session: string;
  activity: { document: { loaderId: string } | undefined };
}

interface FrameInjection {
  frameId: string;
  url: string;
  error: string;
  reason: FrameReason;
  isMainFrame: boolean;
  at: number;
  session: string;
  document: Document;
}
interface FrameExpansion {
  ref: string;
  error: string;
  detached: boolean;
  at: number;
  session: string;
  document: Document;
  /** The frame's content came later. */
  over: boolean;
}
interface Blocked {
  origin: string;
  count: number;
  session: string;
  document: Document;
}
type Document = { tab: Concerned; loaderId: string };
type LoginFault = { error: string; authPath: string; at: number };

/** What the log holds, in troupe.v1's form: one entry of one kind. */
export interface Recorded {
  kind: WarningKind;
  reason: string;
  entry: Partial<WireLog>;
}

/** The log of a role. `onRecord` is told of every entry; `now` is the clock. */
export class FailureLog {
  #injections: FrameInjection[] = [];
  #expansions: FrameExpansion[] = [];
  #discovery: { error: string; at: number } | undefined;
  #auth: LoginFault | undefined;
  /** The login is none any more, until it is seen to work again. */
  #expired: LoginFault | undefined;
  #refusedPage: string | undefined;
  #cleanups: { step: string; error: string; at: number }[] = [];
  #incidents: { kind: IncidentKind; error: string; at: number; session: string }[] = [];
  #blocked: Blocked[] = [];
  /** Called when the login has expired, or works again. */
  onLogin: () => void = () => undefined;
  readonly #onRecord: (recorded: Recorded) => void;
  readonly #now: () => number;

  constructor(onRecord: (recorded: Recorded) => void, now: () => number = Date.now) {
    this.#onRecord = onRecord;
    this.#now = now;
  }

  /** A frame has no bridge. */
  frameNotInjected(
    tab: Concerned,
    {
      url,
      error,
      frameId = "f?",
      isMainFrame = false,
    }: { url: string; error: Error; frameId?: string; isMainFrame?: boolean },
  ): void {
    const entry = {
      frameId,
      url: redactedAddress(url),
      error: wordsOf(error),
      reason: frameReason(error),
      isMainFrame,
      at: this.#now(),
      session: tab.session,
      document: documentOf(tab),
    };
    // The same frame of the same document fails once, however often it is looked at.
    const known = (each: FrameInjection) =>
      each.frameId === frameId && each.reason === entry.reason && isSame(each.document, entry.document);
    if (frameId !== "f?" && this.#injections.some(known)) return;
    this.#injections = kept(this.#injections, entry);
    this.#record("frame_injection", entry.reason, { frameInjectionFailures: [injectionToWire(entry)] });
  }

  /** A frame's content could not be put into a snapshot. */
  frameNotExpanded(tab: Concerned, ref: string, error: Error): void {
    const reason = frameReason(error);
    const entry = {
      ref,
      error: wordsOf(error),
      detached: reason === "detached",
      at: this.#now(),
      session: tab.session,
      document: documentOf(tab),
      over: false,
    };
    if (this.#isUnexpanded(tab, ref)) return;
    this.#expansions = kept(this.#expansions, entry);
    this.#record("frame_expansion", reason, { frameExpansionFailures: [expansionToWire(entry)] });
  }

  /** Whether the frame's content is missing from the document's snapshots. */
  #isUnexpanded(tab: Concerned, ref: string): boolean {
    const document = documentOf(tab);
    return this.#expansions.some((each) => !each.over && each.ref === ref && isSame(each.document, document));
  }

  /** The frame's content was put in after all: what failed before warns no more. */
  frameExpanded(tab: Concerned, ref: string): void {
    if (this.#expansions.length === 0) return;
    const document = documentOf(tab);
    for (const each of this.#expansions)
      if (each.ref === ref && isSame(each.document, document)) each.over = true;
  }

  framesNotDiscovered(error: Error): void {
    const discovery = { error: wordsOf(error), at: this.#now() };
    this.#discovery = discovery;
    this.#record("frame_discovery", "", {
      frameDiscoveryError: { error: discovery.error, timestamp: timestamp(discovery.at) },
    });
  }

  authNotLoaded(authPath: string, error: Error): void {
    this.#auth = { error: wordsOf(error), authPath, at: this.#now() };
    this.#record("auth_load", "", { authLoadError: faultToWire(this.#auth) });
  }

  /** A session has the whole login: what failed before warns no more. */
  authLoaded(): void {
    this.#auth = undefined;
  }

  /** The login works no more: every snapshot warns of it until it is seen to work. `refusedPage`: where the site did not take it. */
  loginExpired(authPath: string, words: string, refusedPage?: string): void {
    this.#refusedPage = refusedPage;
    if (this.#expired) return;
    const error = redactedText(`The login has expired: ${words}`);
    this.#expired = { error, authPath, at: this.#now() };
    this.#record("auth_load", "expired", { authLoadError: faultToWire(this.#expired) });
    this.onLogin();
  }

  /** A fresher login was loaded, or a page was seen that shows that it works. */
  loginWorks(): void {
    if (!this.#expired) return;
    this.#expired = undefined;
    this.onLogin();
  }

  /** The page that the expired login did not open; undefined while the login works. */
  get refusedPage(): string | undefined {
    return this.#expired && this.#refusedPage;
  }

  get isLoginExpired(): boolean {
    return this.#expired !== undefined;
  }

  /** Something could not be put away; what follows it is still put away. */
  cleanup(step: string, error: Error): void {
    const entry = { step, error: wordsOf(error), at: this.#now() };
    this.#cleanups = kept(this.#cleanups, entry);
    this.#record("cleanup", step, {
      cleanupErrors: [{ step, error: entry.error, timestamp: timestamp(entry.at) }],
    });
  }

  /** `concerned`: whose page or storage it was, where it was one session's. */
  incident(kind: IncidentKind, words: string, concerned?: Pick<Concerned, "session">): void {
    const { session } = concerned ?? { session: "" };
    const entry = { kind, error: redactedText(words), at: this.#now(), session };
    this.#incidents = kept(this.#incidents, entry);
    this.#record("incident", kind, {
      incidents: [{ kind, error: entry.error, timestamp: timestamp(entry.at), session }],
    });
  }

  /** The role's policy held back what a document asked for: told with the document, and no failure of anything. */
  requestBlocked(tab: Concerned, url: string): void {
    const document = documentOf(tab);
    const origin = cut(
      URL.canParse(url) ? `${new URL(url).protocol}//${new URL(url).host}` : url,
      ORIGIN_LENGTH_MAX,
    );
    const known = this.#blocked.find((each) => each.origin === origin && isSame(each.document, document));
    if (known) known.count++;
    else this.#blocked = kept(this.#blocked, { origin, count: 1, document, session: tab.session });
  }

  /** Why the role has no login that works: it could not be loaded, or has expired. */
  get authError(): { error: string; authPath: string } | undefined {
    return this.#auth ?? this.#expired;
  }

  /** The injection failure of the main document that the tab shows, which makes the page unusable. */
  mainFrameFailure(tab: Concerned): { error: string; reason: FrameReason } | undefined {
    return this.#injections.find(
      (each) => each.isMainFrame && isCurrent(each.document) && each.document.tab === tab,
    );
  }

  /** What a reply on this tab's document warns of; undefined where there is nothing. */
  warnings(tab: Concerned): Warnings | undefined {
    const current = ({ document }: { document: Document }) => document.tab === tab && isCurrent(document);
    // A frame that went away is no part of the page that is missing.
    const frames = this.#injections.filter(
      (each) => !each.isMainFrame && each.reason !== "detached" && current(each),
    );
    const expansions = this.#expansions.filter((each) => !each.over && current(each));
    const blocked = this.#blocked.filter(current);
    const detached = expansions.filter((each) => each.detached).length;
    const details = [
      ...frames.map(({ frameId, reason, url }) => `Frame ${frameId}: ${reason}${url ? ` (${url})` : ""}`),
      ...(this.authError ? [`Auth failed: ${this.authError.error}`] : []),
      ...(expansions.length ? [`${expansions.length} iframe(s) inaccessible (${detached} detached)`] : []),
      ...(blocked.length ? [blockedLine(blocked)] : []),
    ];
    if (details.length === 0) return undefined;
    return {
      inaccessibleFrames: frames.length,
      authStatus: this.authError ? "unauthenticated" : "",
      partialContent: expansions.length > 0,
      details,
    };
  }

  /** Forgets what has happened. A login that is missing is still missing. */
  clear(): void {
    this.#injections = [];
    this.#expansions = [];
    this.#cleanups = [];
    this.#incidents = [];
    this.#blocked = [];
    this.#discovery = undefined;
  }

  /** The whole log in troupe.v1's form. */
  toWire(): WireLog {
    const fault = this.#auth ?? this.#expired;
    return {
      frameInjectionFailures: this.#injections.map(injectionToWire),
      frameExpansionFailures: this.#expansions.map(expansionToWire),
      frameDiscoveryError: this.#discovery
        ? { error: this.#discovery.error, timestamp: timestamp(this.#discovery.at) }
        : null,
      authLoadError: fault ? faultToWire(fault) : null,
      cleanupErrors: this.#cleanups.map(({ at, ...rest }) => ({ ...rest, timestamp: timestamp(at) })),
      incidents: this.#incidents.map(({ at, ...rest }) => ({ ...rest, timestamp: timestamp(at) })),
    };
  }

  #record(kind: Recorded["kind"], reason: string, entry: Partial<WireLog>): void {
    this.#onRecord({ kind, reason, entry });
  }
}

/** `Blocked: 3 requests to https://ads.example (not allowed)` */
function blockedLine(blocked: readonly Blocked[]): string {
  const count = blocked.reduce((sum, each) => sum + each.count, 0);
  const origins = blocked.slice(0, BLOCKED_NAMED_MAX).map(({ origin }) => origin);
  const more = blocked.length - origins.length;
  const to = [...origins, ...(more > 0 ? [`${more} more`] : [])].join(", ");
  return `Blocked: ${counted(count, "request")} to ${to} (not allowed)`;
}

function documentOf(tab: Concerned): Document {
  return { tab, loaderId: tab.activity.document?.loaderId ?? "" };
}

function isCurrent({ tab, loaderId }: Document): boolean {
  return tab.activity.document?.loaderId === loaderId;
}

function isSame(a: Document, b: Document): boolean {
  return a.tab === b.tab && a.loaderId === b.loaderId;
}

function faultToWire({ at, ...rest }: LoginFault) {
  return { ...rest, timestamp: timestamp(at) };
}

function injectionToWire({ at, document, ...rest }: FrameInjection) {
  return { ...rest, timestamp: timestamp(at), current: isCurrent(document) };
}

function expansionToWire({ at, document, over, ...rest }: FrameExpansion) {
  return { ...rest, timestamp: timestamp(at), current: !over && isCurrent(document) };
}

/** Why a frame could not be reached: our own errors say so themselves, the others have Chrome's words. */
function frameReason(error: Error): FrameReason {
  if (error instanceof DocumentGone || error instanceof FrameTimeout) return error.reason;
  const { message } = error;
  if (/\bERR_[A-Z_]+/.test(message)) return /TIMED_OUT/.test(message) ? "timeout" : "unknown";
  if (isGone(error) || /detached|closed|not found/i.test(message)) return "detached";
  if (/\btime(?:d )?out\b/i.test(message)) return "timeout";
  return /cross-origin|not reachable|error page/i.test(message) ? "cross-origin" : "unknown";
}

function wordsOf({ message }: Error): string {
  return redactedText(message);
}

function timestamp(at: number) {
  return { seconds: Math.floor(at / 1000), nanos: (at % 1000) * 1_000_000 };
}

/** The list with the entry. One without a session is the role's own. */
function kept<T extends object>(list: readonly T[], entry: T): T[] {
  return fairShare([...list, entry], ENTRIES_MAX, (each) => ("session" in each ? String(each.session) : ""));
}
