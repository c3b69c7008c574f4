// Resolves a host's name to its addresses within a time bound. Simultaneous questions share one lookup.
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { within } from "../../proto/machine/within.ts";

/** Finds the addresses of a name. Rejects with a system error, such as ENOTFOUND. */
export type Resolve = (host: string) => Promise<readonly string[]>;

const LOOKUP_MS_MAX = 15_000;
/** Further addresses of a name are not tried. */
const ADDRESSES_MAX = 16;
const LOOKUPS_MAX = 256;

/** Returns a resolver that uses the system's lookup or `find`. Names beyond {@link LOOKUPS_MAX} at once are refused. */
export function systemResolver(find: Resolve = lookUp): Resolve {
  const underWay = new Map<string, Promise<readonly string[]>>();
  return async (host) => {
    if (isIP(host)) return [host];
    // These names never leave the machine, whatever its resolver says (RFC 6761, 6.3).
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

/** The lookup itself cannot be stopped, so it counts as under way until it ends by itself. */
async function inTime<T>(asked: Promise<T>, host: string): Promise<T> {
  const late = () => systemError("ETIMEOUT", `no answer for ${host}`);
  return await within({ timeMs: LOOKUP_MS_MAX, late }, asked);
}

function systemError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
