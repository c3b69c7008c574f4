// Follows everything that an action waits for before its reply.
import type { CDPSession, Protocol } from "puppeteer-core";
import { type DocumentLoad, MainFrame } from "./main-frame.ts";
import { PageWorkers } from "./page-workers.ts";
import { type Cause, Reaction } from "./reaction.ts";
import { type Came, type Ending, type Lingering, Requests } from "./requests.ts";
import { IN_VAIN_MAX, Streams } from "./streams.ts";
import { Waiters } from "./waiters.ts";

export interface ReactOptions {
  resumes?: boolean;
  over?: () => void;
}

/** A poll that is answered this often within a second chatters: the page is never quiet between its answers. */
const POLLS_PER_S = 4;

/** Follows what begins and ends. Every change wakes the waiting calls. */
export class Activity {
  readonly main = new MainFrame({ changed: () => this.wake(), loaded: () => this.#caused("arrival") });
  readonly workers = new PageWorkers();
  readonly streams = new Streams();
  readonly #requests = new Requests();
  readonly #reactions = new Set<Reaction>();
  /**
   * How many requests had been sent before the action that a dialog interrupted last. Undefined after the next action
   * began.
   */
  #interruptedAt: number | undefined;
  /** How many actions had a request that no held request's answer followed. */
  #pollsInVain = 0;
  readonly #waiters = new Waiters();

  /**
   * Begins an action. It ends when the reaction is disposed of, which calls `over`. `resumes`: it also waits for what
   * the interrupted action began, before its dialog.
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
   * Returns when the last awaited thing is given up, by `performance.now()`. Infinite if only the reaction's own time
   * ends it. Undefined if it waits for nothing.
   */
  awaitedUntilMs(reaction: Reaction): number | undefined {
    const request = this.#requests.awaitedUntilMs(reaction);
    const message = this.streams.awaitedUntilMs(reaction);
    return request === undefined ? message : Math.max(request, message ?? 0);
  }

  /** Returns true if a request's result may come another way: over a stream, or over a request held open. */
  mayFollow(reaction: Reaction): boolean {
    const isPolling = this.#pollsInVain < IN_VAIN_MAX && this.#requests.anyBefore(reaction);
    return isPolling || this.streams.mayFollow;
  }

  /** Notes that nothing followed an action's request. */
  didNotFollow(): void {
    this.#pollsInVain++;
    this.streams.didNotFollow();
  }

  /** Notes that the wait for the reaction has ended. */
  settled(reaction: Reaction, ending: Ending): void {
    if (ending === "interrupted") this.#interruptedAt = reaction.sentBefore;
    this.#requests.settled(reaction, ending);
  }

  /** Returns the requests whose actions did not wait for their end. */
  lingering(pageUrl: string): Lingering[] {
    return this.#requests.lingering(pageUrl);
  }

  /** True if a navigation of the main frame has been asked for and has neither committed nor failed. */
  get navigating(): boolean {
    return this.main.navigating;
  }

  get document(): DocumentLoad | undefined {
    return this.main.document;
  }

  /** Resolves at the next change, or when the signal aborts. */
  changed(signal?: AbortSignal): Promise<void> {
    return this.#waiters.next(signal);
  }

  /** Wakes all waiting calls because something changed. */
  wake(): void {
    this.#waiters.wake();
  }

  /** Listens to a process's session. The main frame's id sets its navigations apart from those of other frames. */
  watch(client: CDPSession, mainFrameId: string): void {
    this.#watchNetwork(client);
    this.main.watch(client, mainFrameId);
  }

  /** Listens to a dedicated worker's session, which reports the end of its script and its requests. */
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
      if (this.streams.sent(requestId, this.#reactions)) this.wake();
    });
    client.on("Network.webSocketFrameReceived", ({ requestId }) => this.#messageCame(requestId));
    client.on("Network.webSocketClosed", ({ requestId }) => this.streams.closed(requestId));
    client.on("Network.eventSourceMessageReceived", ({ requestId }) => this.#messageCame(requestId));
  }

  /** Notes that the main frame shows the document of this loader. */
  committed(loaderId: string): void {
    this.main.committed(loaderId);
    this.#requests.committed(loaderId);
    this.streams.clear();
    this.#pollsInVain = 0;
    for (const reaction of this.#reactions) reaction.documents++;
    this.#caused("arrival");
  }

  /** Notes that a process's or a worker's session has ended, so that nothing more comes from it. */
  unwatch(client: CDPSession): void {
    this.#requests.unwatched(client);
    this.streams.unwatched(client);
    this.workers.remove(client);
    this.wake();
  }

  #caused(cause: Cause, by = ""): void {
    for (const reaction of this.#reactions) reaction.caused(cause, by);
    this.wake();
  }

  #requestSent(client: CDPSession, event: Protocol.Network.RequestWillBeSentEvent): void {
    if (this.main.sent(event)) return;
    const { requestId, type } = event;
    if (type === "EventSource") this.streams.opened(requestId, client);
    if (this.#requests.began(client, event, this.#reactions)) this.wake();
    const poll = this.#requests.pollOver(event, this.#reactions);
    if (poll !== undefined && this.streams.sent(this.#streamOf(client, poll), this.#reactions)) this.wake();
  }

  #responded(client: CDPSession, event: Protocol.Network.ResponseReceivedEvent): void {
    this.main.answered(event);
    const { requestId, response } = event;
    if (response.mimeType === "text/event-stream")
      this.streams.opened(requestId, client, { isInParts: true });
    const came = this.#requests.answered(event, this.#reactions);
    if (came) this.#answered(came);
  }

  #dataReceived(event: Protocol.Network.DataReceivedEvent): void {
    this.main.dataCame(event);
    const { requestId } = event;
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

  #pollAnswered(client: CDPSession, poll: string, { cause, by }: Came): void {
    if (this.streams.came(this.#streamOf(client, poll))) this.#caused(cause, by);
  }

  /** Treats a poll as a kind of stream: it too may chatter or be silent. Returns the stream's id. */
  #streamOf(client: CDPSession, poll: string): string {
    const id = `poll ${poll}`;
    this.streams.opened(id, client, { isPoll: true, chatterPerS: POLLS_PER_S });
    return id;
  }

  #answered({ cause, by }: Came): void {
    for (const reaction of this.#reactions) reaction.answers++;
    this.#caused(cause, by);
  }

  #messageCame(requestId: string): void {
    if (this.streams.came(requestId)) this.#caused("message");
  }
}
