// Fetches an issuer's metadata (OpenID Connect Discovery, RFC 8414) and its keys (RFC 7517).
import type { JSONWebKeySet } from "jose";
import { isObject } from "../../../proto/wire/struct.ts";
import { isConfidential } from "../../config-schema/client-definitions.ts";

/** The issuer's keys cannot be had. The message says why, in words for the operator. */
export class IssuerFault extends Error {}

const BYTES_MAX = 256 * 1024;
const KEYS_MAX = 100;
const ANSWER_MS_MAX = 10_000;

/** Resolves with the issuer's keys. Rejects with an IssuerFault. */
export async function fetchKeySet(issuer: string, signal?: AbortSignal): Promise<JSONWebKeySet> {
  const bound = AbortSignal.any([AbortSignal.timeout(ANSWER_MS_MAX), ...(signal ? [signal] : [])]);
  const address = keysAddress(await metadataOf(issuer, bound), issuer);
  const { keys } = await jsonFrom(address, bound);
  if (!Array.isArray(keys) || keys.length > KEYS_MAX || !keys.every(isObject))
    throw new IssuerFault(`${address} is no JSON Web Key Set with at most ${KEYS_MAX} keys`);
  return { keys } as JSONWebKeySet;
}

/** Asks as OpenID Connect has it, and if there is nothing, as RFC 8414 has it. */
async function metadataOf(issuer: string, signal: AbortSignal): Promise<Record<string, unknown>> {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, "");
  const first = `${origin}${path}/.well-known/openid-configuration`;
  try {
    return await jsonFrom(first, signal);
  } catch (error) {
    if (!(error instanceof IssuerFault) || error.cause !== NOT_FOUND) throw error;
    return await jsonFrom(`${origin}/.well-known/oauth-authorization-server${path}`, signal);
  }
}

function keysAddress({ issuer: named, jwks_uri: address }: Record<string, unknown>, issuer: string): string {
  if (named !== issuer)
    throw new IssuerFault(
      `its metadata names ${typeof named === "string" ? `the issuer ${shown(named)}` : "no issuer"}, and oidc.issuer is ${issuer}; they must be equal`,
    );
  if (typeof address !== "string")
    throw new IssuerFault("its metadata has no jwks_uri, the address of its keys");
  // The address is repeated in faults, which operators and clients read.
  if (!/^[\x21-\x7e]{1,2000}$/.test(address) || !URL.canParse(address))
    throw new IssuerFault("its metadata has a jwks_uri that is no address");
  // An issuer elsewhere has no business with addresses of this machine.
  if (!address.startsWith("https:") && !(issuer.startsWith("http:") && isConfidential(address)))
    throw new IssuerFault("its metadata has a jwks_uri that is not https");
  return address;
}

const NOT_FOUND = 404;

/** Resolves with the JSON object at the address. It follows no redirect. */
async function jsonFrom(address: string, signal: AbortSignal): Promise<Record<string, unknown>> {
  try {
    const answer = await fetch(address, {
      redirect: "manual",
      signal,
      headers: { accept: "application/json" },
    });
    if (!answer.ok) {
      await answer.body?.cancel();
      throw new IssuerFault(`${address} ${statusWords(answer)}`, { cause: answer.status });
    }
    const found = JSON.parse(await boundedText(answer, address));
    if (isObject(found)) return found;
    throw new IssuerFault(`${address} answers with no JSON object`);
  } catch (error) {
    throw error instanceof IssuerFault
      ? error
      : new IssuerFault(`${address} ${wordsOf(error)}`, { cause: error });
  }
}

function statusWords({ status, type }: Response): string {
  const redirects = type === "opaqueredirect" || (status >= 300 && status < 400);
  return redirects ? "redirects, which is not followed" : `answers with status ${status}`;
}

async function boundedText({ body }: Response, address: string): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body ?? []) {
    size += part.length;
    if (size > BYTES_MAX) throw new IssuerFault(`${address} answers with more than ${BYTES_MAX / 1024} KiB`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

function wordsOf(error: unknown): string {
  if (error instanceof SyntaxError) return "answers with no JSON";
  const { name, cause } = error as Error & { cause?: { code?: string; message?: string } };
  if (name === "TimeoutError") return `does not answer within ${ANSWER_MS_MAX / 1000} s`;
  return `does not answer (${cause?.code ?? cause?.message ?? name})`;
}

/** The issuer's text may hold anything. */
function shown(text: string): string {
  return JSON.stringify(text.slice(0, 300));
}
