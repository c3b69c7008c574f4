// Who calls over gRPC: the door, the token in the metadata, and the certificate of the connection.
import type { ServerUnaryCall, ServerWritableStream } from "@grpc/grpc-js";
import type { Admission } from "../admission/admission.ts";
import { nameIn } from "../admission/certificate.ts";
import type { Client } from "../admission/client.ts";
import type { Shown } from "../admission/identify.ts";

type Call = Pick<
  ServerUnaryCall<object, object> | ServerWritableStream<object, object>,
  "metadata" | "getAuthContext"
>;

/** The client of a call. Throws UNAUTHENTICATED. */
export type IdentifyCaller = (call: Call) => Client;

/** How clients are known at a door. */
export function identifyCallerAt(door: Exclude<Shown["door"], "http">, admission: Admission): IdentifyCaller {
  const certificates = new WeakMap<Call["metadata"], { name: string | undefined }>();
  return (call) => {
    const [authorization, ...more] = call.metadata.get("authorization");
    return admission.identify({
      door,
      // Of two, nobody knows which is meant: they are none of the right form.
      authorization: authorization === undefined ? undefined : more.length > 0 ? "" : String(authorization),
      // Node takes a certificate apart each time that it is asked: once a call, and only where it counts.
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
