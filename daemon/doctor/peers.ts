// Checks that other daemons take the certificate with which this one calls them and answers them.
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { duplexPair } from "node:stream";
import { connect, createServer, type TLSSocket } from "node:tls";
import { type Finding, unwell, well } from "../../proto/machine/finding.ts";
import type { TlsMaterial } from "../admission/tls.ts";
import { PEER_NAME } from "../cluster/peer-identity.ts";
import type { PeerSettings } from "../config/load.ts";

const CHECK = "peers";
const HANDSHAKE_MS_MAX = 5_000;
/** A certificate expires soon if less than this share of its time is left. */
const SOON_SHARE = 0.1;
const RENEW = "Renew it, and run troupe reload on each daemon. docs/DAEMONS.md has the commands.";

/** Returns no finding without `peers`. The configuration's check has found files that are no pair. */
export async function peerFindings(
  peers: Pick<PeerSettings, "tls"> | undefined,
  nowMs: number,
): Promise<Finding[]> {
  if (!peers) return [];
  const cert = new X509Certificate(peers.tls.cert);
  return [wrongInside(cert, nowMs) ?? (await wrongForOthers(peers.tls)) ?? lasting(cert, nowMs)];
}

function wrongInside(cert: X509Certificate, nowMs: number): Finding | undefined {
  if (cert.checkHost(PEER_NAME, { subject: "never" }) === undefined)
    return unwell(
      CHECK,
      `the certificate in peers.tls.cert lacks the DNS name ${PEER_NAME}`,
      "Make one with that name. docs/DAEMONS.md has the commands.",
    );
  const { validFromDate: from, validToDate: to } = cert;
  if (nowMs < from.getTime())
    return unwell(
      CHECK,
      `the certificate in peers.tls.cert is valid only from ${from.toISOString()}`,
      "Correct this machine's clock, or make a certificate that is valid now.",
    );
  if (nowMs > to.getTime())
    return unwell(CHECK, `the certificate in peers.tls.cert has expired at ${to.toISOString()}`, RENEW);
  return undefined;
}

async function wrongForOthers(tls: TlsMaterial): Promise<Finding | undefined> {
  const reason = await refusal(tls);
  if (reason === undefined) return undefined;
  return unwell(
    CHECK,
    `daemons with this peers.tls.ca refuse the certificate in peers.tls.cert: ${reason}`,
    "Let an authority in `ca` sign it for TLS servers and clients, and put its intermediates into `cert`.",
  );
}

function lasting({ validFromDate: from, validToDate: to }: X509Certificate, nowMs: number): Finding {
  const leftMs = to.getTime() - nowMs;
  const until = to.toISOString();
  return leftMs < SOON_SHARE * (to.getTime() - from.getTime())
    ? unwell(CHECK, `the certificate in peers.tls.cert expires soon: at ${until}`, RENEW)
    : well(CHECK, `other daemons take the certificate until ${until}`);
}

/** Two daemons with the same files shake hands in memory. Returns the reason if either refuses the other. */
async function refusal({ cert, key, clientCa: ca }: TlsMaterial): Promise<string | undefined> {
  // Both sides judge and report, and neither ends the connection.
  const ours = { cert, key, ca, rejectUnauthorized: false };
  const [near, far] = duplexPair();
  const server = createServer({ ...ours, requestCert: true });
  const client = connect({ ...ours, socket: near, servername: PEER_NAME });
  const signal = AbortSignal.timeout(HANDSHAKE_MS_MAX);
  try {
    const shaken = Promise.all([
      once(server, "secureConnection", { signal }),
      once(client, "secureConnect", { signal }),
    ]);
    server.emit("connection", far);
    const [[accepted]] = (await shaken) as [[TLSSocket], unknown];
    const reason = client.authorizationError ?? accepted.authorizationError;
    return reason ? String(reason) : undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? (error as Error).message;
  } finally {
    near.destroy();
    far.destroy();
  }
}
