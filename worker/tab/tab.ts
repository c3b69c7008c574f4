// A tab: one page target of Chrome with its frames, dialog, console and activity, kept current by events.
import { type CDPSession, CDPSessionEvent, type Protocol } from "puppeteer-core";
import { fail, type TroupeError } from "../../proto/errors/catalogue.ts";
import { redactedAddress } from "../../proto/text/redact.ts";
import { Activity } from "../activity/activity.ts";
import type { PageWorkers } from "../activity/page-workers.ts";
import { isGone } from "../core/gone.ts";
import type { FailureLog } from "../failures/failure-log.ts";
import type { Wall } from "../policy/role-policy.ts";
import { Delivered } from "../refs/delivered.ts";
import type { DeliveredLines } from "../refs/delivered-lines.ts";
import { BRIDGE_WORLD, PIECE_BINDING } from "./bridge-bundle.ts";
import { ConsoleLog } from "./console-log.ts";
import { DialogRow } from "./dialog-row.ts";
import { type Frame, Frames } from "./frames.ts";
import { holdFocus } from "./held-focus.ts";
import { HttpCredentials, type KnownCredentials } from "./http-credentials.ts";
import { Interception } from "./interception.ts";
import { TouchedControls } from "./touched-controls.ts";

/** A dialog that waits for an answer. */
export interface OpenDialog {
  /** The tab that it belongs to. */
  tab: string;
  type: string;
  text: string;
}

/** The parts that a tab is made from. */
export interface TabOptions {
  id: string;
  /** The key of the session that it belongs to. */
  session: () => string;
  client: CDPSession;
  targetId: string;
  openerId: string | undefined;
  /** The page and its opener reach each other, so they share a process. */
  reachesOpener: boolean;
  bridge: string;
  failures: FailureLog;
  /** The rules on where the role may go. */
  wall: Wall;
  credentials: KnownCredentials;
  /** The state of the tab's page before it was opened again. Undefined for a new tab. */
  memory: TabMemory | undefined;
  /** Called when its page has crashed and is about to be opened again. */
  crashed(tab: Tab, url: string): void;
  /** Called when the address or title may have changed. */
  changed(): void;
  /** Closes a tab whose process does not run, and has its page opened again in another one. */
  replace(tab: Tab): Promise<void>;
  /** The tabs that share the tab's process: its popups, its opener. */
  related(tab: Tab): readonly Tab[];
  sharedWorkers(): PageWorkers | undefined;
  /** Follows the tab's processes too. It is called before the page runs, and awaited only after all is sent. */
  follow(client: CDPSession, tab: Tab): Promise<unknown>;
}

/** The state that outlives a tab's page. */
export interface TabMemory {
  /** The delivered lines of its elements. */
  lines: DeliveredLines;
  /** The fields that held what the session typed, in words. */
  lost: readonly string[];
}

/** A document of the tab that the role's policy blocked. */
export interface RefusedDocument {
  url: string;
  reason: string;
}

/** `dialogInterrupts`: a dialog ends the wait; true by default. */
export interface GuardOptions {
  dialogInterrupts?: boolean;
}

