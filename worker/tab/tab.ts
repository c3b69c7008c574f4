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
import { TypedFields } from "./typed-fields.ts";

/** A dialog that waits for an answer. */
export interface OpenDialog {
  /** The tab that it belongs to. */
  tab: string;
  type: string;
  text: string;
}

/** What a tab is made from. */
export interface TabOptions {
  id: string;
  /** The key of the session that it belongs to. */
  session: () => string;
  client: CDPSession;
  targetId: string;
  openerId: string | undefined;
  /** Whether the page and its opener reach each other: then they share a process. */
  reachesOpener: boolean;
  bridge: string;
  failures: FailureLog;
  /** What the role may reach. */
  wall: Wall;
  credentials: KnownCredentials;
  /** What is known of a page that the tab had before it was opened again; undefined for a new tab. */
  memory: TabMemory | undefined;
  /** Its page crashed, and is about to be opened again. */
  crashed(tab: Tab, url: string): void;
  /** Called when the address or title may have changed. */
  changed(): void;
  /** Closes the tab, whose process does not run, and has its page opened again in another one. */
  replace(tab: Tab): Promise<void>;
  /** The tabs that share the tab's process: its popups, its opener. */
  related(tab: Tab): readonly Tab[];
  sharedWorkers(): PageWorkers | undefined;
  /** Who follows the tab's processes besides: asked before the page runs in one, and not waited for until all is sent. */
  follow(client: CDPSession, tab: Tab): Promise<unknown>;
}

/** What outlives a tab's page. */
export interface TabMemory {
  /** What replies said of its elements. */
  lines: DeliveredLines;
  /** The fields that held what the session typed, in words. */
  lost: readonly string[];
}

/** A document of the tab's own that the role's policy held back. */
export interface RefusedDocument {
  url: string;
  reason: string;
}

/** What ends a wait besides. */
export interface GuardOptions {
  dialogInterrupts?: boolean;
}

/** A tab. It is opened by Chrome and set up by {@link Tab.attach}; when its target is gone, {@link Tab.closed} is called. */
export class Tab {
  /** `t1`, `t2`…; a restored tab has the one that it had. */
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
  readonly typed = new TypedFields();
  readonly failures: FailureLog;
  readonly interception: Interception;
  readonly credentials: HttpCredentials;
  /** The script that every document of it begins with. */
  readonly bridge: string;
  /** The tab's own open dialog. */
  ownDialog: OpenDialog | undefined;
  readonly #dialogRow = new DialogRow();
  title = "";
  /** The navigation that an open dialog holds up, for whoever answers the dialog. */
  heldNavigation: Promise<unknown> | undefined;
  /** The address that the tab was opened for, until its page has come. */
  firstUrl: string | undefined;
  /** What the session typed into a page that is gone, until it acts in the one that was opened in its place. */
  lost: readonly string[];
  /** Its page hangs, and something is done about it. */
  freeing: Promise<void> | undefined;
  /** How many watch it. */
  watchers = 0;
  /** The last document that was held back, until a call has told of it. */
  refusedDocument: RefusedDocument | undefined;
  /** Its page said that it was not filled yet when the wait for it ended, and no reply has told of it. */
  isFilling = false;
  /** A download that began, until a reply has told of it. */
  download: string | undefined;
  /** The page asked for files, until a reply has told of it. */
  askedForFiles = false;
  isOpen = true;
  /** The page stands still: it answers no question that takes its scripts. */
  isFrozen = false;
  /** Why it is closed, for calls that come later. */
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

  /** The dialog that is open here or in a tab of the same process: until it is answered, Chrome asks the page nothing. */
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

  /** Puts the tab's listeners and the bridge in place, then lets the page run. Everything is sent at once: a pipe keeps order. */
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
    // Nothing is told of a document that was there already.
    if (!this.frames.main?.loaderId) this.frames.seed(client, frameTree);
  }

  /** Throws where the tab is closed, or (unless told otherwise) a dialog is open. */
  check(dialogInterrupts = true): void {
    if (!this.isOpen) throw this.#end;
    if (dialogInterrupts && this.dialog) throw this.dialogError();
  }

  /** Rejects with what ends the wait early: the signal, a crash, the tab's end, or (unless told otherwise) a dialog. */
  async guard<T>(
    promise: Promise<T>,
    signal: AbortSignal,
    { dialogInterrupts = true }: GuardOptions = {},
  ): Promise<T> {
    // However it ends after the wait has: nobody is left to hear of it.
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

  /** The role's policy has held back the document that the tab was to show. */
  refused(document: RefusedDocument): void {
    this.refusedDocument = document;
    this.activity.tell();
  }

  /** The page was told to stay: the navigation that asked it is over. */
  stays(): void {
    this.heldNavigation = undefined;
    this.activity.failed();
  }

  /**
   * Gives up a navigation that has not been answered, or whose page does not get ready. As long as it is under way,
   * Chrome hands no question on to the page that is still shown.
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

  /** DIALOG_OPEN with the dialog of now. */
  dialogError(): TroupeError {
    const { type, text, tab } = this.dialog ?? { type: "alert", text: "", tab: this.id };
    const inARow = this.#dialogRow.length;
    return fail("DIALOG_OPEN", { dialog: type, text, tab, ...(inARow > 1 && { inARow }) });
  }

  /** The target is gone. */
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

  /** What a tab knows that is opened in the place of this one. */
  get memory(): TabMemory {
    return { lines: this.told.lines, lost: this.typed.names };
  }

  /** Nothing frees its process: its page comes back in another one, as a tab of the same id. */
  async replace(): Promise<void> {
    await this.#options.replace(this);
  }

  /** Resolves when the target is gone. */
  whenClosed(): Promise<void> {
    return this.#closed.promise;
  }

  /** Reads the title again; cheap, from the browser process. A tab that is being closed keeps its last one. */
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

  /** Frames of other processes get their bridge; workers are followed. */
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

  /** The page is opened again where it was; every call that waited for it fails. */
  #crashed(): void {
    const { url } = this;
    this.failures.incident("page-crashed", `The page ${redactedAddress(url)} crashed.`, this);
    this.ownDialog = undefined;
    const lost = this.typed.names;
    this.#options.crashed(this, url);
    this.lost = lost;
    this.frames.crashed(this.client);
    // A page that crashes while it is being opened again is left alone.
    const again = (this.#reopened && !this.activity.document?.loaded) || url === "" ? "about:blank" : url;
    this.#reopened = true;
    this.activity.navigating = true;
    this.heldNavigation = this.client.send("Page.navigate", { url: again });
    this.heldNavigation.catch((error: Error) => this.failures.cleanup("reopen-crashed-page", error));
    this.#interrupt(fail("PAGE_CRASHED", { url, effect: "unknown", ...(lost.length > 0 && { lost }) }));
  }

  /** Where it was the policy that let no connection be made, that is told. */
  #unreachable({ url, number }: Frame): void {
    const reason = this.wall.connections.whyRefused(url);
    if (!reason) return;
    if (number === 0) this.refused({ url, reason });
    else this.failures.requestBlocked(this, url);
  }

  /** What is in the frame is gone; the rest of the page goes on without it. */
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
