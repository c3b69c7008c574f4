// Keeps other sites away from the console by its headers, and by checks of requests that a browser is led to.
import type { FastifyReply, FastifyRequest } from "fastify";
import { fail } from "../../proto/errors/catalogue.ts";
import { originAllowed } from "../http/host-check.ts";
import { Problem } from "../http/problem.ts";

/** The page sends it with each request that changes something. Forms and links of other sites cannot. */
const CONSOLE_HEADER = "x-troupe-console";

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join("; ");

const HEADERS = {
  "content-security-policy": POLICY,
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

/** Sets the headers of every answer of the console, errors too. */
export async function secure(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.headers(HEADERS);
}

/** Throws a Problem for a read that another site's page makes. */
export function checkSite({ headers, method }: FastifyRequest): void {
  const site = headers["sec-fetch-site"];
  if (site === undefined || site === "same-origin" || site === "none") return;
  throw refused(`${method} of the console`, "Another site's page made the request.");
}

/** Throws a Problem for a change that does not come from the console's own page. */
export function checkOwnPage(request: FastifyRequest): void {
  checkSite(request);
  const { origin, host } = request.headers;
  if (origin !== undefined && originAllowed(origin, host) && request.headers[CONSOLE_HEADER] !== undefined)
    return;
  throw refused(
    `${request.method} of the console`,
    `It takes the Origin of the console and the header ${CONSOLE_HEADER}, which its page sends.`,
  );
}

function refused(what: string, reason: string): Problem {
  return new Problem(403, fail("PERMISSION_DENIED", { what, reason }));
}
