// Holds one client's use of a role: its browser context, its tabs and its turns.
import type { CDPSession } from "puppeteer-core";
import { fail } from "../../proto/errors/catalogue.ts";
import type { SessionRecord, StoragePart } from "../../proto/gen/troupe.ts";
import type { PageWorkers } from "../activity/page-workers.ts";
import type { Waiting } from "../approvals/approvals.ts";
import { DebugSettings } from "../debugging/debug-settings.ts";
import { SessionFiles } from "../files/session-files.ts";
import type { Wall } from "../policy/role-policy.ts";
import { Recording } from "../recording/recording.ts";
import { Redactor } from "../secrets/redactor.ts";
import type { RoleSecrets } from "../secrets/role-secrets.ts";
import { LoginPageHistory } from "../session-login/login-page-history.ts";
import { TrackedLines } from "../storage/tracked-lines.ts";
import { TrackedSecrets } from "../storage/tracked-secrets.ts";
import { withoutReturn } from "../tab/bridge-bundle.ts";
import { KnownCredentials } from "../tab/http-credentials.ts";
import { Interception } from "../tab/interception.ts";
import type { Tab, TabOwner } from "../tab/tab.ts";
import { Camera } from "./camera.ts";
import { Context, type ContextParts } from "./context.ts";
import { Emulation } from "./emulation.ts";
import { Freezer } from "./freeze.ts";
import { notePlaying } from "./lost-by-hibernation.ts";
import { type LostPage, LostPages, lossError } from "./lost-pages.ts";
import { relatedTabs } from "./related-tabs.ts";
import type { RestoreOrder } from "./restore-order.ts";
import { SessionTabs } from "./session-tabs.ts";
import { TabOpener } from "./tab-opener.ts";
import { recordOf } from "./tab-record.ts";
import { memoriesOf, TabsToRestore } from "./tabs-to-restore.ts";
import { Turns } from "./turn.ts";

/** Watches over what the session's pages do. */
export interface PageWatch {
  /** Returns what waits for a person. */
  waiting(session: string): readonly Waiting[];
  /** Begins with a process of a tab before its page runs, and sends all at once. */
  follow(client: CDPSession): Promise<unknown>;
}

/** The parts that a session is made from. */
export interface SessionOptions extends Omit<ContextParts, "owner"> {
  bridge: string;
  /** The rules on where the role may go. */
  wall: Wall;
  secrets: RoleSecrets;
  startUrl: string;
  /** The session's pages are frozen after this many milliseconds without a call; 0 means never. */
  freezeAfterMs: number;
  /** Another owner's context to share. Undefined for a context of its own. */
  shared: Context | undefined;
  /** The session's state in a worker that died, or before its hibernation. */
  record: SessionRecord | undefined;
  rested: boolean;
  /** The role's queue, in which restored tabs wait for each other. */
  restorings: RestoreOrder;
  /** Makes Chrome open a page in the session's context. Resolves to the target's id. */
  createTarget(session: Session): Promise<string>;
  sharedWorkers(contextId: string): PageWorkers | undefined;
  pageWatch: PageWatch;
  /** Called with every change that a restored session would need. */
  changed(record: SessionRecord): void;
  /** Resolves when the daemon keeps all that was reported of the session with this key. */
  kept(key: string): Promise<void>;
}

/** A session. {@link Session.open} opens it, {@link Session.close} ends it. */
export class Session {
  readonly turns = new Turns();
  readonly loginSight = new LoginPageHistory();
  /** Lost pages that have not been reported to the session yet. */
  readonly losses = new LostPages();
  /** The lines of its delivered refs, for the next worker. */
  readonly lines: TrackedLines;
  /** The steps that it carried out. */
  readonly recording: Recording;
  /** The secrets that were typed into it, for the next worker. */
  readonly typedSecrets: TrackedSecrets;
  /** Keeps the role's credentials, and what persons have typed into this session, out of what is said of it. */
  readonly redactor: Redactor;
  /** Takes the pictures of its recorded calls. */
  readonly camera: Camera;
  readonly rest: Freezer;
  readonly credentials: KnownCredentials;
  readonly context: Context;
  readonly tabs: SessionTabs;
  readonly opener: TabOpener;
  readonly debugging: DebugSettings;
  readonly emulation: Emulation;
  readonly files: SessionFiles;
  /** Called when its tabs may have changed. */
  readonly followers = new Set<() => void>();
  /** A person has worked in it, and no reply has said so yet. */
  visitedByPerson = false;
  /** The session's key in the daemon; empty while no client has the session. */
  key: string;
  readonly #options: SessionOptions;
  #lastRecord = "";

