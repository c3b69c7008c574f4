import assert from "node:assert/strict";
import { test } from "node:test";
import type { PeerCertificate } from "node:tls";
import { Metadata, type ServerUnaryCall } from "@grpc/grpc-js";
import { pino } from "pino";
import { Admission } from "../../../daemon/admission/admission.ts";
import type { Token } from "../../../daemon/admission/client.ts";
import { identifyCallerAt } from "../../../daemon/grpc/caller-identity.ts";
import { fakeClock } from "../../harness/fake-clock.ts";
import { sha256 } from "../../harness/tokens.ts";

const log = pino({ level: "silent" });
const token: Token = {
  name: "ci",
  sha256: sha256("secret"),
  control: "none",
};

const cases: [
  what: string,
  door: "socket" | "tcp",
  tokens: Token[] | undefined,
  client: string,
  asked: number,
][] = [
  ["a socket's client is its owner", "socket", undefined, "local", 0],
  ["a token's holder is known by it", "tcp", [token], "ci", 0],
  ["a certificate's holder is known by its name", "tcp", undefined, "cert:ada", 1],
];

for (const [what, door, tokens, client, times] of cases) {
  test(`${what}; the certificate is asked for ${times === 0 ? "never" : "once a call"}`, () => {
    let asked = 0;
    const metadata = new Metadata();
    metadata.set("authorization", "Bearer secret");
    const call = {
      metadata,
      getAuthContext(): ReturnType<ServerUnaryCall<object, object>["getAuthContext"]> {
        asked++;
        return { sslPeerCertificate: { subject: { CN: "ada" } } as PeerCertificate };
      },
    };
    const admission = new Admission({ tokens, ownToken: "own", asksOnTcp: true }, fakeClock(), log);
    const who = identifyCallerAt(door, admission);
    // The interceptor identifies the caller first, then the handler.
    for (const _ of ["interceptor", "handler"]) assert.equal(who.identify(call).name, client);
    assert.equal(asked, times);
  });
}
