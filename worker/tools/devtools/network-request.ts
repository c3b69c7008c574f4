// browser_network_request: shows one request with its headers, bodies and times. Secrets are redacted.
import { fail } from "../../../proto/errors/catalogue.ts";
import type { NetworkRequestRequest } from "../../../proto/gen/troupe.ts";
import {
  isSecretName,
  REDACTED,
  withoutSecretForms,
  withoutSecretsInAddress,
} from "../../../proto/text/secrets.ts";
import type { Headers, LoggedRequest } from "../../network/logged-request.ts";
import { tokensFor } from "../../snapshot/profile-words.ts";
import { quote, shownUrl } from "../../snapshot/quote.ts";
import { quotedLines } from "../../snapshot/quoted-lines.ts";
import type { Page } from "../../tab/page.ts";
import type { ToolHandler } from "../tool.ts";
import { keptTab } from "./kept-tab.ts";
import { type Body, cameBody, sentBody, withoutSecrets } from "./request-body.ts";
import { infoOf, requestLine } from "./request-words.ts";

const CHARACTERS_PER_TOKEN = 4;
/** Without a budget, a body has this many characters at most. A reply is a message of at most 4 MiB. */
const BODY_LENGTH_MAX = 500_000;

export const networkRequest: ToolHandler<"NetworkRequest"> = async (request, context) => {
  const page = await keptTab(request.tab, context);
  const logged = requestNamed(request.id, page);
  const has = partsOf(request);
  const isSocket = logged.request.type === "websocket";
  const [sent, came] = await Promise.all([
    has.request && !isSocket ? sentBody(logged.page, logged.request) : undefined,
    has.response && !isSocket ? cameBody(logged.page, logged.request) : undefined,
  ]);
  const { tab } = logged.page;
  const headers = headersOf(logged.request);
  const room = bodyRoom(logged.page, [sent, came]);
  const text = [
    requestLine(logged.request, tab),
    `Address: ${shownUrl(withoutSecretsInAddress(logged.request.url))}`,
    ...(has.headers
      ? [...headerLines("Request", headers.sent), ...headerLines("Response", headers.came)]
      : []),
    ...(sent ? bodyLines("Request body", sent, room) : []),
    ...(has.response ? messageLines(logged.request) : []),
    ...(came ? bodyLines("Response body", came, room) : []),
    ...(has.timing ? timingLines(logged.request) : []),
  ].join("\n");
  return {
    text,
    request: infoOf(logged.request, tab),
    requestHeaders: has.headers ? headers.sent : {},
    responseHeaders: has.headers ? headers.came : {},
    requestBody: textOf(sent, room),
    responseBody: textOf(came, room),
    shown: logged.page,
  };
};

function requestNamed(id: string, page: Page | undefined): { page: Page; request: LoggedRequest } {
  const [, digits] = /^\s*r?(\d{1,9})\s*$/i.exec(id) ?? [];
  const number = Number(digits);
  const request = digits === undefined ? undefined : page?.tab.requests.numbered(number);
  if (page && request) return { page, request };
  const count = page?.tab.requests.count ?? 0;
  const wasThere = digits !== undefined && number >= 1 && number <= count;
  throw fail("INVALID_ARGUMENT", {
    argument: "id",
    problem: wasThere ? "that request is no longer kept" : "there is no request with that id in this tab",
    hint: "with an id that browser_network_requests lists",
    example: "r12",
  });
}

function partsOf({ part = "REQUEST_PART_UNSPECIFIED" }: NetworkRequestRequest) {
  const isAll = part === "REQUEST_PART_UNSPECIFIED";
  return {
    headers: isAll || part === "REQUEST_PART_HEADERS",
    request: isAll || part === "REQUEST_PART_REQUEST",
    response: isAll || part === "REQUEST_PART_RESPONSE",
    timing: part === "REQUEST_PART_TIMING",
  };
}

