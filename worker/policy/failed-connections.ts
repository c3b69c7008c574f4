// Remembers why connections failed. Chrome reports all failures of a proxy by one error; the real reason is kept here.
import { keepNewest } from "../../proto/machine/newest.ts";

/** `netError`: Chrome's error for the same failure without a proxy. `reason`: why the policy refused it, if it did. */
export interface FailedConnection {
  netError: string;
  reason?: string;
}

const KEPT_MAX = 1_000;

/** Chrome's error for every connection that its proxy does not make. */
const BY_PROXY = "net::ERR_SOCKS_CONNECTION_FAILED";

const NET_ERRORS: Record<string, string> = {
  ERR_TUNNEL: "net::ERR_TUNNEL_CONNECTION_FAILED",
  ERR_UPSTREAM: "net::ERR_PROXY_CONNECTION_FAILED",
  ENOTFOUND: "net::ERR_NAME_NOT_RESOLVED",
  ENODATA: "net::ERR_NAME_NOT_RESOLVED",
  EAI_NONAME: "net::ERR_NAME_NOT_RESOLVED",
  EAI_AGAIN: "net::ERR_NAME_RESOLUTION_FAILED",
  EAI_FAIL: "net::ERR_NAME_RESOLUTION_FAILED",
  ETIMEOUT: "net::ERR_DNS_TIMED_OUT",
  ECONNREFUSED: "net::ERR_CONNECTION_REFUSED",
  ECONNRESET: "net::ERR_CONNECTION_RESET",
  ECONNABORTED: "net::ERR_CONNECTION_ABORTED",
  ETIMEDOUT: "net::ERR_CONNECTION_TIMED_OUT",
  EHOSTUNREACH: "net::ERR_ADDRESS_UNREACHABLE",
  ENETUNREACH: "net::ERR_ADDRESS_UNREACHABLE",
  EHOSTDOWN: "net::ERR_ADDRESS_UNREACHABLE",
  EADDRNOTAVAIL: "net::ERR_ADDRESS_INVALID",
  EINVAL: "net::ERR_ADDRESS_INVALID",
  EACCES: "net::ERR_NETWORK_ACCESS_DENIED",
  EPERM: "net::ERR_NETWORK_ACCESS_DENIED",
};

/** The last failure of each host and port, until a connection there succeeds. */
export class FailedConnections {
  readonly #byPlace = new Map<string, FailedConnection>();

  failed(host: string, port: number, failure: FailedConnection): void {
    keepNewest(this.#byPlace, placeOf(host, port), failure, KEPT_MAX);
  }

  made(host: string, port: number): void {
    this.#byPlace.delete(placeOf(host, port));
  }

  /** Returns the failure behind Chrome's error for an address. Undefined if the proxy had no part in it. */
  behind(netError: string, address: string): FailedConnection | undefined {
    if (!netError.includes(BY_PROXY) || !URL.canParse(address)) return undefined;
    const { hostname, port, protocol } = new URL(address);
    const standard = protocol === "https:" || protocol === "wss:" ? 443 : 80;
    return this.#byPlace.get(placeOf(hostname.replace(/^\[(.*)\]$/, "$1"), port ? Number(port) : standard));
  }

  /** Returns why the policy refused the last connection to an address. */
  whyBlocked(address: string): string | undefined {
    return this.behind(BY_PROXY, address)?.reason;
  }

  /** Replaces the proxy's error in Chrome's message with the error of a direct connection. */
  inPlainWords(text: string, address: string): string {
    const failure = this.behind(text, address);
    return failure ? text.replace(BY_PROXY, failure.netError) : text;
  }
}

/** Returns Chrome's net error for a system error. */
export function netErrorOf(error: Error): string {
  const { code = "" } = error as NodeJS.ErrnoException;
  return NET_ERRORS[code] ?? "net::ERR_CONNECTION_FAILED";
}

function placeOf(host: string, port: number): string {
  return `${host.toLowerCase().replace(/\.$/, "")} ${port}`;
}
