// The console's cookie. Daemons at several ports of one host have a cookie each.
import { TLSSocket } from "node:tls";
import type { FastifyRequest } from "fastify";

const ID = /^[\w-]{32}$/;

/** Returns the value of the request's cookie; undefined without a well-formed one. */
export function cookieOf(request: FastifyRequest): string | undefined {
  const name = `${nameOf(request)}=`;
  const pairs = (request.headers.cookie ?? "").split(/; */);
  const value = pairs.find((pair) => pair.startsWith(name))?.slice(name.length);
  return value !== undefined && ID.test(value) ? value : undefined;
}

/** Returns the header that sets the cookie. An empty value removes it. */
export function setCookie(request: FastifyRequest, value: string): string {
  const isSecure = request.raw.socket instanceof TLSSocket;
  const parts = [
    `${nameOf(request)}=${value}`,
    "Path=/console",
    "HttpOnly",
    "SameSite=Strict",
    ...(isSecure ? ["Secure"] : []),
    ...(value === "" ? ["Max-Age=0"] : []),
  ];
  return parts.join("; ");
}

function nameOf({ raw: { socket } }: FastifyRequest): string {
  const prefix = socket instanceof TLSSocket ? "__Secure-" : "";
  return `${prefix}troupe_console_${socket.localPort}`;
}
