// Keeps the newest requests of a tab with what Chrome reports of them, within a bound. Bodies of answers stay in Chrome.
import type { CDPSession, Protocol } from "puppeteer-core";
import { keepNewest } from "../../proto/machine/newest.ts";
import {
  answerOf,
  boundedHeaders,
  type Headers,
  type LoggedRequest,
  loggedRequest,
  loggedSocket,
  noteFailure,
  noteMessage,
} from "./logged-request.ts";

const REQUESTS_MAX = 1_000;
/** Headers may come before the request that they belong to. */
const EARLY_MAX = 100;

/**
 * How much of the answers' bodies Chrome keeps for each process of a page. By itself it keeps several times as much,
 * which counts as the page's memory.
 */
export const KEPT_BODIES = { maxTotalBufferSize: 32_000_000, maxResourceBufferSize: 8_000_000 } as const;

type EventName = keyof typeof HANDLERS;

/** A tab's requests. */
export class RequestLog {
  readonly #mainFrameId: string;
  /** By their numbers. */
  readonly #requests = new Map<number, LoggedRequest>();
  /** By Chrome's id. A redirected request has several. */
  readonly #byId = new Map<string, LoggedRequest[]>();
  readonly #early = new Map<string, Headers>();
  #last = 0;

  constructor(mainFrameId: string) {
    this.#mainFrameId = mainFrameId;
  }

  /** All kept requests, oldest first. */
  get requests(): LoggedRequest[] {
    return [...this.#requests.values()];
  }

  /** How many requests were sent, with those that are no longer kept. */
  get count(): number {
    return this.#last;
  }

  /** Returns the request of that number. Undefined if there was none, or if it is no longer kept. */
  numbered(number: number): LoggedRequest | undefined {
    return this.#requests.get(number);
  }

  /** Listens to a process's or a worker's session. */
  watch(client: CDPSession): void {
    client.on("Network.requestWillBeSent", (event) => this.#sent(client, event));
    client.on("Network.webSocketCreated", (event) => this.#add(loggedSocket(this.#next(), client, event)));
    client.on("Network.requestWillBeSentExtraInfo", ({ requestId, headers }) =>
      this.#sentHeaders(requestId, headers),
    );
    client.on("Network.responseReceivedExtraInfo", ({ requestId, headers }) =>
      this.#cameHeaders(requestId, headers),
    );
    for (const name of Object.keys(HANDLERS) as EventName[])
      client.on(name, (event: { requestId: string }) => {
        const request = this.#newest(event.requestId);
        if (request) HANDLERS[name](request, event as never);
      });
  }

  #sent(client: CDPSession, event: Protocol.Network.RequestWillBeSentEvent): void {
    const { requestId, redirectResponse, request, timestamp } = event;
    // The content of these is in their address, and no server has a part in them.
    if (request.url.startsWith("data:") || isIcon(event)) return;
    const before = this.#newest(requestId);
    // The request of a frame's document may be reported by the frame's own process, too.
    if (before && !redirectResponse) {
      before.client = client;
      return;
    }
    const made = loggedRequest(this.#next(), client, event, this.#mainFrameId);
    if (before && redirectResponse) {
      before.answer = answerOf(redirectResponse);
      before.endedAtS = timestamp;
      before.redirectedTo = made.url;
    }
    this.#add(made);
  }

  #next(): number {
    return ++this.#last;
  }

  #add(request: LoggedRequest): void {
    const { number, chromeId } = request;
    const early = this.#early.get(chromeId);
    if (early) Object.assign(request, { sentHeaders: early, hasAllSentHeaders: true });
    this.#early.delete(chromeId);
    this.#byId.set(chromeId, [...(this.#byId.get(chromeId) ?? []), request]);
    const dropped = this.#requests.size >= REQUESTS_MAX ? this.#requests.values().next().value : undefined;
    keepNewest(this.#requests, number, request, REQUESTS_MAX);
    if (dropped) this.#forget(dropped);
  }

  #forget(request: LoggedRequest): void {
    const left = this.#byId.get(request.chromeId)?.filter((each) => each !== request) ?? [];
    if (left.length > 0) this.#byId.set(request.chromeId, left);
    else this.#byId.delete(request.chromeId);
  }

  #newest(chromeId: string): LoggedRequest | undefined {
    return this.#byId.get(chromeId)?.at(-1);
  }

