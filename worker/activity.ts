// What a tab's main document is doing: navigations, and requests that somebody may be waiting for.
import type { CDPSession, Protocol } from "puppeteer-core";

/** A document on its way or arrived. */
export interface DocumentLoad {
  loaderId: string;
  status: number;
  redirects: number;
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

/** Counts what starts and ends; whoever waits is told of every change. */
export class Activity {
  /** Grows with each request and navigation that starts: a mark to compare with. */
  started = 0;
  /** A navigation of the main frame has been asked for and has neither committed nor failed. */
  navigating = false;
  document: DocumentLoad | undefined;
  readonly #requests = new Map<string, number>();
  readonly #coming = new Map<string, DocumentLoad>();
  readonly #waiters = new Set<() => void>();
  #mainFrameId: string | undefined;

  /** Requests under way that started after the mark. */
  requestsSince(mark: number): number {
    return [...this.#requests.values()].filter((started) => started > mark).length;
  }

  /** Resolves at the next change. */
  changed(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiters.add(resolve);
    return promise;
  }

  /** Tells everybody who waits that something changed. */
  tell(): void {
    const waiters = [...this.#waiters];
    this.#waiters.clear();
    for (const resolve of waiters) resolve();
  }

  /** Listens to a process's session. The main frame's id tells its navigations from those of others. */
  watch(client: CDPSession, mainFrameId: string): void {
    this.#mainFrameId ??= mainFrameId;
    const onMain = (frameId: string, then: () => void) => frameId === this.#mainFrameId && then();
    client.on("Network.requestWillBeSent", (event) => this.#requestSent(event));
    client.on("Network.responseReceived", (event) => this.#responded(event));
    client.on("Network.loadingFinished", ({ requestId }) => this.#requestEnded(requestId));
    client.on("Network.loadingFailed", ({ requestId }) => this.#requestEnded(requestId));
    client.on("Page.frameRequestedNavigation", ({ frameId, disposition }) =>
      onMain(frameId, () => disposition === "currentTab" && this.#navigationStarted()),
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

  /** The main frame shows the document of this loader. */
  committed(loaderId: string): void {
    this.document = this.#coming.get(loaderId) ?? newDocument(loaderId);
    this.#coming.clear();
    this.navigating = false;
    this.tell();
  }

  #requestSent({
    requestId,
    loaderId,
    type,
    redirectResponse,
    frameId,
  }: Protocol.Network.RequestWillBeSentEvent): void {
    if (type === "Document" && requestId === loaderId && frameId === this.#mainFrameId) {
      const load = this.#coming.get(loaderId) ?? newDocument(loaderId);
      if (redirectResponse) load.redirects++;
      this.#coming.set(loaderId, load);
      return;
    }
    if (redirectResponse || NOT_WAITED_FOR.has(type ?? "Other")) return;
    this.#requests.set(requestId, ++this.started);
    this.tell();
  }

  #responded({ requestId, loaderId, response }: Protocol.Network.ResponseReceivedEvent): void {
    const load = requestId === loaderId ? this.#coming.get(loaderId) : undefined;
    if (load) load.status = response.status;
  }

  #requestEnded(requestId: string): void {
    if (this.#requests.delete(requestId)) this.tell();
  }

  #navigationStarted(): void {
    this.navigating = true;
    this.started++;
    this.tell();
  }

  #navigationEnded(): void {
    this.navigating = false;
    this.tell();
  }

  #lifecycle(loaderId: string, name: string): void {
    const load = this.document?.loaderId === loaderId ? this.document : this.#coming.get(loaderId);
    if (!load) return;
    if (name === "DOMContentLoaded") load.interactive = true;
    if (name === "load") load.loaded = true;
    this.tell();
  }
}

function newDocument(loaderId: string): DocumentLoad {
  return { loaderId, status: 0, redirects: 0, interactive: false, loaded: false };
}
