// Follows a tab's main frame: its navigations, and the documents that they bring.
import type { CDPSession, Protocol } from "puppeteer-core";

/** A document on its way or arrived. */
export interface DocumentLoad {
  loaderId: string;
  status: number;
  redirects: number;
  /** The address that was asked for first, before redirects. Undefined if no server was asked. */
  requestedUrl: string | undefined;
  /** The address that was asked for last, after redirects. */
  askedUrl: string | undefined;
  /** The previous page asked for it through a script or a refresh, not through a link or a form. */
  byPage: boolean;
  /** How many bytes of it have come, counted without compression. */
  bytes: number;
  /** When it replaced the previous document, by `performance.now()`; 0 before that. */
  committedAtMs: number;
  /** DOMContentLoaded has come. */
  interactive: boolean;
  /** The load event has come. */
  loaded: boolean;
}

export interface MainFrameEvents {
  /** A navigation has begun or ended, or a document has got further. */
  changed(): void;
  /** The shown document's load event has come. */
  loaded(): void;
}

/** Reasons of navigations that only the page asked for. */
const BY_PAGE: ReadonlySet<Protocol.Page.ClientNavigationReason> = new Set([
  "scriptInitiated",
  "metaTagRefresh",
  "httpHeaderRefresh",
]);

export class MainFrame {
  /** Grows with each navigation that starts, and each within its document. */
  navigations = 0;
  /** A navigation has been asked for and has neither committed nor failed. */
  navigating = false;
  document: DocumentLoad | undefined;
  readonly #coming = new Map<string, DocumentLoad>();
  readonly #events: MainFrameEvents;
  #id: string | undefined;
  /** The address that the page last asked for by itself. */
  #requestedByPage: string | undefined;

  constructor(events: MainFrameEvents) {
    this.#events = events;
  }

  /** Listens to a process's session. The frame's id sets its navigations apart from those of other frames. */
  watch(client: CDPSession, id: string): void {
    this.#id ??= id;
    const onMain = (frameId: string, then: () => void) => frameId === this.#id && then();
    client.on("Page.frameRequestedNavigation", ({ frameId, disposition, reason, url }) =>
      onMain(frameId, () => disposition === "currentTab" && this.#requested(reason, url)),
    );
    client.on("Page.frameStartedNavigating", ({ frameId, navigationType }) =>
      onMain(frameId, () => !navigationType.toLowerCase().includes("samedocument") && this.#started()),
    );
    client.on("Page.frameStoppedLoading", ({ frameId }) => onMain(frameId, () => this.failed()));
    client.on("Page.lifecycleEvent", ({ frameId, loaderId, name }) =>
      onMain(frameId, () => this.#lifecycle(loaderId, name)),
    );
  }

  /** Returns the HTTP status of a navigation, even if Chrome shows its own page for it. Returns 0 without an answer. */
  statusOf(loaderId: string): number {
    return this.#loadOf(loaderId)?.status ?? 0;
  }

  /** Returns the address that a document was last asked for, after redirects. Undefined for an unknown document. */
  addressOf(loaderId: string): string | undefined {
    return this.#loadOf(loaderId)?.askedUrl;
  }

  /** The first address that the coming document was asked for. */
  get awaitedUrl(): string | undefined {
    return this.navigating ? [...this.#coming.values()].at(-1)?.requestedUrl : undefined;
  }

  /** Notes that the address changed within the document. */
  movedWithin(): void {
    this.navigations++;
    this.#events.changed();
  }

  /** Notes that a document is asked for. */
  asked(): void {
    this.navigating = true;
  }

  /** Notes that the shown document only stands in for one that is yet to come. */
  expected(): void {
    this.document = undefined;
    this.navigating = true;
  }

  /** Notes that a navigation brought no document. */
  failed(): void {
    this.navigating = false;
    this.#events.changed();
  }

  /** Notes that the document of this loader is shown. */
  committed(loaderId: string): void {
    this.document = this.#coming.get(loaderId) ?? newDocument(loaderId);
    this.document.committedAtMs = performance.now();
    this.#coming.clear();
    this.#requestedByPage = undefined;
    this.navigating = false;
  }

  /** Notes a request. Returns true if it asks for the frame's next document. */
  sent(event: Protocol.Network.RequestWillBeSentEvent): boolean {
    const { requestId, loaderId, type, frameId, redirectResponse, request } = event;
    if (type !== "Document" || requestId !== loaderId || frameId !== this.#id) return false;
    const load = this.#coming.get(loaderId) ?? newDocument(loaderId);
    if (redirectResponse) load.redirects++;
    load.requestedUrl ??= request.url;
    load.askedUrl = request.url;
    if (this.#requestedByPage === load.requestedUrl) load.byPage = true;
    this.#coming.set(loaderId, load);
    return true;
  }

  /** Notes an answer, which may be the coming document's. */
  answered({ requestId, loaderId, response }: Protocol.Network.ResponseReceivedEvent): void {
    const load = requestId === loaderId ? this.#coming.get(loaderId) : undefined;
    if (load) load.status = response.status;
  }

  /** Notes bytes, which may be a document's. */
  dataCame({ requestId, dataLength }: Protocol.Network.DataReceivedEvent): void {
    const load = this.#loadOf(requestId);
    if (load) load.bytes += dataLength;
  }

  #loadOf(loaderId: string): DocumentLoad | undefined {
    const { document } = this;
    return document?.loaderId === loaderId ? document : this.#coming.get(loaderId);
  }

  #requested(reason: Protocol.Page.ClientNavigationReason, url: string): void {
    this.#requestedByPage = BY_PAGE.has(reason) ? url.split("#")[0] : undefined;
    this.#started();
  }

  #started(): void {
    this.navigating = true;
    this.navigations++;
    this.#events.changed();
  }

  #lifecycle(loaderId: string, name: string): void {
    const load = this.#loadOf(loaderId) ?? newDocument(loaderId);
    // For a document that is already shown, this event may come before its commit is known here.
    if (load !== this.document) this.#coming.set(loaderId, load);
    // A page that comes back from Chrome's cache is only said to be loaded.
    if (name === "DOMContentLoaded" || name === "load") load.interactive = true;
    if (name === "load") load.loaded = true;
    if (name === "load" && load === this.document) this.#events.loaded();
    else this.#events.changed();
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
