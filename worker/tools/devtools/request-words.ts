// Writes a request in brief. Secrets in its address are redacted.
import type { NetworkRequestInfo } from "../../../proto/gen/troupe.ts";
import { withoutSecretsInAddress } from "../../../proto/text/secrets.ts";
import type { LoggedRequest } from "../../network/logged-request.ts";
import { quote, shownText, shownUrl } from "../../snapshot/quote.ts";
import type { Tab } from "../../tab/tab.ts";

/** Returns the request's id, such as `r12`. */
export function idOf({ number }: LoggedRequest): string {
  return `r${number}`;
}

/** Returns the request as a program reads it. */
export function infoOf(request: LoggedRequest, tab: Tab): NetworkRequestInfo {
  const { method, url, type, answer, bytes } = request;
  return {
    id: idOf(request),
    method,
    url: withoutSecretsInAddress(url),
    status: answer?.status ?? 0,
    type,
    mimeType: answer?.mimeType ?? "",
    size: bytes,
    timeMs: Math.round(timeMs(request)),
    failure: failureOf(request, tab),
    pending: isPending(request),
  };
}

/** For example: `r12 GET /api/orders 200 fetch json 1.2 kB 34 ms`. The host is left out if it is the page's. */
export function requestLine(request: LoggedRequest, tab: Tab): string {
  const { id, method, type, status, mimeType, size, failure, pending } = infoOf(request, tab);
  const { stream, redirectedTo, answer } = request;
  const kind = mimeType.replace(/^.*[/+]/, "").replace(/^(?:x-)?javascript$/, "js");
  const outcome = failure ? `failed: ${shownText(failure)}` : pending && !stream ? "pending" : "";
  const streamed = stream
    ? `${stream.sent} sent, ${stream.came} received${pending ? ", open" : ", closed"}`
    : "";
  return [
    id,
    method,
    `${addressOf(request, tab)}${operationOf(request)}`,
    status === 0 ? "" : String(status),
    type,
    kind === "" || kind === type ? "" : shownText(kind),
    size > 0 ? bytesText(size) : "",
    stream ? "" : `${Math.round(timeMs(request)).toLocaleString("en-US")} ms`,
    answer?.from || (request.isFromMemory ? "cache" : ""),
    streamed,
    redirectedTo === undefined ? "" : `to ${shownUrl(withoutSecretsInAddress(redirectedTo))}`,
    outcome,
  ]
    .filter((part) => part !== "")
    .join(" ");
}

/** Returns true if nothing has ended the request yet. */
export function isPending({ endedAtS, failure }: LoggedRequest): boolean {
  return endedAtS === undefined && failure === undefined;
}

/** Returns why the request failed, or "". The role's policy is named if it refused the request. */
export function failureOf({ failure = "", url }: LoggedRequest, { owner: { wall } }: Tab): string {
  const reason = wall.connections.behind(failure, url)?.reason;
  return reason ? `the role's policy refused it: ${reason}` : wall.connections.inPlainWords(failure, url);
}

export function bytesText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  const [size, unit] = bytes < 1_000_000 ? [bytes / 1_000, "kB"] : [bytes / 1_000_000, "MB"];
  return `${size.toFixed(1)} ${unit}`;
}

function timeMs({ sentAtS, endedAtS, seenAtMs }: LoggedRequest): number {
  if (endedAtS === undefined) return performance.now() - seenAtMs;
  return sentAtS === 0 ? 0 : Math.max(0, (endedAtS - sentAtS) * 1_000);
}

function addressOf({ url, isNavigation }: LoggedRequest, tab: Tab): string {
  const shown = shownUrl(withoutSecretsInAddress(url));
  if (isNavigation || !URL.canParse(tab.url) || !URL.canParse(url)) return shown;
  const { origin } = new URL(tab.url);
  return origin !== "null" && new URL(url).origin === origin ? shown.slice(origin.length) || "/" : shown;
}

const OPERATION_LENGTH_MAX = 80;

/** GraphQL and JSON-RPC send all requests to one address. Only their names differ. */
function operationOf({ method, body = "" }: LoggedRequest): string {
  if (method !== "POST" || !/^\s*[[{]/.test(body)) return "";
  const operation = /"operationName"\s*:\s*"([^"\\]+)"/.exec(body)?.[1];
  const inQuery = /"query"\s*:\s*"(?:\s|\\n)*((?:query|mutation|subscription)\s+\w+)/.exec(body)?.[1];
  const rpc = /"jsonrpc"/.test(body) ? /"method"\s*:\s*"([^"\\]+)"/.exec(body)?.[1] : undefined;
  const name = inQuery ?? operation ?? rpc;
  return name === undefined ? "" : ` ${quote(name, OPERATION_LENGTH_MAX)}`;
}
