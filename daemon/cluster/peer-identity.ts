// How daemons know each other, and how one names the client of a call to another.
import { X509Certificate } from "node:crypto";
import type { Metadata, ServerUnaryCall } from "@grpc/grpc-js";
import { fail } from "../../proto/errors/catalogue.ts";
import { PEER_CLIENT } from "../../proto/wire/metadata.ts";
import type { Client } from "../admission/client.ts";

/** The DNS name in the certificate of every daemon. Their authority should sign nothing else. */
export const PEER_NAME = "troupe-peer";

/** The client as it goes to another daemon. Its credential stays here, where it was checked. */
export function clientText({ credential: _credential, ...client }: Client): string {
  return Buffer.from(JSON.stringify(client)).toString("base64url");
}

/** Returns the client that another daemon names. Throws UNAUTHENTICATED if the caller is no daemon. */
export function clientOfPeer(
  call: Pick<ServerUnaryCall<object, object>, "metadata" | "getAuthContext">,
): Client {
  const { sslPeerCertificate } = call.getAuthContext();
  const isDaemon = sslPeerCertificate && isPeer(sslPeerCertificate.raw);
  if (!isDaemon) throw refused(`its certificate does not name ${PEER_NAME}`);
  return clientIn(call.metadata);
}

function isPeer(raw: Buffer): boolean {
  return new X509Certificate(raw).checkHost(PEER_NAME, { subject: "never" }) !== undefined;
}

function clientIn(metadata: Metadata): Client {
  const [text = ""] = metadata.get(PEER_CLIENT);
  try {
    const client = JSON.parse(Buffer.from(String(text), "base64url").toString()) as Client;
    if (typeof client.name === "string" && client.name !== "") return client;
    throw new Error("it has no name");
  } catch (error) {
    throw refused("the call names no client", error);
  }
}

function refused(reason: string, cause?: unknown) {
  const mend = "Only daemons of the same database call at this address";
  return fail("UNAUTHENTICATED", { reason, mend }, cause);
}
