import assert from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import tls from "node:tls";
import { diagnoseConnection } from "../../../client/connection/diagnose.ts";
import { strangerAt } from "../../harness/daemon.ts";
import { selfSigned, validNow } from "../../site/certificates.ts";

const host = "127.0.0.1";
const addressOf = (port: number) => ({ shown: `${host}:${port}`, socket: { host, port } }) as never;

test("without an authority the error says that TLS answers, and how to trust it", {
  timeout: 60_000,
}, async () => {
  const server = tls.createServer(selfSigned({ host, ...validNow() }));
  server.listen(0, host);
  await once(server, "listening");
  const { reason, mend } = await diagnoseConnection(
    addressOf((server.address() as AddressInfo).port),
    undefined,
    false,
  );
  server.close();
  assert.match(reason, /it speaks TLS/);
  assert.match(mend ?? "", /--ca FILE \(TROUPE_CA\)/);
});

test("a program that does not speak TLS is reported as such", { timeout: 60_000 }, async () => {
  using stranger = await strangerAt({ port: 0, host });
  const { reason, mend } = await diagnoseConnection(addressOf(stranger.port), undefined, false);
  assert.match(reason, /does not speak gRPC/);
  assert.equal(mend, undefined);
});
