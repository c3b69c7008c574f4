// Identifies a gRPC caller from the door, the token in the metadata, and the connection's certificate.
import type { ServerUnaryCall, ServerWritableStream } from "@grpc/grpc-js";
import type { Admission } from "../admission/admission.ts";
import { nameIn } from "../admission/certificate.ts";
import type { Client } from "../admission/client.ts";
import type { Shown } from "../admission/identify.ts";
import type { CheckedJwt } from "../admission/oidc/jwt-check.ts";

type Call = Pick<
  ServerUnaryCall<object, object> | ServerWritableStream<object, object>,
  "metadata" | "getAuthContext"
>;

/** Returns the client of a call that has arrived. Throws UNAUTHENTICATED. */
export type IdentifyCaller = (call: Call) => Client;

/** Identifies the callers at one door. */
export interface CallerIdentity {
  /** Checks the call's JWT, before it can be identified. Returns undefined if there is nothing to wait for. */
  arrive(call: Call): Promise<void> | undefined;
  identify: IdentifyCaller;
}

export function identifyCallerAt(door: Exclude<Shown["door"], "http">, admission: Admission): CallerIdentity {
  const certificates = new WeakMap<Call["metadata"], { name: string | undefined }>();
  const jwts = new WeakMap<Call["metadata"], CheckedJwt>();
  return {
    arrive({ metadata }) {
      return admission
        .check({ door, authorization: authorizationOf(metadata) })
        ?.then((checked) => void jwts.set(metadata, checked));
    },
    identify: (call) =>
      admission.identify({
        door,
        authorization: authorizationOf(call.metadata),
        // Node parses the certificate at each access, so it is read once a call and only if it matters.
        get certificate() {
          const known = certificates.get(call.metadata) ?? { name: certificateOf(call) };
          certificates.set(call.metadata, known);
          return known.name;
        },
        checked: jwts.get(call.metadata),
      }),
  };
}

/** Two headers are ambiguous, so they count as malformed. */
function authorizationOf(metadata: Call["metadata"]): string | undefined {
  const [authorization, ...more] = metadata.get("authorization");
  if (authorization === undefined) return undefined;
  return more.length > 0 ? "" : String(authorization);
}

function certificateOf(call: Call): string | undefined {
  const { sslPeerCertificate } = call.getAuthContext();
  return sslPeerCertificate && nameIn(sslPeerCertificate);
}