  /** Opens the session's context, or its share of one. Throws AUTHENTICATION_FAILED without a required login. */
  static async open(options: SessionOptions): Promise<Session> {
    const { shared } = options;
    let session: Session | undefined;
    const parts = { ...options, owner: () => session?.key ?? options.key };
    session = new Session(options, shared ? Context.shared(parts, shared) : await Context.open(parts));
    return session;
  }

  private constructor(options: SessionOptions, context: Context) {
    const { key, record, startUrl } = options;
    this.#options = options;
    this.key = key;
    this.context = context;
    this.credentials = new KnownCredentials(startUrl);
    this.debugging = new DebugSettings(record?.debugger);
    this.emulation = new Emulation({ ...options, contextId: context.id }, record?.emulated);
    this.files = new SessionFiles(options);
    const report = (part: StoragePart) => options.storageChanged(this.key, [part]);
    this.lines = new TrackedLines(report);
    this.typedSecrets = new TrackedSecrets(
      { report, kept: () => options.kept(this.key) },
      options.stored?.secrets,
    );
    this.redactor = new Redactor(options.secrets.redactor);
    for (const secret of this.typedSecrets.by("person")) this.redactor.watchFor(secret);
    const isSecret = (text: string) => this.redactor.finds(text);
    this.recording = new Recording({
      report,
      isSecret,
      stored: options.stored?.steps,
      secrets: this.typedSecrets,
    });
    const closed = new TabsToRestore(record?.tabs, memoriesOf(record, options.stored?.delivered));
    this.tabs = new SessionTabs(closed, record?.nextTab);
    this.opener = new TabOpener({
      ...options,
      context,
      tabs: this.tabs,
      owner: this.#tabOwner(),
      createTarget: () => options.createTarget(this),
    });
    this.camera = new Camera({
      isBusy: () => this.turns.areTaken,
      hasPerson: () => this.turns.hasPerson,
      nowMs: () => performance.now(),
    });
    this.rest = new Freezer({
      isUnreported: options.rested,
      afterMs: options.freezeAfterMs,
      tabs: () => this.tabs.open,
      beforehand: () => Promise.all([context.kept.flush(), notePlaying(this.tabs.open)]),
    });
  }

  /** Gives a warm session its client's key. */
  takenBy(key: string): void {
    this.key = key;
  }

