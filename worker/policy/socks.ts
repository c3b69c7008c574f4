// Implements the part of SOCKS 5 (RFC 1928) that browsers use. There is no login, and one connection to a name or an
// address.
import { isIP } from "node:net";

/** A greeting or a request is never longer: a name has at most 255 bytes. */
export const HANDSHAKE_BYTES_MAX = 600;

/** The meaning of the bytes so far. `more`: they are incomplete. */
export type Said<T> = { said: "more" } | { said: "wrong" } | { said: "all"; value: T; length: number };

export const NO_LOGIN = Buffer.from([5, 0]);
export const CONNECTED = Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
/** The reply gives no reason, because Chrome reports all of them by one error. */
export const FAILED = Buffer.from([5, 1, 0, 1, 0, 0, 0, 0, 0, 0]);

/** Reads the first message: the login methods that the client knows. It must offer the one without a login. */
export function readGreeting(bytes: Buffer): Said<undefined> {
  const [version, count = 0] = bytes;
  if (version !== undefined && version !== 5) return { said: "wrong" };
  if (bytes.length < 2 || bytes.length < 2 + count) return { said: "more" };
  if (!bytes.subarray(2, 2 + count).includes(0)) return { said: "wrong" };
  return { said: "all", value: undefined, length: 2 + count };
}

/** Reads the second message: the place to connect to. The host is lower case, without brackets. */
export function readRequest(bytes: Buffer): Said<{ host: string; port: number }> {
  if (bytes.length < 5) return { said: "more" };
  const [version, command, , kind, first = 0] = bytes;
  if (version !== 5 || command !== 1) return { said: "wrong" };
  const form = kind === 1 ? [4, 4] : kind === 4 ? [4, 16] : kind === 3 ? [5, first] : undefined;
  if (!form) return { said: "wrong" };
  const [from = 0, size = 0] = form;
  const end = from + size;
  if (bytes.length < end + 2) return { said: "more" };
  const raw = bytes.subarray(from, end);
  const host = kind === 3 ? hostOf(raw.toString("latin1")) : addressOf(raw);
  const port = bytes.readUInt16BE(end);
  if (!host || port === 0) return { said: "wrong" };
  return { said: "all", value: { host, port }, length: end + 2 };
}

/**
 * Returns the host as URLs write it, so that no spelling of an address passes for a name. Undefined if it is no host.
 */
function hostOf(written: string): string | undefined {
  const inUrl = isIP(written) === 6 ? `http://[${written}]` : `http://${written}`;
  if (!/^[\x21-\x7e]+$/.test(written) || /[/?#@\\]/.test(written) || !URL.canParse(inUrl)) return undefined;
  const { hostname, port } = new URL(inUrl);
  return port ? undefined : hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
}

function addressOf(raw: Buffer): string | undefined {
  if (raw.length === 4) return raw.join(".");
  const words = Array.from({ length: 8 }, (_, at) => raw.readUInt16BE(at * 2).toString(16));
  return hostOf(words.join(":"));
}
