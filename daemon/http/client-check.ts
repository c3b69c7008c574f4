// Identifies the client of an HTTP request before its body is read (RFC 6750).
import { TLSSocket } from "node:tls";
import type { FastifyReply, FastifyRequest } from "fastify";
import { isTroupeError } from "../../proto/errors/catalogue.ts";
import type { Admission } from "../admission/admission.ts";
import { nameIn } from "../admission/certificate.ts";
import type { Client } from "../admission/client.ts";
import type { Shown } from "../admission/identify.ts";
import { Problem } from "./problem.ts";
import { challengeFor } from "./protected-resource.ts";

/** The clients of admitted requests. */
export interface Admitted {
  /** Checks a request. Throws a Problem if its client is unknown (401), or cannot be known now (503). */
  check(request: FastifyRequest): Promise<void>;
  /** Checks a request as if it came with this Authorization header. */
  checkAs(request: FastifyRequest, authorization: string | undefined): Promise<void>;
  /** Returns the client of a checked request, as it is now. Throws a Problem if it has lost its access since. */
  clientOf(request: FastifyRequest): Client;
  /** Ends the reply to a checked request when its client loses its right to call. */
  watchOver(request: FastifyRequest, reply: FastifyReply): void;
}

/** `authorizationOf` finds the credentials of a request. */
export function clientCheck(
  admission: Admission,
  authorizationOf: (request: FastifyRequest) => string | undefined = ({ headers }) => headers.authorization,
): Admitted {
  const checkedRequests = new WeakMap<FastifyRequest, Shown>();
  const clientOf = (request: FastifyRequest) => {
    const shown = checkedRequests.get(request);
    if (!shown) throw new Error("a request that was not checked");
    return identified(shown, request, admission);
  };
  const checkAs: Admitted["checkAs"] = async (request, authorization) => {
    const checked = await admission.check({ door: "http", authorization });
    const certificate = certificateOf(request.raw.socket);
    checkedRequests.set(request, { door: "http", authorization, certificate, checked });
    clientOf(request);
  };
  return {
    check: (request) => checkAs(request, authorizationOf(request)),
    checkAs,
    clientOf,
    watchOver(request, { raw }) {
      const stop = admission.watchOver(
        () => void clientOf(request),
        () => raw.destroy(),
      );
      // A client may have left while its token was checked.
      if (raw.closed) stop();
      else raw.once("close", stop);
    },
  };
}

function identified(shown: Shown, request: FastifyRequest, admission: Admission): Client {
  try {
    return admission.identify(shown);
  } catch (error) {
    if (!isTroupeError(error)) throw error;
    // A client that got 401 would ask its user to log in again, which is in vain while the issuer is down.
    if ("retryAfterMs" in error.data) throw new Problem(503, error);
    throw new Problem(401, error, { "www-authenticate": challengeFor(request, admission) });
  }
}

function certificateOf(socket: object): string | undefined {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined;
  const certificate = socket.getPeerCertificate();
  return certificate.raw ? nameIn(certificate) : undefined;
}
