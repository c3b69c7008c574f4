// Holds what is known of one request of a page.
import type { CDPSession, Protocol } from "puppeteer-core";
import { copied, cut } from "../../proto/text/quote.ts";

export type Headers = Readonly<Record<string, string>>;

/** A message of a WebSocket or an event stream. */
export interface StreamMessage {
  sent: boolean;
  text: string;
}

/** A request, from its beginning on. Its times are seconds of Chrome's clock, but for `seenAtMs`. */
export interface LoggedRequest {
  /** Counts the requests of the tab. */
  number: number;
  /** Chrome's id, which a redirected request keeps. */
  chromeId: string;
  client: CDPSession;
  /** It asks for a document of the main frame. */
  isNavigation: boolean;
  method: string;
  url: string;
  /** Chrome's type in lower case, such as `fetch`. */
  type: string;
  sentHeaders: Headers;
  /** The headers are those that were sent, with what Chrome added. */
  hasAllSentHeaders: boolean;
  /** The body as text, cut. Undefined if there is none, or if Chrome did not send it. */
  body: string | undefined;
  hasBody: boolean;
  sentAtS: number;
  /** When it was reported, by `performance.now()`. */
  seenAtMs: number;
  answer: Answer | undefined;
  /** The answer's headers as they came, with what Chrome keeps from pages, such as cookies. */
  allAnswerHeaders: Headers | undefined;
  isFromMemory: boolean;
  /** How many bytes came, as they were sent. */
  bytes: number;
  /** How many bytes the body had, without compression. */
  contentBytes: number;
  endedAtS: number | undefined;
  /** Chrome's error, or the reason why it refused the request. */
  failure: string | undefined;
  redirectedTo: string | undefined;
  /** Only for a WebSocket or an event stream. */
  stream: { sent: number; came: number; newest: StreamMessage[] } | undefined;
}

/** The head of an answer. */
export interface Answer {
  status: number;
  statusText: string;
  mimeType: string;
  headers: Headers;
  protocol: string;
  /** Where it came from, if not from its server: `cache` or `service worker`. */
  from: "" | "cache" | "service worker";
  timing: Protocol.Network.ResourceTiming | undefined;
}

const METHOD_LENGTH_MAX = 40;
const URL_LENGTH_MAX = 2_000;
const BODY_LENGTH_MAX = 16_000;
const HEADERS_MAX = 60;
const HEADER_LENGTH_MAX = 1_000;
/** All headers of a message together, because a page may send many long ones with each of its requests. */
const HEADERS_LENGTH_MAX = 8_000;
const FAILURE_LENGTH_MAX = 300;
const MESSAGES_MAX = 10;
const MESSAGE_LENGTH_MAX = 500;

/** Returns what a request's first event says. */
export function loggedRequest(
  number: number,
  client: CDPSession,
  {
    requestId,
    loaderId,
    request,
    type = "Other",
    timestamp,
    frameId,
  }: Protocol.Network.RequestWillBeSentEvent,
  mainFrameId: string,
): LoggedRequest {
  return {
    ...newRequest(number, client, requestId),
    isNavigation: type === "Document" && requestId === loaderId && frameId === mainFrameId,
    method: bounded(request.method, METHOD_LENGTH_MAX),
    url: bounded(request.url + (request.urlFragment ?? ""), URL_LENGTH_MAX),
    type: type.toLowerCase(),
    sentHeaders: boundedHeaders(request.headers),
    body: request.postData === undefined ? undefined : bounded(request.postData, BODY_LENGTH_MAX),
    hasBody: request.hasPostData === true,
    sentAtS: timestamp,
    ...(type === "EventSource" && { stream: newStream() }),
  };
}

/** Returns what the first event of a WebSocket says, which has no time. */
export function loggedSocket(
  number: number,
  client: CDPSession,
  { requestId, url }: Protocol.Network.WebSocketCreatedEvent,
): LoggedRequest {
  const stream = newStream();
  return {
    ...newRequest(number, client, requestId),
    url: bounded(url, URL_LENGTH_MAX),
    type: "websocket",
    stream,
  };
}

function newRequest(number: number, client: CDPSession, chromeId: string): LoggedRequest {
  return {
    number,
    chromeId,
    client,
    isNavigation: false,
    method: "GET",
    url: "",
    type: "other",
    sentHeaders: {},
    hasAllSentHeaders: false,
    body: undefined,
    hasBody: false,
    sentAtS: 0,
    seenAtMs: performance.now(),
    answer: undefined,
    allAnswerHeaders: undefined,
    isFromMemory: false,
    bytes: 0,
    contentBytes: 0,
    endedAtS: undefined,
    failure: undefined,
    redirectedTo: undefined,
    stream: undefined,
  };
}

const newStream = () => ({ sent: 0, came: 0, newest: [] });

/** Returns the head of an answer. */
export function answerOf(response: Protocol.Network.Response): Answer {
  const { status, statusText, mimeType, headers, protocol = "", timing } = response;
  const isCached = response.fromDiskCache === true || response.fromPrefetchCache === true;
  return {
    status,
    statusText: bounded(statusText, 100),
    mimeType: bounded(mimeType, 100),
    headers: boundedHeaders(headers),
    protocol,
    from: response.fromServiceWorker === true ? "service worker" : isCached ? "cache" : "",
    timing,
  };
}

/** Notes a message. Only the newest ones are kept. */
export function noteMessage(request: LoggedRequest, sent: boolean, text: string): void {
  request.stream ??= newStream();
  const { stream } = request;
  if (sent) stream.sent++;
  else stream.came++;
  stream.newest = [
    ...stream.newest.slice(1 - MESSAGES_MAX),
    { sent, text: bounded(text, MESSAGE_LENGTH_MAX) },
  ];
}

/** Notes why the request failed. Chrome's words may hold some of the page's. */
export function noteFailure(request: LoggedRequest, words: string): void {
  request.failure = bounded(words, FAILURE_LENGTH_MAX);
}

export function boundedHeaders(headers: Headers): Headers {
  let left = HEADERS_LENGTH_MAX;
  const kept: [name: string, value: string][] = [];
  for (const [name, value] of Object.entries(headers).slice(0, HEADERS_MAX)) {
    if (left <= 0) break;
    const text = bounded(value, Math.min(HEADER_LENGTH_MAX, left));
    kept.push([bounded(name.toLowerCase(), 100), text]);
    left -= name.length + text.length;
  }
  return Object.fromEntries(kept);
}

function bounded(text: string, length: number): string {
  return text.length <= length ? text : copied(cut(text, length));
}
