// What a tab's main document is doing: navigations, and all that an action waits for before its reply is written.
import type { CDPSession, Protocol } from "puppeteer-core";
import { PageWorkers } from "./page-workers.ts";
import { type Cause, Reaction } from "./reaction.ts";
import { type Came, type Ending, type Lingering, Requests } from "./requests.ts";
import { IN_VAIN_MAX, Streams } from "./streams.ts";
import { Waiters } from "./waiters.ts";

/** A document on its way or arrived. */
export interface DocumentLoad {
  loaderId: string;
  status: number;
  redirects: number;
  /** The address that was asked for first, before redirects; undefined where nothing was asked of a server. */
  requestedUrl: string | undefined;
  /** The address that was asked for last, after redirects. */
  askedUrl: string | undefined;
  /** The page before asked for it by itself: a script or a refresh, not a link or a form. */
  byPage: boolean;
  /** How much of it has come, in bytes, as it was before any compression. */
  bytes: number;
  /** When it took the place of the one before, by `performance.now()`; 0 where it has not yet. */
  committedAtMs: number;
  /** DOMContentLoaded was said of it. */
  interactive: boolean;
  /** load was said of it. */
  loaded: boolean;
}

export interface ReactOptions {
  resumes?: boolean;
  over?: () => void;
}

/** A poll that is answered so often within a second chatters: the page finds no rest between its answers. */
const POLLS_PER_S = 4;

/** Navigations that nobody asked for but the page. */
const BY_PAGE: ReadonlySet<Protocol.Page.ClientNavigationReason> = new Set([
  "scriptInitiated",
  "metaTagRefresh",
  "httpHeaderRefresh",
]);

/** Follows what begins and ends; those who wait hear of every change. */
export class Activity {
  /** Grows with each navigation of the main frame that starts, and each within its document. */
  navigations = 0;
  /** A navigation of the main frame has been asked for and has neither committed nor failed. */
  navigating = false;
  document: DocumentLoad | undefined;
  /** The page led to one document after the other, and was stopped; no reply has said so yet. */
  isStopped = false;
  /** How long after its beginning an action was given up whose page went on changing, until a reply has told of it. */
  changingMs: number | undefined;
  /** It played something when it was last made to stand still. */
  wasPlaying = false;
  readonly workers = new PageWorkers();
  readonly streams = new Streams();
  readonly #requests = new Requests();
  readonly #reactions = new Set<Reaction>();
  /** How many requests had been sent before the action that a dialog interrupted last; undefined after the next one began. */
  #interruptedAt: number | undefined;
  /** How many actions' requests no held request's answer followed. */
  #pollsInVain = 0;
  readonly #coming = new Map<string, DocumentLoad>();
  readonly #waiters = new Waiters();
  #mainFrameId: string | undefined;
  /** The address that the page last asked for by itself. */
  #requestedByPage: string | undefined;