/** A tab. Chrome opens it, {@link Tab.attach} sets it up, and {@link Tab.closed} ends it when its target is gone. */
export class Tab {
  /** `t1`, `t2`…; a restored tab keeps its id. */
  readonly #options: TabOptions;
  readonly id: string;
  readonly targetId: string;
  readonly openerId: string | undefined;
  readonly reachesOpener: boolean;
  readonly client: CDPSession;
  readonly frames: Frames;
  readonly activity = new Activity();
  readonly console: ConsoleLog;
  readonly told: Delivered;
  readonly touched = new TouchedControls();
  readonly failures: FailureLog;
  readonly interception: Interception;
  readonly credentials: HttpCredentials;
  /** The script that runs first in each of its documents. */
  readonly bridge: string;
  /** The tab's own open dialog. */
  ownDialog: OpenDialog | undefined;
  readonly #dialogRow = new DialogRow();
  title = "";
  /** The navigation that an open dialog holds up. The call that answers the dialog finishes it. */
  heldNavigation: Promise<unknown> | undefined;
  /** The address that the tab was opened for, until its page has come. */
  firstUrl: string | undefined;
  /** The typed text that was lost with a page, until the session acts in the page's successor. */
  lost: readonly string[];
  /** Set while its page hangs and is being freed. */
  freeing: Promise<void> | undefined;
  /** The number of its watchers. */
  watchers = 0;
  /** The last blocked document, until a call has reported it. */
  refusedDocument: RefusedDocument | undefined;
  /** Its page reported that it was still loading when the wait ended, and no reply has said so yet. */
  isFilling = false;
  /** A download that began, until a reply has reported it. */
  download: string | undefined;
  /** The page asked for files, until a reply has reported it. */
  askedForFiles = false;
  isOpen = true;
  /** The page is frozen: it answers no question that needs its scripts. */
  isFrozen = false;
  /** The reason why it is closed, for later calls. */
  #end: TroupeError | undefined;
  #reopened = false;
  readonly #closed = Promise.withResolvers<void>();
  readonly #interrupts = new Set<(error: TroupeError | "dialog") => void>();
  readonly wall: Wall;

  constructor(options: TabOptions) {
    const { id, client, targetId, openerId, reachesOpener, bridge, failures, wall, changed } = options;
    this.#options = options;
    this.told = new Delivered(options.memory?.lines);
    this.lost = options.memory?.lost ?? [];
    this.id = id;
    this.client = client;
    this.targetId = targetId;
    this.openerId = openerId;
    this.reachesOpener = reachesOpener;
    this.bridge = bridge;
    this.failures = failures;
    this.wall = wall;
    this.interception = new Interception(client);
    this.credentials = new HttpCredentials(this.interception, options.credentials);
    this.console = new ConsoleLog(wall.connections, (url) => failures.requestBlocked(this, url));
    this.frames = new Frames({
      newDocument: ({ loaderId }) => {
        this.console.newDocument();
        this.firstUrl = undefined;
        this.activity.committed(loaderId);
        changed();
      },
      unreachable: (frame) => this.#unreachable(frame),
      moved: () => {
        this.activity.movedWithin();
        changed();
      },
    });
  }

  /** The key of the session that it belongs to. */
  get session(): string {
    return this.#options.session();
  }

  /** The open dialog here or in a tab of the same process. Until it is answered, Chrome asks the page nothing. */
  get dialog(): OpenDialog | undefined {
    return this.ownDialog ?? this.#related.find(({ ownDialog }) => ownDialog)?.ownDialog;
  }

  get sharedWorkers(): PageWorkers | undefined {
    return this.#options.sharedWorkers();
  }

