// What a tab's main document is doing: navigations, and requests that somebody may be waiting for.
import type { CDPSession, Protocol } from "puppeteer-core";
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
  /** DOMContentLoaded was said of it. */
  interactive: boolean;
  /** load was said of it. */
  loaded: boolean;
}

/** Requests that go on for as long as they like, or that no content depends on. */
const NOT_WAITED_FOR: ReadonlySet<Protocol.Network.ResourceType> = new Set([
  "Ping",
  "EventSource",
  "WebSocket",
  "Media",
  "Prefetch",
  "CSPViolationReport",
  "Preflight",
  "Other",
]);

/** Navigations that nobody asked for but the page. */
const BY_PAGE: ReadonlySet<Protocol.Page.ClientNavigationReason> = new Set([
  "scriptInitiated",
  "metaTagRefresh",
  "httpHeaderRefresh",
]);

/** How many addresses are counted in a document, to know those that it asks for again and again. */
const ADDRESSES_MAX = 1_000;
/** Addresses are told apart by their beginnings: a data: address may be megabytes. */
const ADDRESS_LENGTH_MAX = 2_000;
/** An address that was asked for so often before is polled. */
const POLLED_AFTER = 2;

/** A request under way. */
interface Pending {
  /** Its place among all that started. */
  started: number;
  loaderId: string;
  /** Its address was asked for again and again before. */
  polled: boolean;
  /** A fetch that was answered: where the page never reads its body, no end is told. Parts that come are news. */
  answered: boolean;
  client: CDPSession;
}

/** Counts what starts and ends; whoever waits is told of every change. */
export class Activity {
  /** Grows with each request and navigation that starts: a mark to compare with. */
  started = 0;
  /** Grows with each request and navigation that starts, and each part of a body, but not with what is polled. */
  news = 0;
  /** Grows with each navigation of the main frame that starts, and each within its document. */
  navigations = 0;
  /** A navigation of the main frame has been asked for and has neither committed nor failed. */
  navigating = false;
  document: DocumentLoad | undefined;
  readonly #requests = new Map<string, Pending>();
  /** How often the document has asked for an address. */
  readonly #asked = new Map<string, number>();
  readonly #coming = new Map<string, DocumentLoad>();
  readonly #waiters = new Waiters();
  #mainFrameId: string | undefined;
  /** The address that the page last asked for by itself. */
  #requestedByPage: string | undefined;

  /** Requests under way that started after the mark; polled addresses count only until `polledUntil`. */
  requestsSince(mark: number, polledUntil = Number.POSITIVE_INFINITY): number {
    return [...this.#requests.values()].filter(
      ({ started, polled, answered }) => started > mark && !answered && !(polled && started > polledUntil),
    ).length;
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
    client.on("Network.requestWillBeSent", (event) => this.#requestSent(client, event));
    client.on("Network.responseReceived", (event) => this.#responded(event));
    client.on("Network.dataReceived", (event) => this.#dataReceived(event));
    client.on("Network.loadingFinished", ({ requestId }) => this.#requestEnded(requestId));
    client.on("Network.loadingFailed", ({ requestId }) => this.#requestEnded(requestId));
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
    this.#coming.clear();
    this.#requestedByPage = undefined;
    this.#asked.clear();
    // What documents of before asked for is not waited for any more, and its end may never be told.
    this.#dropRequests((pending) => pending.loaderId !== loaderId);
    this.navigating = false;
    this.tell();
  }

  /** A process's session has ended: of its requests nothing more is heard. */
  unwatch(client: CDPSession): void {
    this.#dropRequests((pending) => pending.client === client);
    this.tell();
  }

  #dropRequests(gone: (pending: Pending) => boolean): void {
    for (const [id, pending] of this.#requests) if (gone(pending)) this.#requests.delete(id);
  }

  #requestSent(
    client: CDPSession,
    {
      requestId,
      loaderId,
      type,
      redirectResponse,
      frameId,
      request,
    }: Protocol.Network.RequestWillBeSentEvent,
  ): void {
    if (type === "Document" && requestId === loaderId && frameId === this.#mainFrameId) {
      const load = this.#coming.get(loaderId) ?? newDocument(loaderId);
      if (redirectResponse) load.redirects++;
      load.requestedUrl ??= request.url;
      load.askedUrl = request.url;
      if (this.#requestedByPage === load.requestedUrl) load.byPage = true;
      this.#coming.set(loaderId, load);
      return;
    }
    if (redirectResponse || NOT_WAITED_FOR.has(type ?? "Other")) return;
    const address = request.url.slice(0, ADDRESS_LENGTH_MAX).split(/[?#]/)[0];
    const polled = this.#isPolled(`${request.method} ${address}`);
    this.started++;
    if (!polled) this.news++;
    this.#requests.set(requestId, { started: this.started, loaderId, polled, answered: false, client });
    this.tell();
  }

  #isPolled(address: string): boolean {
    const before = this.#asked.get(address) ?? 0;
    if (before > 0 || this.#asked.size < ADDRESSES_MAX) this.#asked.set(address, before + 1);
    return before >= POLLED_AFTER;
  }

  #responded({ requestId, loaderId, response, type }: Protocol.Network.ResponseReceivedEvent): void {
    const load = requestId === loaderId ? this.#coming.get(loaderId) : undefined;
    if (load) load.status = response.status;
    const pending = this.#requests.get(requestId);
    if (!pending || type !== "Fetch") return;
    pending.answered = true;
    this.#partReceived(requestId);
  }

  #dataReceived({ requestId, dataLength }: Protocol.Network.DataReceivedEvent): void {
    const load = this.#loadOf(requestId);
    if (load) load.bytes += dataLength;
    this.#partReceived(requestId);
  }

  #partReceived(requestId: string): void {
    const pending = this.#requests.get(requestId);
    if (!pending?.answered) return;
    if (!pending.polled) this.news++;
    this.tell();
  }

  #requestEnded(requestId: string): void {
    if (this.#requests.delete(requestId)) this.tell();
  }

  #navigationRequested(reason: Protocol.Page.ClientNavigationReason, url: string): void {
    this.#requestedByPage = BY_PAGE.has(reason) ? url.split("#")[0] : undefined;
    this.#navigationStarted();
  }

  #navigationStarted(): void {
    this.navigating = true;
    this.navigations++;
    this.started++;
    this.news++;
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
    this.tell();
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
    interactive: false,
    loaded: false,
  };
}
