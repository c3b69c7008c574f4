// Records a role's failures. The reader of the log decides if one is thrown or becomes a warning.

import type { Warnings, FailureLog as WireLog } from "../../proto/gen/troupe.ts";
import { fairShare } from "../../proto/machine/fair-share.ts";
import { counted } from "../../proto/text/counted.ts";
import { cut } from "../../proto/text/quote.ts";
import { redactedAddress, redactedText } from "../../proto/text/redact.ts";
import type { FrameReason, WarningKind } from "../../proto/wire/failure-kinds.ts";
import { FrameTimeout } from "../core/frame-time.ts";
import { DocumentGone, isGone } from "../core/gone.ts";

/** The bound of a list. Each session has its share of it, so that one page cannot push out the entries of others. */
const ENTRIES_MAX = 200;
/** Origins beyond this number are counted, not named. */
const BLOCKED_NAMED_MAX = 3;
const ORIGIN_LENGTH_MAX = 2_000;

export type IncidentKind =
  | "page-crashed"
  | "browser-crashed"
  | "browser-disconnected"
  | "browser-hung"
  | "page-unresponsive"
  | "too-many-tabs"
  | "too-much-memory"
  | "storage-not-kept"
  | "storage-not-restored"
  | "no-sandbox";

/** The tab whose document an entry concerns. The entry warns as long as that document is shown. */
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

/** One entry of one kind, in troupe.v1's form. */
export interface Recorded {
  kind: WarningKind;
  reason: string;
  entry: Partial<WireLog>;
}

/** The log of a role. `onRecord` is called with every entry; `now` is the clock. */
export class FailureLog {
  #injections: FrameInjection[] = [];
  #expansions: FrameExpansion[] = [];
  #discovery: { error: string; at: number } | undefined;
  #auth: LoginFault | undefined;
  /** Set while the login has expired, until a page shows that it works again. */
  #expired: LoginFault | undefined;
  #unopenedPage: string | undefined;
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

  /** Records a frame without a bridge. */
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
    // The same frame of the same document is recorded once, however often it is read.
    const known = (each: FrameInjection) =>
      each.frameId === frameId && each.reason === entry.reason && isSame(each.document, entry.document);
    if (frameId !== "f?" && this.#injections.some(known)) return;
    this.#injections = kept(this.#injections, entry);
    this.#record("frame_injection", entry.reason, { frameInjectionFailures: [injectionToWire(entry)] });
  }

  /** Records a frame whose content could not be put into a snapshot. */
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

  /** Returns true if the frame's content is missing from the document's snapshots. */
  #isUnexpanded(tab: Concerned, ref: string): boolean {
    const document = documentOf(tab);
    return this.#expansions.some((each) => !each.over && each.ref === ref && isSame(each.document, document));
  }

  /** Ends the warning for a frame whose content came after all. */
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

  /** Ends the warning, because a session has the whole login. */
  authLoaded(): void {
    this.#auth = undefined;
  }

  /**
   * Records an expired login. Every snapshot warns of it until it works again. `refusedPage`: the page on which the
   * site rejected it.
   */
  loginExpired(authPath: string, words: string, unopenedPage?: string): void {
    this.#unopenedPage = unopenedPage;
    if (this.#expired) return;
    const error = redactedText(`The login has expired: ${words}`);
    this.#expired = { error, authPath, at: this.#now() };
    this.#record("auth_load", "expired", { authLoadError: faultToWire(this.#expired) });
    this.onLogin();
  }

  /** Ends the warning, because a fresher login was loaded or a page shows that the login works. */
  loginWorks(): void {
    if (!this.#expired) return;
    this.#expired = undefined;
    this.onLogin();
  }

  /** The page that the expired login did not open. Undefined while the login works. */
  get refusedPage(): string | undefined {
    return this.#expired && this.#unopenedPage;
  }

  get isLoginExpired(): boolean {
    return this.#expired !== undefined;
  }

  /** Records a cleanup step that failed. The steps after it still run. A part that is gone meanwhile needs no cleanup. */
  cleanup(step: string, error: Error): void {
    if (isGone(error)) return;
    const entry = { step, error: wordsOf(error), at: this.#now() };
    this.#cleanups = kept(this.#cleanups, entry);
    this.#record("cleanup", step, {
      cleanupErrors: [{ step, error: entry.error, timestamp: timestamp(entry.at) }],
    });
  }

  /** `concerned`: the session whose page or storage it was, if it was only one. */
  incident(kind: IncidentKind, words: string, concerned?: Pick<Concerned, "session">): void {
    const { session } = concerned ?? { session: "" };
    const entry = { kind, error: redactedText(words), at: this.#now(), session };
    this.#incidents = kept(this.#incidents, entry);
    this.#record("incident", kind, {
      incidents: [{ kind, error: entry.error, timestamp: timestamp(entry.at), session }],
    });
  }

  /**
   * Counts a request that the role's policy blocked. It appears with the document's warnings, and is not recorded as a
   * failure.
   */
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

  /** The reason why the role has no working login: it could not be loaded, or has expired. */
  get authError(): { error: string; authPath: string } | undefined {
    return this.#auth ?? this.#expired;
  }

  /** Returns the injection failure of the tab's main document, which makes the page unusable. */
  mainFrameFailure(tab: Concerned): { error: string; reason: FrameReason } | undefined {
    return this.#injections.find(
      (each) => each.isMainFrame && isCurrent(each.document) && each.document.tab === tab,
    );
  }

  /** Returns the warnings for a reply on this tab's document, or undefined if there are none. */
  warnings(tab: Concerned): Warnings | undefined {
    const current = ({ document }: { document: Document }) => document.tab === tab && isCurrent(document);
    // A frame that went away is no missing part of the page.
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

  /** Forgets past failures. A missing login stays recorded as missing. */
  clear(): void {
    this.#injections = [];
    this.#expansions = [];
    this.#cleanups = [];
    this.#incidents = [];
    this.#blocked = [];
    this.#discovery = undefined;
  }

  /** Returns the whole log in troupe.v1's form. */
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

/** For example: `Blocked: 3 requests to https://ads.example (not allowed)` */
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

/** Classifies why a frame could not be reached. Troupe's own errors carry the reason; others have Chrome's message. */
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

/** Returns the list with the entry, within the bound. An entry without a session belongs to the role itself. */
function kept<T extends object>(list: readonly T[], entry: T): T[] {
  return fairShare([...list, entry], ENTRIES_MAX, (each) => ("session" in each ? String(each.session) : ""));
}