  get #related(): readonly Tab[] {
    return this.#options.related(this);
  }

  get url(): string {
    return this.firstUrl ?? this.frames.main?.url ?? "about:blank";
  }

  /** Sets up listeners and bridge, then lets the page run. All is sent at once, because a pipe keeps order. */
  async attach(): Promise<void> {
    const { client } = this;
    client.on("Page.javascriptDialogOpening", ({ type, message }) =>
      this.#dialogChanged({ tab: this.id, type, text: message }),
    );
    client.on("Page.javascriptDialogClosed", () => this.#dialogChanged(undefined));
    client.on("Page.downloadWillBegin", ({ suggestedFilename }) => {
      this.download = suggestedFilename;
    });
    client.on("Page.fileChooserOpened", () => {
      this.askedForFiles = true;
    });
    client.on("Inspector.targetCrashed", () => this.#crashed());
    // Only the page target's own main frame counts as the tab's.
    this.activity.watch(client, this.targetId);
    this.frames.begin(client, this.targetId);
    const known = this.credentials.begin(this.whenClosed());
    const [{ frameTree }] = await Promise.all([this.#set(client), holdFocus(client, true), known]);
    // Chrome sends no events for a document that already existed.
    if (!this.frames.main?.loaderId) this.frames.seed(client, frameTree);
  }

  /** Throws if the tab is closed, or if a dialog is open and `dialogInterrupts` is true. */
  check(dialogInterrupts = true): void {
    if (!this.isOpen) throw this.#end;
    if (dialogInterrupts && this.dialog) throw this.dialogError();
  }

  /** Rejects early with the signal's reason, a crash, the tab's end, or a dialog unless it is allowed. */
  async guard<T>(
    promise: Promise<T>,
    signal: AbortSignal,
    { dialogInterrupts = true }: GuardOptions = {},
  ): Promise<T> {
    // The promise may reject after the wait has ended, so a rejection must count as handled.
    promise.catch(() => undefined);
    signal.throwIfAborted();
    this.check(dialogInterrupts);
    const { promise: interrupted, reject } = Promise.withResolvers<never>();
    const interrupt = (error: TroupeError | "dialog") => {
      if (error !== "dialog") reject(error);
      else if (dialogInterrupts) reject(this.dialogError());
    };
    const onAbort = () => reject(signal.reason);
    this.#interrupts.add(interrupt);
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      return await Promise.race([promise, interrupted]);
    } finally {
      this.#interrupts.delete(interrupt);
      signal.removeEventListener("abort", onAbort);
    }
  }

  /** Notes that the role's policy has blocked the document that the tab was to show. */
  refused(document: RefusedDocument): void {
    this.refusedDocument = document;
    this.activity.tell();
  }

  /** Notes that the page stays, so the navigation that asked is over. */
  stays(): void {
    this.heldNavigation = undefined;
    this.activity.failed();
  }

  /**
   * Gives up a navigation that has no answer, or whose page does not get ready. While it is under way, Chrome passes no
   * questions on to the page that is still shown.
   */
  giveUpLoading(): void {
    if (this.dialog) return;
    this.heldNavigation = undefined;
    this.firstUrl = undefined;
    if (!this.activity.navigating) return;
    this.client
      .send("Page.stopLoading")
      .catch((error: Error) => isGone(error) || this.failures.cleanup("stop-loading", error));
  }

  /** Returns DIALOG_OPEN with the present dialog. */
  dialogError(): TroupeError {
    const { type, text, tab } = this.dialog ?? { type: "alert", text: "", tab: this.id };
    const inARow = this.#dialogRow.length;
    return fail("DIALOG_OPEN", { dialog: type, text, tab, ...(inARow > 1 && { inARow }) });
  }

  /** Ends the tab when its target is gone. */
  closed(error: TroupeError = fail("UNKNOWN_TAB", { tab: this.id, tabs: [] })): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.ownDialog = undefined;
    this.#end = error;
    this.told.look = undefined;
    this.#closed.resolve();
    this.#interrupt(error);
    this.activity.tell();
  }

  /** Returns the knowledge that this tab's successor gets. */
  get memory(): TabMemory {
    return { lines: this.told.lines, lost: this.touched.names };
  }

  /** Has the page opened again in another process under the same id, because its own cannot be freed. */
  async replace(): Promise<void> {
    await this.#options.replace(this);
  }

  /** Resolves when the target is gone. */
  whenClosed(): Promise<void> {
    return this.#closed.promise;
  }

  /** Reads the title from the browser process, which is cheap. A tab that is being closed keeps its last one. */
  async readTitle(): Promise<void> {
    if (this.dialog || !this.isOpen) return;
    try {
      const { currentIndex, entries } = await this.client.send("Page.getNavigationHistory");
      this.title = entries[currentIndex]?.title ?? "";
      this.#options.changed();
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }

  async #set(client: CDPSession): Promise<Protocol.Page.GetFrameTreeResponse> {
    this.frames.watch(client);
    this.console.watch(client);
    client.on("Target.attachedToTarget", (event) => this.#attachedChild(client, event));
    client.on(CDPSessionEvent.SessionDetached, (child) => this.activity.unwatch(child));
    const world = { source: this.bridge, worldName: BRIDGE_WORLD, runImmediately: true };
    const frameTree = client.send("Page.enable").then(() => client.send("Page.getFrameTree"));
    const [tree] = await Promise.all([
      frameTree,
      client.send("Page.setLifecycleEventsEnabled", { enabled: true }),
      client.send("Page.setInterceptFileChooserDialog", { enabled: true }),
      client.send("Page.addScriptToEvaluateOnNewDocument", world),
      client.send("Runtime.enable"),
      client.send("Log.enable"),
      client.send("Network.enable"),
      client.send("Performance.enable"),
      this.#options.follow(client, this),
      client.send("Runtime.addBinding", { name: PIECE_BINDING, executionContextName: BRIDGE_WORLD }),
      client.send("Target.setAutoAttach", { autoAttach: true, flatten: true, waitForDebuggerOnStart: true }),
      client.send("Runtime.runIfWaitingForDebugger"),
    ]);
    return tree;
  }

  /** Gives frames of other processes their bridge, and follows workers. */
  #attachedChild(client: CDPSession, { sessionId, targetInfo }: Protocol.Target.AttachedToTargetEvent): void {
    const child = client.connection()?.session(sessionId);
    if (!child) return;
    if (targetInfo.type === "iframe") {
      this.activity.watch(child, this.targetId);
      child.on("Inspector.targetCrashed", () => this.#frameCrashed(child));
    }
    const ready = targetInfo.type === "iframe" ? this.#set(child) : this.#workerAttached(child);
    ready.catch((error: Error) => this.failures.frameNotInjected(this, { url: targetInfo.url, error }));
  }

  async #workerAttached(client: CDPSession): Promise<void> {
    this.activity.watchWorker(client);
    await Promise.all([client.send("Network.enable"), client.send("Runtime.runIfWaitingForDebugger")]);
  }

  #dialogChanged(dialog: OpenDialog | undefined): void {
    this.ownDialog = dialog;
    if (dialog) this.#dialogRow.opened();
    else this.#dialogRow.closed();
    for (const tab of [this, ...this.#related]) {
      if (dialog) tab.#interrupt("dialog");
      tab.activity.tell();
    }
  }

  /** Opens the page again at its address. Every call that waited for it fails. */
  #crashed(): void {
    const { url } = this;
    this.failures.incident("page-crashed", `The page ${redactedAddress(url)} crashed.`, this);
    this.ownDialog = undefined;
    const lost = this.touched.names;
    this.#options.crashed(this, url);
    this.lost = lost;
    this.frames.crashed(this.client);
    // A page that crashes while it is being opened again is left empty.
    const again = (this.#reopened && !this.activity.document?.loaded) || url === "" ? "about:blank" : url;
    this.#reopened = true;
    this.activity.navigating = true;
    this.heldNavigation = this.client.send("Page.navigate", { url: again });
    this.heldNavigation.catch((error: Error) => this.failures.cleanup("reopen-crashed-page", error));
    this.#interrupt(fail("PAGE_CRASHED", { url, effect: "unknown", ...(lost.length > 0 && { lost }) }));
  }

  /** Reports the policy's reason, if the policy refused the connection. */
  #unreachable({ url, number }: Frame): void {
    const reason = this.wall.connections.whyRefused(url);
    if (!reason) return;
    if (number === 0) this.refused({ url, reason });
    else this.failures.requestBlocked(this, url);
  }

  /** Drops what was in the frame. The rest of the page goes on without it. */
  #frameCrashed(client: CDPSession): void {
    this.activity.unwatch(client);
    for (const { number, url } of this.frames.crashed(client)) {
      this.failures.incident("page-crashed", `The frame f${number} (${redactedAddress(url)}) crashed.`, this);
      const error = new Error("its process crashed");
      this.failures.frameNotInjected(this, { frameId: `f${number}`, url, error });
    }
  }

  #interrupt(error: TroupeError | "dialog"): void {
    for (const interrupt of [...this.#interrupts]) interrupt(error);
  }
}
