// Finds out why connecting to a daemon failed. grpc-js reports only the failure, so this asks the socket itself.
import net from "node:net";
import tls, { type SecureContext } from "node:tls";
import type { Address } from "./address.ts";

/** The reason in words. `mend`: what has to be done, if trying again does not help. */
export interface Reason {
  reason: string;
  mend?: string;
}

const PROBE_TIMEOUT_MS = 1000;

/**
 * Connects once more, with TLS if there is a context, and says what is wrong. `shows`: the client shows a certificate.
 */
export async function diagnoseConnection(
  address: Address,
  context: SecureContext | undefined,
  shows: boolean,
): Promise<Reason> {
  const found = await whyRefused(address, context, shows);
  const { socket } = address;
  if (found !== NO_GRPC || context || !("host" in socket) || !(await speaksTls(socket))) return found;
  return UNTRUSTED;
}

/** Resolves to true if TLS answers there with any certificate. Sends no data. */
function speaksTls(target: { host: string; port: number }): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = tls.connect({ ...target, rejectUnauthorized: false, ALPNProtocols: ["h2"] });
    const tell = (answer: boolean) => {
      resolve(answer);
      probe.destroy();
    };
    probe.setTimeout(PROBE_TIMEOUT_MS, () => tell(false));
    probe.once("secureConnect", () => tell(true));
    probe.once("error", () => tell(false));
  });
}

function whyRefused(
  { socket: target }: Address,
  context: SecureContext | undefined,
  shows: boolean,
): Promise<Reason> {
  return new Promise((resolve) => {
    const probe =
      context && "host" in target
        ? tls.connect({
            ...target,
            secureContext: context,
            servername: net.isIP(target.host) ? "" : target.host,
            ALPNProtocols: ["h2"],
          })
        : net.connect(target);
    const tell = (reason: Reason) => {
      resolve(reason);
      probe.destroy();
    };
    probe.setTimeout(PROBE_TIMEOUT_MS, () => tell(context ? NO_GRPC : { reason: "no answer" }));
    // With TLS 1.3 a server rejects the client's certificate only after the connection is established.
    let established = false;
    probe.once("secureConnect", () => {
      established = true;
    });
    const hungUp = () => tell(shows && established ? REFUSED : NO_GRPC);
    probe.once(context ? "end" : "connect", hungUp);
    probe.once("error", (error: NodeJS.ErrnoException) => {
      if (shows && established && error.code === "ECONNRESET") hungUp();
      else tell(reasonOf(error));
    });
  });
}

const UNTRUSTED: Reason = {
  reason: "it speaks TLS, and this client was given no authority to trust its certificate by",
  mend: "name the authority of the daemon's certificate with --ca FILE (TROUPE_CA)",
};

const NO_GRPC: Reason = {
  reason:
    "what answers there does not speak gRPC (the HTTP address does not), or speaks it with TLS only where this client does not, or without",
};

function reasonOf({ code = "", message }: NodeJS.ErrnoException): Reason {
  if (code.endsWith("NO_APPLICATION_PROTOCOL")) return NO_GRPC;
  const plain = WHY[code];
  if (plain) return { reason: plain };
  const found = TLS_WHY.find(([pattern]) => pattern.test(code) || pattern.test(message));
  return found ? { reason: found[1], mend: found[2] } : { reason: code || message };
}

const REFUSED = {
  reason: "it refuses this client's certificate",
  mend: "use a certificate of the authority that tls.clientCa of the daemon names, and that is valid",
};

const WHY: Record<string, string> = {
  ENOENT: "nothing listens there",
  ECONNREFUSED: "nothing listens there",
  ENOTSOCK: "nothing listens there",
  EACCES: "it belongs to another user",
};

const TLS_WHY: readonly [pattern: RegExp, reason: string, mend: string][] = [
  [
    /SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/,
    "its certificate is signed by an authority that this client does not know",
    "name that authority's certificate with --ca FILE (TROUPE_CA)",
  ],
  [
    /ALTNAME_INVALID/,
    "its certificate is for another name than this address has",
    "use an address with a name that stands in the daemon's certificate, or give it a certificate for this one",
  ],
  [/CERT_HAS_EXPIRED/, "its certificate has expired", "give the daemon a certificate that is valid"],
  [/CERT_NOT_YET_VALID/, "its certificate is not valid yet", "set the clocks of both machines right"],
  [
    /ALERT_CERTIFICATE_REQUIRED|ALERT_HANDSHAKE_FAILURE|certificate required/i,
    "it asks for a certificate of this client's",
    "name this client's certificate with --cert FILE --key FILE (TROUPE_CERT, TROUPE_KEY)",
  ],
  [
    /ALERT_(UNKNOWN_CA|BAD_CERTIFICATE|CERTIFICATE_|DECRYPT)|unknown ca|bad certificate|certificate (expired|unknown|revoked)/i,
    REFUSED.reason,
    REFUSED.mend,
  ],
  [
    /WRONG_VERSION_NUMBER|EPROTO|PACKET_LENGTH/,
    "what answers there does not speak TLS",
    "use the address of a daemon that has tls: in its configuration, or on this machine leave --ca and --cert out",
  ],
];
