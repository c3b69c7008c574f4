// A tab: one page target of Chrome with its frames, console and activity, kept current by events.
import type { CDPSession, Protocol } from "puppeteer-core";
import { fail, type TroupeError } from "../../proto/errors/catalogue.ts";
import { redactedAddress } from "../../proto/text/redact.ts";
import { Activity } from "../activity/activity.ts";
import type { PageWorkers } from "../activity/page-workers.ts";
import type { Waiting } from "../approvals/approvals.ts";
import { isGone } from "../core/gone.ts";
import type { DebugSettings } from "../debugging/debug-settings.ts";
import { TabDebugger } from "../debugging/tab-debugger.ts";
import type { FailureLog } from "../failures/failure-log.ts";
import { RequestLog } from "../network/request-log.ts";
import type { Wall } from "../policy/role-policy.ts";
import { Delivered } from "../refs/delivered.ts";
import type { DeliveredLines } from "../refs/delivered-lines.ts";
import type { Redactor } from "../secrets/redactor.ts";
import type { RoleSecrets } from "../secrets/role-secrets.ts";
import { ConsoleLog } from "./console/console-log.ts";
import { FileChoosers } from "./file-choosers.ts";
import { Frames } from "./frames/frames.ts";
import { HttpCredentials, type KnownCredentials } from "./http-credentials.ts";
import { Interception } from "./interception.ts";
import { type Halt, Interrupts, type OpenDialog } from "./interrupts.ts";
import { Lifecycle } from "./lifecycle.ts";
import { Navigation } from "./navigation.ts";
import { OneAtATime } from "./one-at-a-time.ts";
import { TouchedControls } from "./touched-controls.ts";
import { type Facts, Unreported } from "./unreported.ts";

/** The parts and the callbacks that all tabs of a session have in common. */
export interface TabOwner {
  /** The key of the session. */
  key(): string;
  /** The script that runs first in each document. */
  readonly bridge: string;
  readonly failures: FailureLog;
  /** The rules on where the role may go. */
  readonly wall: Wall;
  readonly credentials: KnownCredentials;
  /** The credentials that can be typed by name. */
  readonly secrets: RoleSecrets;
  /** Finds what pictures and texts of the session must not show. */
  readonly redactor: Redactor;
  /** The session's breakpoints. */
  readonly debugging: DebugSettings;
  sharedWorkers(): PageWorkers | undefined;
  /** The actions of the session that wait for a person. */
  waiting(): readonly Waiting[];
  /** Called when its page has crashed and is about to be opened again. */
  crashed(tab: Tab, url: string): void;
  /** Called when the address or title may have changed. */
  changed(): void;
  /** Closes a tab whose process does not run, and has its page opened again in another one under the same id. */
  replace(tab: Tab): Promise<void>;
  /** The tabs that share the tab's process: its popups, its opener. */
  related(tab: Tab): readonly Tab[];
  /** Follows the tab's processes too. It is called before the page runs, and awaited only after all is sent. */
  follow(client: CDPSession, tab: Tab): Promise<unknown>;
}

/** The identity of one tab. */
export interface TabOptions {
  /** `t1`, `t2`…; a restored tab keeps its id. */
  id: string;
  client: CDPSession;
  target: Protocol.Target.TargetInfo;
  /** The state of the tab's page before it was opened again. Undefined for a new tab. */
  memory: TabMemory | undefined;
}

/** The state that outlives a tab's page. */
export interface TabMemory {
  /** The delivered lines of its elements. */
  lines: DeliveredLines;
  /** The fields that held what the session typed, in words. */
  lost: readonly string[];
}

/** A tab. Chrome opens it, `attach` sets it up, and {@link Tab.closed} ends it when its target is gone. */
export class Tab {
  readonly owner: TabOwner;
  readonly id: string;
  readonly targetId: string;
  readonly openerId: string | undefined;
  /** The page and its opener reach each other, so they share a process. */
  readonly reachesOpener: boolean;
  readonly client: CDPSession;
  readonly failures: FailureLog;
  readonly activity = new Activity();
  readonly frames: Frames;
  readonly console: ConsoleLog;
  readonly requests: RequestLog;
  readonly delivered: Delivered;
  readonly touched: TouchedControls;
  readonly unreported = new Unreported();
  readonly choosers = new FileChoosers(this.unreported);
  readonly interception: Interception;
  readonly credentials: HttpCredentials;
  readonly lifecycle: Lifecycle;
  readonly navigation: Navigation;
  readonly interrupts: Interrupts;
  readonly debugging: TabDebugger;
  /** Takes its pictures one after the other. */
  readonly pictures = new OneAtATime();
  /** The calls that watch it. */
  readonly watches = new Set<object>();
  title = "";

