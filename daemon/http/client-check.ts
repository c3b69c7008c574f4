// Identifies the client of an HTTP request before its body is read (RFC 6750).
import { TLSSocket } from "node:tls";
import type { FastifyRequest } from "fastify";
import { isTroupeError } from "../../proto/errors/catalogue.ts";
import type { Admission } from "../admission/admission.ts";
import { nameIn } from "../admission/certificate.ts";
import type { Client } from "../admission/client.ts";
import { Problem } from "./problem.ts";

/** The clients of admitted requests. */
export interface Admitted {
  /** Checks a request. Throws a Problem (401) if its client is unknown. */
  check(request: FastifyRequest): Promise<void>;
  /** Returns the client of a checked request. */
  clientOf(request: FastifyRequest): Client;
}

export function clientCheck(admission: Admission): Admitted {
  const clients = new WeakMap<FastifyRequest, Client>();
  return {
    async check(request) {
      clients.set(request, identified(request, admission));
    },
    clientOf(request) {
      const client = clients.get(request);
      if (!client) throw new Error("a request that nobody has looked at");
      return client;
    },
  };
}

function identified({ headers, raw }: FastifyRequest, admission: Admission): Client {
  const { authorization } = headers;
  try {
    return admission.identify({ door: "http", authorization, certificate: certificateOf(raw.socket) });
  } catch (error) {
    if (!isTroupeError(error)) throw error;
    throw new Problem(401, error, { "www-authenticate": challenge(authorization) });
  }
}

function certificateOf(socket: object): string | undefined {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined;
  const certificate = socket.getPeerCertificate();
  return certificate.raw ? nameIn(certificate) : undefined;
}

function challenge(authorization: string | undefined): string {
  const realm = 'Bearer realm="troupe"';
  if (authorization === undefined) return realm;
  const isWellFormed = /^bearer +[\x21-\x7e]+ *$/i.test(authorization);
  return `${realm}, error="${isWellFormed ? "invalid_token" : "invalid_request"}"`;
}