  /**
   * An action begins. It is over when the reaction is disposed of, and `over` is called. `resumes`: it waits for what the
   * one began that a dialog interrupted.
   */
  react({ resumes = false, over = () => undefined }: ReactOptions = {}): Reaction {
    if (this.#reactions.size === 0) this.#requests.reset();
    const { sent } = this.#requests;
    const sentBefore = resumes ? (this.#interruptedAt ?? sent) : sent;
    this.#interruptedAt = undefined;
    const reaction = new Reaction(sentBefore, sent, () => {
      this.#reactions.delete(reaction);
      over();
    });
    this.#reactions.add(reaction);
    return reaction;
  }

  /**
   * When the last thing that the reaction waits for is given up, by `performance.now()`; infinite where only the
   * reaction's own time ends it, undefined where it waits for nothing.
   */
  awaitedUntilMs(reaction: Reaction): number | undefined {
    const request = this.#requests.awaitedUntilMs(reaction);
    const message = this.streams.awaitedUntilMs(reaction);
    return request === undefined ? message : Math.max(request, message ?? 0);
  }

  /** Whether the answer to a request may come over something else: a stream, or a request that its server holds open. */
  mayFollow(reaction: Reaction): boolean {
    const isPolling = this.#pollsInVain < IN_VAIN_MAX && this.#requests.anyBefore(reaction);
    return isPolling || this.streams.mayFollow;
  }

  /** Nothing followed an action's request. */
  didNotFollow(): void {
    this.#pollsInVain++;
    this.streams.didNotFollow();
  }

  /** The reaction is waited for no longer. */
  settled(reaction: Reaction, ending: Ending): void {
    if (ending === "interrupted") this.#interruptedAt = reaction.sentBefore;
    this.#requests.settled(reaction, ending);
  }

  /** Requests that their actions did not wait for to the end. */
  lingering(pageUrl: string): Lingering[] {
    return this.#requests.lingering(pageUrl);
  }

  /** What a server answered to a navigation, also where Chrome shows a page of its own for it; 0 where it has not. */
  statusOf(loaderId: string): number {
    return this.#loadOf(loaderId)?.status ?? 0;
  }

  /** The address that a document was asked for last, after redirects; undefined where nothing is known of it. */
  addressOf(loaderId: string): string | undefined {
    return this.#loadOf(loaderId)?.askedUrl;
  }

  #loadOf(loaderId: string): DocumentLoad | undefined {
    const { document } = this;
    return document?.loaderId === loaderId ? document : this.#coming.get(loaderId);
  }

  /** The address that a document is on its way from. */
  get awaitedUrl(): string | undefined {
    return this.navigating ? [...this.#coming.values()].at(-1)?.requestedUrl : undefined;
  }

  /** Resolves at the next change, or when the signal aborts. */
  changed(signal?: AbortSignal): Promise<void> {
    return this.#waiters.next(signal);
  }

  /** Tells everybody who waits that something changed. */
  tell(): void {
    this.#waiters.tell();
  }

  /** Listens to a process's session. The main frame's id tells its navigations from those of others. */
  watch(client: CDPSession, mainFrameId: string): void {
    this.#mainFrameId ??= mainFrameId;
    const onMain = (frameId: string, then: () => void) => frameId === this.#mainFrameId && then();
    this.#watchNetwork(client);
    client.on("Page.frameRequestedNavigation", ({ frameId, disposition, reason, url }) =>
      onMain(frameId, () => disposition === "currentTab" && this.#navigationRequested(reason, url)),
    );
    client.on("Page.frameStartedNavigating", ({ frameId, navigationType }) =>
      onMain(
        frameId,
        () => !navigationType.toLowerCase().includes("samedocument") && this.#navigationStarted(),
      ),
    );
    client.on("Page.frameStoppedLoading", ({ frameId }) => onMain(frameId, () => this.#navigationEnded()));
    client.on("Page.lifecycleEvent", ({ frameId, loaderId, name }) =>
      onMain(frameId, () => this.#lifecycle(loaderId, name)),
    );
  }

  /** Listens to a dedicated worker's session: the end of its script is told there, and what it requests. */
  watchWorker(client: CDPSession): void {
    this.workers.add(client);
    this.#watchNetwork(client);
  }

  #watchNetwork(client: CDPSession): void {
    client.on("Network.requestWillBeSent", (event) => this.#requestSent(client, event));
    client.on("Network.requestWillBeSentExtraInfo", (event) => this.#requests.headersSent(event));
    client.on("Network.responseReceived", (event) => this.#responded(client, event));
    client.on("Network.dataReceived", (event) => this.#dataReceived(event));
    for (const ended of ["Network.loadingFinished", "Network.loadingFailed"] as const)
      client.on(ended, ({ requestId }) => this.#requestEnded(client, requestId));
    client.on("Network.webSocketCreated", ({ requestId }) => this.streams.opened(requestId, client));
    client.on("Network.webSocketFrameSent", ({ requestId }) => {
      if (this.streams.sent(requestId, this.#reactions)) this.tell();
    });
    client.on("Network.webSocketFrameReceived", ({ requestId }) => this.#messageCame(requestId));
    client.on("Network.webSocketClosed", ({ requestId }) => this.streams.closed(requestId));
    client.on("Network.eventSourceMessageReceived", ({ requestId }) => this.#messageCame(requestId));
  }

  /** The main frame's address changed within its document. */
  movedWithin(): void {
    this.navigations++;
    this.tell();
  }

  /** What the main frame shows stands in for a document that is yet to come. */
  expected(): void {
    this.document = undefined;
    this.navigating = true;
  }

  /** A navigation that was asked for brought no document. */
  failed(): void {
    this.#navigationEnded();
  }

  /** The main frame shows the document of this loader. */
  committed(loaderId: string): void {
    this.document = this.#coming.get(loaderId) ?? newDocument(loaderId);
    this.document.committedAtMs = performance.now();
    this.#coming.clear();
    this.#requestedByPage = undefined;
    this.#requests.committed(loaderId);
    this.streams.clear();
    this.#pollsInVain = 0;
    this.navigating = false;
    for (const reaction of this.#reactions) reaction.documents++;
    this.#caused("arrival");
  }

  /** A process's or a worker's session has ended: nothing more is heard from it. */
  unwatch(client: CDPSession): void {
    this.#requests.unwatched(client);
    this.streams.unwatched(client);
    this.workers.remove(client);
    this.tell();
  }

  #caused(cause: Cause, by = ""): void {
    for (const reaction of this.#reactions) reaction.caused(cause, by);
    this.tell();
  }

  #requestSent(client: CDPSession, event: Protocol.Network.RequestWillBeSentEvent): void {
    const { requestId, loaderId, type, frameId } = event;
    if (type === "Document" && requestId === loaderId && frameId === this.#mainFrameId) {
      this.#documentAsked(event);
      return;
    }
    if (type === "EventSource") this.streams.opened(requestId, client);
    if (this.#requests.began(client, event, this.#reactions)) this.tell();
  }

  #documentAsked({ loaderId, redirectResponse, request }: Protocol.Network.RequestWillBeSentEvent): void {
    const load = this.#coming.get(loaderId) ?? newDocument(loaderId);
    if (redirectResponse) load.redirects++;
    load.requestedUrl ??= request.url;
    load.askedUrl = request.url;
    if (this.#requestedByPage === load.requestedUrl) load.byPage = true;
    this.#coming.set(loaderId, load);
  }

  #responded(client: CDPSession, event: Protocol.Network.ResponseReceivedEvent): void {
    const { requestId, loaderId, response } = event;
    const load = requestId === loaderId ? this.#coming.get(loaderId) : undefined;
    if (load) load.status = response.status;
    if (response.mimeType === "text/event-stream")
      this.streams.opened(requestId, client, { isInParts: true });
    const came = this.#requests.answered(event, this.#reactions);
    if (came) this.#answered(came);
  }

  #dataReceived({ requestId, dataLength }: Protocol.Network.DataReceivedEvent): void {
    const load = this.#loadOf(requestId);
    if (load) load.bytes += dataLength;
    if (this.streams.isInParts(requestId)) this.#messageCame(requestId);
    else {
      const came = this.#requests.partCame(requestId, this.#reactions);
      if (came) this.#caused(came.cause, came.by);
    }
  }

  #requestEnded(client: CDPSession, requestId: string): void {
    this.streams.closed(requestId);
    const came = this.#requests.ended(requestId, this.#reactions);
    if (!came) return;
    if (came.poll !== undefined) this.#pollAnswered(client, came.poll, came);
    else if (came.cause === "message") {
      this.#pollsInVain = 0;
      this.#caused(came.cause, came.by);
    } else this.#answered(came);
  }

  /** A poll is a stream of another kind: it may chatter, and be silent. */
  #pollAnswered(client: CDPSession, poll: string, { cause, by }: Came): void {
    const id = `poll ${poll}`;
    this.streams.opened(id, client, { isPoll: true, chatterPerS: POLLS_PER_S });
    if (this.streams.came(id)) this.#caused(cause, by);
  }

  #answered({ cause, by }: Came): void {
    for (const reaction of this.#reactions) reaction.answers++;
    this.#caused(cause, by);
  }

  #messageCame(requestId: string): void {
    if (this.streams.came(requestId)) this.#caused("message");
  }

  #navigationRequested(reason: Protocol.Page.ClientNavigationReason, url: string): void {
    this.#requestedByPage = BY_PAGE.has(reason) ? url.split("#")[0] : undefined;
    this.#navigationStarted();
  }

  #navigationStarted(): void {
    this.navigating = true;
    this.navigations++;
    this.tell();
  }

  #navigationEnded(): void {
    this.navigating = false;
    this.tell();
  }

  #lifecycle(loaderId: string, name: string): void {
    const { document } = this;
    const load =
      document?.loaderId === loaderId ? document : (this.#coming.get(loaderId) ?? newDocument(loaderId));
    // Of a document that is shown already, this may be told before its commit is known here.
    if (load !== document) this.#coming.set(loaderId, load);
    if (name === "DOMContentLoaded") load.interactive = true;
    if (name === "load") load.loaded = true;
    if (name === "load" && load === document) this.#caused("arrival");
    else this.tell();
  }
}

function newDocument(loaderId: string): DocumentLoad {
  return {
    loaderId,
    status: 0,
    redirects: 0,
    requestedUrl: undefined,
    askedUrl: undefined,
    byPage: false,
    bytes: 0,
    committedAtMs: 0,
    interactive: false,
    loaded: false,
  };
}
