// The connections from one daemon to another, where the other one does not answer.
import assert from "node:assert/strict";
import { once } from "node:events";
import net, { type AddressInfo } from "node:net";
import { test } from "node:test";
import { pino } from "pino";
import { TlsIdentity } from "../../../daemon/admission/tls.ts";
import { PeerLinks } from "../../../daemon/cluster/peer-links.ts";
import { systemClock as clock } from "../../../daemon/core/clock.ts";
import { authority, validNow } from "../../site/certificates.ts";

test("a connection that is forgotten while calls wait for it is not made again", async (t) => {
  // It takes connections and says nothing.
  const silent = net.createServer().listen(0, "127.0.0.1");
  await once(silent, "listening");
  const made: net.Socket[] = [];
  t.after(() => {
    for (const socket of made) socket.destroy();
    silent.close();
  });
  const first = Promise.withResolvers<void>();
  silent.on("connection", (socket) => {
    made.push(socket.on("error", () => undefined).resume());
    first.resolve();
  });
  const ca = authority("Troupe peers");
  const { cert, key = "" } = ca.issue({ host: "troupe-peer", ...validNow() });
  const own = { cert: Buffer.from(cert), key: Buffer.from(key), clientCa: Buffer.from(ca.cert) };
  using links = new PeerLinks(new TlsIdentity(own), clock, pino({ level: "silent" }));
  const address = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const pod = { incarnation: "one", name: "one", address, aliveUntilMs: 0, isDraining: false };
  const waiting = [links.reach(pod), links.reach(pod)];
  await first.promise;
  links.forget("one");
  assert.deepEqual(await Promise.all(waiting), [undefined, undefined]);
  assert.equal(made.length, 1);
});
