// Reads the bodies of a request, and writes them without secrets.
import type { Protocol } from "puppeteer-core";
import {
  withoutSecretForms,
  withoutSecretsInForm,
  withoutSecretsInHtml,
  withoutSecretsInJson,
  withoutSecretsInParts,
} from "../../../proto/text/secrets.ts";
import { FrameTimeout, withinTime } from "../../core/frame-time.ts";
import type { LoggedRequest } from "../../network/logged-request.ts";
import type { Page } from "../../tab/page.ts";
import { bytesText, isPending } from "./request-words.ts";

/** A body as text, or the reason why none can be shown. */
export type Body = { text: string; type: string } | { none: string };

/** A page that does not run cannot give its bodies. */
const BODY_MS_MAX = 3_000;
/** Longer texts are cut before secrets are looked for. */
const READ_LENGTH_MAX = 300_000;
const NO_LONGER =
  "no longer available: Chrome keeps bodies of the present page only, and neither blobs nor those above 8 MB";
/** Chrome's words for a body that it has thrown away. */
const NOT_KEPT = /No (?:resource|data) (?:with|found)|evicted|not found|Session closed|Target closed|closed/i;

/** Returns the body that was sent. */
export async function sentBody(page: Page, request: LoggedRequest): Promise<Body> {
  const { body, hasBody, client, chromeId, sentHeaders } = request;
  const type = headerOf(sentHeaders, "content-type");
  if (body !== undefined) return { text: withoutSecrets(body, type), type };
  if (!hasBody) return { none: "none was sent" };
  const asked = () => client.send("Network.getRequestPostData", { requestId: chromeId });
  const answer = await unlessGone(page, asked);
  return "none" in answer ? answer : { text: withoutSecrets(answer.postData, type), type };
}

/** Returns the body that came. */
export async function cameBody(page: Page, request: LoggedRequest): Promise<Body> {
  const { client, chromeId, answer, failure, redirectedTo } = request;
  if (redirectedTo !== undefined) return { none: "the answer was a redirect" };
  if (failure !== undefined && !answer) return { none: "no answer came" };
  if (isPending(request)) return { none: "it has not come whole yet" };
  const asked = () => client.send("Network.getResponseBody", { requestId: chromeId });
  const got = await unlessGone(page, asked);
  return "none" in got ? got : decoded(got, request);
}

function decoded(
  { body, base64Encoded }: Protocol.Network.GetResponseBodyResponse,
  { answer, contentBytes }: LoggedRequest,
): Body {
  const type = answer?.mimeType ?? "";
  // Chrome passes blobs on without keeping them.
  if (body === "") return { none: contentBytes > 0 ? NO_LONGER : "it is empty" };
  const isBinary = base64Encoded && !isTextual(type);
  if (isBinary) return { none: `it is binary: ${type || "of no type"}, ${bytesText(contentBytes)}` };
  const text = base64Encoded ? Buffer.from(body, "base64").toString("utf8") : body;
  return { text: withoutSecrets(text, type), type };
}

async function unlessGone<T extends object>(
  page: Page,
  ask: () => Promise<T>,
): Promise<T | { none: string }> {
  const { dialog } = page.tab;
  if (dialog)
    return { none: `a dialog (${dialog.type}) is open, and Chrome gives no body until it is answered` };
  try {
    return await page.during(withinTime(ask, BODY_MS_MAX));
  } catch (error) {
    if (error instanceof FrameTimeout)
      return { none: "the page does not answer, so Chrome does not give it" };
    if (error instanceof Error && error.name.endsWith("Error") && NOT_KEPT.test(error.message))
      return { none: NO_LONGER };
    throw error;
  }
}

/** Returns a body without its secrets, by its type. */
export function withoutSecrets(whole: string, type: string): string {
  const text = whole.slice(0, READ_LENGTH_MAX);
  if (/json/i.test(type) || /^\s*[[{]/.test(text)) return withoutSecretsInJson(text);
  if (/x-www-form-urlencoded/i.test(type)) return withoutSecretsInForm(text);
  if (/multipart/i.test(type)) return withoutSecretsInParts(text);
  return /html|xml/i.test(type) ? withoutSecretsInHtml(text) : withoutSecretForms(text);
}

function isTextual(type: string): boolean {
  return /^text\/|json|xml|javascript|ecmascript|x-www-form-urlencoded|graphql|yaml|csv/i.test(type);
}

function headerOf(headers: Readonly<Record<string, string>>, name: string): string {
  return headers[name] ?? "";
}