  /** The headers that Chrome added come in an event of their own, for each redirect in order. */
  #sentHeaders(chromeId: string, headers: Headers): void {
    const request = this.#byId.get(chromeId)?.find(({ hasAllSentHeaders }) => !hasAllSentHeaders);
    const bounded = boundedHeaders(headers);
    if (request) Object.assign(request, { sentHeaders: bounded, hasAllSentHeaders: true });
    else keepNewest(this.#early, chromeId, bounded, EARLY_MAX);
  }

  #cameHeaders(chromeId: string, headers: Headers): void {
    const request = this.#byId.get(chromeId)?.find(({ allAnswerHeaders }) => !allAnswerHeaders);
    if (request) request.allAnswerHeaders = boundedHeaders(headers);
  }
}

/** Chrome asks every site for an icon by itself. A missing icon says nothing about the page. */
function isIcon({ type, request }: Protocol.Network.RequestWillBeSentEvent): boolean {
  return type === "Other" && request.url.endsWith("/favicon.ico");
}

/** Notes the events that follow a request's first one. */
const HANDLERS = {
  "Network.responseReceived": (request, { response, type }: Protocol.Network.ResponseReceivedEvent) => {
    request.answer = answerOf(response);
    request.type = type.toLowerCase();
  },
  "Network.requestServedFromCache": (request) => {
    request.isFromMemory = true;
  },
  "Network.dataReceived": (
    request,
    { encodedDataLength, dataLength }: Protocol.Network.DataReceivedEvent,
  ) => {
    request.bytes += encodedDataLength || dataLength;
    request.contentBytes += dataLength;
  },
  "Network.loadingFinished": (request, event: Protocol.Network.LoadingFinishedEvent) => {
    request.endedAtS = event.timestamp;
    if (event.encodedDataLength > 0) request.bytes = event.encodedDataLength;
  },
  "Network.loadingFailed": (request, event: Protocol.Network.LoadingFailedEvent) => {
    const { timestamp, errorText, canceled, blockedReason, corsErrorStatus } = event;
    request.endedAtS = timestamp;
    const why = blockedReason ?? corsErrorStatus?.corsError;
    noteFailure(request, canceled ? "cancelled" : [errorText, why && `(${why})`].filter(Boolean).join(" "));
  },
  "Network.webSocketWillSendHandshakeRequest": (
    request,
    event: Protocol.Network.WebSocketWillSendHandshakeRequestEvent,
  ) => {
    request.sentAtS = event.timestamp;
    request.sentHeaders = boundedHeaders(event.request.headers);
  },
  "Network.webSocketHandshakeResponseReceived": (
    request,
    { response }: Protocol.Network.WebSocketHandshakeResponseReceivedEvent,
  ) => {
    const { status, statusText, headers } = response;
    request.answer = answerOf({ status, statusText, headers, mimeType: "" } as Protocol.Network.Response);
  },
  "Network.webSocketFrameError": (request, { errorMessage }: Protocol.Network.WebSocketFrameErrorEvent) => {
    noteFailure(request, errorMessage);
  },
  "Network.webSocketClosed": (request, { timestamp }: Protocol.Network.WebSocketClosedEvent) => {
    request.endedAtS = timestamp;
  },
  "Network.webSocketFrameSent": (request, { response }: Protocol.Network.WebSocketFrameSentEvent) =>
    noteMessage(request, true, frameText(response)),
  "Network.webSocketFrameReceived": (request, { response }: Protocol.Network.WebSocketFrameReceivedEvent) =>
    noteMessage(request, false, frameText(response)),
  "Network.eventSourceMessageReceived": (
    request,
    { data }: Protocol.Network.EventSourceMessageReceivedEvent,
  ) => noteMessage(request, false, data),
} satisfies Record<string, (request: LoggedRequest, event: never) => void>;

/** A frame of text has opcode 1 (RFC 6455, 5.2). Chrome gives others in base64. */
function frameText({ opcode, payloadData }: Protocol.Network.WebSocketFrame): string {
  return opcode === 1 ? payloadData : `binary, ${Math.floor((payloadData.length * 3) / 4)} bytes`;
}