  /** Returns the tab of that id, restored if needed. `blank`: see {@link Session.currentTab}. Throws UNKNOWN_TAB. */
  async tabNamed(id: string, { blank = false } = {}): Promise<Tab> {
    const key = id.trim().toLowerCase();
    this.tabs.closed.recall(key, blank);
    await this.opener.restored();
    const tab = this.tabs.get(key);
    if (!tab) throw fail("UNKNOWN_TAB", { tab: id.slice(0, 50), tabs: this.#openIds });
    return tab;
  }

  /** Returns the current tab, or opens one at the start address. `blank`: the caller opens an address itself. */
  async currentTab({ blank = false } = {}): Promise<Tab> {
    const { currentId, closed } = this.tabs;
    if (currentId !== undefined) closed.recall(currentId, blank);
    await this.opener.restored();
    return this.tabs.get() ?? (await this.opener.openFirst(blank ? "" : this.#options.startUrl));
  }

  /** Handles a page that Chrome has closed. */
  lost(targetId: string): void {
    this.opener.arrivals.lost(targetId);
    const tab = this.tabs.all.find((each) => each.targetId === targetId);
    if (!tab) return;
    this.tabs.remove(tab);
    // A tab opened only for a download is gone before any reply, so its opener reports the download.
    this.tabs.openerOf(tab)?.unreported.noteDownloads(tab.unreported.facts.downloads);
    tab.closed(fail("UNKNOWN_TAB", { tab: tab.id, tabs: this.#openIds }));
    this.#forget(tab.id, tab);
  }

  /**
   * Closes a tab's page to free its memory, or because its process does not run. The tab keeps its id: a call on it
   * opens its page again.
   */
  async closePage(tab: Tab, type: LostPage["type"]): Promise<void> {
    const { kept, login } = this.context;
    const isAside = type === "TAB_CLOSED";
    const { url } = isAside ? recordOf(tab, undefined) : tab;
    const loss = this.losses.add(tab, type, url);
    login.keep(tab.id, kept.suspendTab(tab, this.#options.key));
    this.tabs.suspend(tab, isAside);
    tab.closed(lossError(tab.id, loss, "unknown"));
    this.changed();
    await this.opener.discard(tab);
  }

  /** Closes a tab whose page was closed to free memory, and returns its id. Otherwise returns undefined. */
  forgetAside(named?: string): string | undefined {
    const id = this.tabs.forgetAside(named);
    if (id !== undefined) this.#forget(id);
    return id;
  }

  /** Ends the session. All its tabs go with its context. */
  async close(): Promise<void> {
    const ended = fail("SESSION_EXPIRED", { session: this.key, reason: "it was closed" });
    this.rest.close();
    this.lines.close();
    this.recording.close();
    this.camera.close();
    this.opener.arrivals.end(ended);
    await this.context.close(this.tabs.open);
    await this.files.close();
    for (const tab of this.tabs.all) tab.closed(ended);
    this.tabs.clear();
  }

  /** Returns what another worker needs to restore the session. */
  record(): SessionRecord {
    const { typed, ...tabs } = this.tabs.record();
    const isPersonal = this.#options.personalContext !== undefined;
    return {
      key: this.key,
      ...tabs,
      typed: [...this.losses.lostInput, ...typed],
      lostByRest: [],
      debugger: this.debugging.record(),
      emulated: this.emulation.record(),
      targets: isPersonal ? this.tabs.open.map(({ targetId }) => targetId) : [],
    };
  }

  /** Reports the session's record if it has changed. */
  changed(): void {
    if (this.rest.isClosed) return;
    for (const follow of this.followers) follow();
    const record = this.record();
    const text = JSON.stringify(record);
    if (text === this.#lastRecord) return;
    this.#lastRecord = text;
    this.#options.changed(record);
  }

  /** The actions that wait for a person. */
  get waiting(): readonly Waiting[] {
    return this.#options.pageWatch.waiting(this.key);
  }

  get #openIds(): string[] {
    return this.tabs.open.map(({ id }) => id);
  }

  /** Drops all that is kept of a tab that is closed for good. */
  #forget(id: string, tab?: Tab): void {
    this.losses.forget(id);
    this.lines.forget(id);
    this.context.kept.forgetTab(id, this.#options.key, tab);
    this.changed();
  }

  #tabOwner(): TabOwner {
    const { bridge, failures, wall, secrets, key, sharedWorkers, pageWatch } = this.#options;
    return {
      key: () => this.key,
      bridge: wall.tabGuard ? withoutReturn(bridge) : bridge,
      failures,
      wall,
      credentials: this.credentials,
      secrets,
      redactor: this.redactor,
      debugging: this.debugging,
      waiting: () => this.waiting,
      sharedWorkers: () => sharedWorkers(this.context.id),
      changed: () => this.changed(),
      crashed: (tab, url) => {
        this.losses.add(tab, "PAGE_CRASHED", url);
        void this.rest.crashed(tab);
      },
      replace: (tab) => this.closePage(tab, "PAGE_CRASHED"),
      related: (tab) => relatedTabs(tab, this.tabs.open),
      follow: (client, tab) =>
        Promise.all([
          this.context.kept.watch(client, tab, key),
          this.emulation.begin(client, tab),
          pageWatch.follow(client),
          wall.tabGuard?.begin(
            client,
            interceptionOf(client, tab),
            this.#options.personalContext === undefined,
          ),
        ]),
    };
  }
}

/** A frame of another process than its page's has requests of its own. */
function interceptionOf(client: CDPSession, tab: Tab): Interception {
  return client === tab.client ? tab.interception : new Interception(client);
}
