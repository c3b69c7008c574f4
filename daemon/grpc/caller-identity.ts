// Identifies a gRPC caller from the door, the token in the metadata, and the connection's certificate.
import type { ServerUnaryCall, ServerWritableStream } from "@grpc/grpc-js";
import type { Admission } from "../admission/admission.ts";
import { nameIn } from "../admission/certificate.ts";
import type { Client } from "../admission/client.ts";
import type { Shown } from "../admission/identify.ts";

type Call = Pick<
  ServerUnaryCall<object, object> | ServerWritableStream<object, object>,
  "metadata" | "getAuthContext"
>;

/** Returns the client of a call. Throws UNAUTHENTICATED. */
export type IdentifyCaller = (call: Call) => Client;

export function identifyCallerAt(door: Exclude<Shown["door"], "http">, admission: Admission): IdentifyCaller {
  const certificates = new WeakMap<Call["metadata"], { name: string | undefined }>();
  return (call) => {
    const [authorization, ...more] = call.metadata.get("authorization");
    return admission.identify({
      door,
      // Two headers are ambiguous, so they count as malformed.
      authorization: authorization === undefined ? undefined : more.length > 0 ? "" : String(authorization),
      // Node parses the certificate at each access, so it is read once a call and only if it matters.
      get certificate() {
        const known = certificates.get(call.metadata) ?? { name: certificateOf(call) };
        certificates.set(call.metadata, known);
        return known.name;
      },
    });
  };
}

function certificateOf(call: Call): string | undefined {
  const { sslPeerCertificate } = call.getAuthContext();
  return sslPeerCertificate && nameIn(sslPeerCertificate);
}