/** Returns the headers without their secrets. */
function headersOf({ sentHeaders, answer, allAnswerHeaders }: LoggedRequest) {
  return { sent: redacted(sentHeaders), came: redacted(allAnswerHeaders ?? answer?.headers ?? {}) };
}

const ADDRESSES: ReadonlySet<string> = new Set([
  "location",
  "referer",
  "content-location",
  "sourcemap",
  "refresh",
]);

function redacted(headers: Headers): Record<string, string> {
  const named = Object.entries(headers).filter(([name]) => !name.startsWith(":"));
  return Object.fromEntries(named.map(([name, value]) => [name, headerValue(name, value)]));
}

/** The names of cookies are no secrets, but their values are. */
function headerValue(name: string, value: string): string {
  if (name === "cookie") return value.replace(/=[^;]*/g, `=${REDACTED}`);
  if (name === "set-cookie") return value.replace(/^([^=;\n]*)=[^;\n]*/gm, `$1=${REDACTED}`);
  if (name === "authorization" || name === "proxy-authorization")
    return value.replace(/(?<=^\S+\s).*|^\S+$/s, REDACTED);
  if (isSecretName(name)) return REDACTED;
  return ADDRESSES.has(name) ? withoutSecretsInAddress(value) : withoutSecretForms(value);
}

function headerLines(whose: string, headers: Record<string, string>): string[] {
  const lines = Object.entries(headers).map(
    ([name, value]) => `> ${quote(name).slice(1, -1)}: ${quote(value)}`,
  );
  return [`${whose} headers:${lines.length === 0 ? " none are known" : ""}`, ...lines];
}

/** Returns how many characters each body has. */
function bodyRoom({ call }: Page, bodies: readonly (Body | undefined)[]): number {
  const tokens = tokensFor(call);
  const shown = bodies.filter((body) => body && "text" in body).length;
  const room =
    tokens === 0 ? BODY_LENGTH_MAX : Math.round((tokens * CHARACTERS_PER_TOKEN * 0.8) / Math.max(1, shown));
  return Math.min(room, BODY_LENGTH_MAX);
}

function textOf(body: Body | undefined, room: number): string {
  return body && "text" in body ? body.text.slice(0, room) : "";
}

function bodyLines(name: string, body: Body, room: number): string[] {
  if ("none" in body) return [`${name}: ${body.none}`];
  const length = body.text.length.toLocaleString("en-US");
  const shown =
    body.text.length > room
      ? `the first ${room.toLocaleString("en-US")} of ${length} characters`
      : `${length} characters`;
  return [`${name} (${shown}):`, quotedLines(body.text, room)];
}

function messageLines({ stream }: LoggedRequest): string[] {
  if (!stream) return [];
  const lines = stream.newest.map(
    ({ sent, text }) => `${sent ? "sent" : "received"}: ${quote(withoutSecrets(text, ""))}`,
  );
  return [`The newest of ${stream.sent + stream.came} messages:`, ...lines];
}

/** Chrome counts milliseconds from the time at which the request was sent. */
function timingLines({ answer, sentAtS, endedAtS }: LoggedRequest): string[] {
  const timing = answer?.timing;
  if (!timing) return ["Timing: Chrome gives none for this request"];
  const between = (name: string, from: number, to: number) =>
    from >= 0 && to >= from ? [`${name}: ${(to - from).toFixed(1)} ms`] : [];
  const endMs = endedAtS === undefined ? -1 : (endedAtS - timing.requestTime) * 1_000;
  return [
    ...between("Waited before it was sent", 0, Math.max(0, (timing.requestTime - sentAtS) * 1_000)),
    ...between("DNS", timing.dnsStart, timing.dnsEnd),
    ...between("Connecting", timing.connectStart, timing.connectEnd),
    ...between("TLS", timing.sslStart, timing.sslEnd),
    ...between("Sending", timing.sendStart, timing.sendEnd),
    ...between("Waiting for the server", timing.sendEnd, timing.receiveHeadersEnd),
    ...between("Receiving", timing.receiveHeadersEnd, endMs),
  ];
}