  constructor(owner: TabOwner, { id, client, target, memory }: TabOptions) {
    const { failures, wall } = owner;
    this.owner = owner;
    this.id = id;
    this.targetId = target.targetId;
    this.openerId = target.openerId;
    this.reachesOpener = target.canAccessOpener;
    this.client = client;
    this.failures = failures;
    this.delivered = new Delivered(memory?.lines);
    this.touched = new TouchedControls(memory?.lost);
    this.interception = new Interception(client);
    this.credentials = new HttpCredentials(this.interception, owner.credentials);
    this.console = new ConsoleLog(wall.connections, (url) => failures.requestBlocked(this, url));
    this.requests = new RequestLog(target.targetId);
    this.lifecycle = new Lifecycle(client, failures);
    this.interrupts = new Interrupts(
      () => owner.related(this).map(({ interrupts }) => interrupts),
      () => this.activity.wake(),
    );
    this.frames = new Frames({
      newDocument: ({ loaderId }) => {
        this.console.newDocument();
        this.choosers.forget();
        this.navigation.committed();
        this.activity.committed(loaderId);
        owner.changed();
      },
      unreachable: ({ url, number }) => {
        const reason = wall.connections.whyBlocked(url);
        if (reason && number === 0) this.blocked({ url, reason });
        else if (reason) failures.requestBlocked(this, url);
      },
      moved: () => {
        this.activity.main.movedWithin();
        owner.changed();
      },
    });
    this.navigation = new Navigation(this);
    this.debugging = new TabDebugger({
      settings: owner.debugging,
      paused: ({ place: { url, line }, words }) =>
        this.interrupts.apply({ event: "paused", pause: { tab: id, url, line, words } }),
      resumed: () => this.interrupts.apply({ event: "resumed" }),
      failed: (error) => failures.cleanup("debug", error),
    });
  }

  /** The key of the session that it belongs to. */
  get session(): string {
    return this.owner.key();
  }

  get isOpen(): boolean {
    return this.interrupts.isOpen;
  }

  /** The open dialog here or in a tab of the same process. Until it is answered, Chrome asks the page nothing. */
  get dialog(): OpenDialog | undefined {
    return this.interrupts.dialog;
  }

  /** The dialog or the pause during which the page answers nothing. */
  get halt(): Halt | undefined {
    return this.interrupts.halt;
  }

  get url(): string {
    return this.navigation.firstUrl ?? this.frames.main?.url ?? "about:blank";
  }

  /** Reads the title from the browser process, which is cheap. A tab that is being closed keeps its last one. */
  async readTitle(): Promise<void> {
    if (this.dialog || !this.isOpen) return;
    try {
      const { currentIndex, entries } = await this.client.send("Page.getNavigationHistory");
      this.title = entries[currentIndex]?.title ?? "";
      this.owner.changed();
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }

  /** Notes that the role's policy has blocked the document that the tab was to show. */
  blocked(document: Facts["blocked"]): void {
    this.unreported.note({ blocked: document });
    this.activity.wake();
  }

  /** Opens the page again at its address after a crash. Every call that waited for it fails. */
  crashed(): void {
    const { url } = this;
    this.failures.incident("page-crashed", `The page ${redactedAddress(url)} crashed.`, this);
    this.owner.crashed(this, url);
    this.touched.crashed();
    this.frames.crashed(this.client);
    this.debugging.crashed();
    this.navigation.reopen(url);
    const { lost } = this.touched;
    const error = fail("PAGE_CRASHED", { url, effect: "unknown", ...(lost.length > 0 && { lost }) });
    this.interrupts.apply({ event: "crashed", error });
  }

  /** Ends the tab when its target is gone. */
  closed(error: TroupeError = fail("UNKNOWN_TAB", { tab: this.id, tabs: [] })): void {
    if (!this.isOpen) return;
    this.delivered.lose(undefined);
    this.interrupts.apply({ event: "closed", error });
  }
}
