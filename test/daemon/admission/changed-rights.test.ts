// Tokens and certificates that change while clients are connected.
import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { connect as tlsConnect } from "node:tls";
import { connect } from "../../../client/sdk/index.ts";
import { certificateFolder } from "../../harness/certificates.ts";
import { testDaemon } from "../../harness/daemon.ts";
import { afterEvents } from "../../harness/events/after-events.ts";
import { failure } from "../../harness/failure.ts";
import { shared } from "../../harness/shared.ts";
import { sha256 } from "../../harness/tokens.ts";

const SECRETS = { ci: "ci-token-5f3a", boss: "boss-token-77" };
const DEADLINE = { timeout: 30_000 };

const certificates = shared(certificateFolder());
const troupe = shared(
  await testDaemon({
    listen: ["127.0.0.1:0"],
    tls: certificates.tls,
    tokens: [
      { name: "ci", sha256: sha256(SECRETS.ci), roles: ["customer"] },
      { name: "boss", sha256: sha256(SECRETS.boss), control: "write" },
    ],
    roles: { visitor: {}, customer: {} },
  }),
);
const tcp = troupe.daemon.addresses[0] ?? "";
const ca = certificates.file("ca.crt");
const over = (token: string, more: object = {}) => connect({ address: tcp, ca, token, ...more });

test(
  "a stream ends its client's lost rights: others' events, and a role with its page",
  DEADLINE,
  async () => {
    const given = (rights: object) => {
      const tokens = troupe.config.tokens?.map((each) =>
        each.name === "ci" ? { ...each, ...rights } : each,
      );
      troupe.daemon.admit({ tokens, tls: undefined });
    };
    given({ control: "read", roles: ["visitor", "customer"] });
    await using ci = await over(SECRETS.ci, { session: "streams" });
    await using boss = await over(SECRETS.boss, { session: "others" });
    const sessions: string[] = [];
    const heard = new EventEmitter();
    const all = (async () => {
      for await (const { session } of ci.events()) {
        if (session) sessions.push(session.session);
        heard.emit("event");
      }
    })();
    const hears = (session: string) =>
      afterEvents(heard, "event", () => sessions.includes(session), `the client hears of ${session}`);
    const ofRole = ci.events({ role: "customer" });
    const page = ci.session.watch({ role: "customer" });
    try {
      assert.equal((await page.next()).value?.text, "what is shown");
      const ended = [failure(() => page.next()), failure(() => Array.fromAsync(ofRole))];
      const next = (name: string) => boss.newSession({ session: name }).navigate({ url: "http://a.test/" });
      await next("seen");
      await hears("seen");
      given({ control: "none", roles: ["visitor"] });
      assert.deepEqual(
        (await Promise.all(ended)).map(({ type }) => type),
        ["PERMISSION_DENIED", "PERMISSION_DENIED"],
      );
      await next("unseen");
      await ci.newSession({ session: "own" }).navigate({ url: "http://a.test/" });
      // The stream goes on with the client's own sessions.
      await hears("own");
      assert.ok(!sessions.includes("unseen"));
    } finally {
      await ci.close();
      await all;
      given({});
    }
  },
);

test("tokens and certificates are changed while sessions go on", async () => {
  await using ci = await over(SECRETS.ci, { session: "kept" });
  await ci.session.navigate({ url: "http://a.test/" });
  const [begun] = (await ci.sessions()).filter(({ id }) => id === "kept");
  const before = await fingerprint();
  certificates.renew();
  const read = (name: string) => readFileSync(certificates.file(name));
  const renewed = { cert: read("server.crt"), key: read("server.key") };
  const tokens = troupe.config.tokens?.map((token) =>
    token.name === "ci" ? { ...token, sha256: sha256("ci-second") } : token,
  );
  troupe.daemon.admit({ tokens, tls: renewed });
  try {
    assert.notEqual(await fingerprint(), before);
    assert.equal(
      (await failure(() => ci.session.navigate({ url: "http://a.test/" }))).type,
      "UNAUTHENTICATED",
    );
    await using again = await over("ci-second", { session: "kept" });
    await again.session.navigate({ url: "http://a.test/" });
    const [kept] = (await again.sessions()).filter(({ id }) => id === "kept");
    assert.deepEqual(kept?.createdAt, begun?.createdAt, "it is the session of before");
  } finally {
    troupe.daemon.admit({ tokens: troupe.config.tokens, tls: renewed });
  }
});

test("two tokens of one name serve the same session, so a token is renewed without a gap", async () => {
  const { tokens = [] } = troupe.config;
  const next = tokens.flatMap((each) => (each.name === "ci" ? { ...each, sha256: sha256("ci-next") } : []));
  troupe.daemon.admit({ tokens: [...tokens, ...next], tls: undefined });
  try {
    const begun: unknown[] = [];
    for (const token of [SECRETS.ci, "ci-next"]) {
      await using ci = await over(token, { session: "renewed" });
      await ci.session.navigate({ url: "http://a.test/" });
      begun.push((await ci.sessions()).find(({ id }) => id === "renewed")?.createdAt);
    }
    assert.ok(begun[0]);
    assert.deepEqual(begun[0], begun[1]);
  } finally {
    troupe.daemon.admit({ tokens, tls: undefined });
  }
});

/** Resolves with the fingerprint of the certificate that the gRPC door shows now. */
function fingerprint(): Promise<string> {
  const [host = "", port = ""] = tcp.split(":");
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = tlsConnect({ host, port: Number(port), ca: readFileSync(ca), ALPNProtocols: ["h2"] }, () => {
    resolve(socket.getPeerCertificate().fingerprint256);
    socket.destroy();
  });
  socket.once("error", reject);
  return promise;
}
