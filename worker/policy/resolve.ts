// From a host's name to its addresses, once for all who ask at the same time, within a bound of time.
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";

/** Finds the addresses of a name. Rejects with a system error, such as ENOTFOUND. */
export type Resolve = (host: string) => Promise<readonly string[]>;

const LOOKUP_MS_MAX = 15_000;
/** A name that answers with more is not tried at more. */
const ADDRESSES_MAX = 16;
const LOOKUPS_MAX = 256;

/** The machine's own way of resolving names, or another's. Of more names at once than {@link LOOKUPS_MAX}, the rest is refused. */
export function systemResolver(find: Resolve = lookUp): Resolve {
  const underWay = new Map<string, Promise<readonly string[]>>();
  return async (host) => {
    if (isIP(host)) return [host];
    // They never leave the machine, whatever its resolver says (RFC 6761, 6.3).
    if (host === "localhost" || host.endsWith(".localhost")) return ["127.0.0.1", "::1"];
    const known = underWay.get(host);
    if (known) return await inTime(known, host);
    if (underWay.size >= LOOKUPS_MAX) throw systemError("EAI_AGAIN", `too many names to resolve: ${host}`);
    const asked = find(host);
    const over = () => underWay.delete(host);
    underWay.set(host, asked);
    asked.then(over, over);
    return await inTime(asked, host);
  };
}

async function lookUp(host: string): Promise<readonly string[]> {
  const found = await lookup(host, { all: true, order: "verbatim" });
  return found.slice(0, ADDRESSES_MAX).map(({ address }) => address);
}

/** The lookup itself cannot be ended: it counts as under way until it ends by itself. */
async function inTime<T>(asked: Promise<T>, host: string): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(systemError("ETIMEOUT", `no answer for ${host}`)), LOOKUP_MS_MAX);
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}

function systemError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
