// How daemons know each other, and how one names the client of a call to another.
import type { TLSSocket } from "node:tls";
import type { Metadata } from "@grpc/grpc-js";
import { fail } from "../../proto/errors/catalogue.ts";
import { PEER_CLIENT } from "../../proto/wire/metadata.ts";
import type { Client } from "../admission/client.ts";

/** The DNS name in the certificate of every daemon. Their authority should sign nothing else. */
export const PEER_NAME = "troupe-peer";

/** The client as it goes to another daemon, which may ask later whether the credential still counts. */
export function clientText(client: Client): string {
  return Buffer.from(JSON.stringify(client)).toString("base64url");
}

/** Returns true if the connection is another daemon's. TLS has checked its certificate's authority. */
export function isPeer(connection: TLSSocket): boolean {
  return connection.getPeerX509Certificate()?.checkHost(PEER_NAME, { subject: "never" }) !== undefined;
}

/** Returns the client that another daemon names. Throws UNAUTHENTICATED if it names none. */
export function clientOfPeer({ metadata }: { metadata: Metadata }): Client {
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
