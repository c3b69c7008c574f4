// Names and passwords for HTTP authentication (RFC 9110, 11), by origin: sent ahead, as Chrome is never asked for any.
import type { Answer, Held, HeldRequest, Interception } from "./interception.ts";

/** Origins beyond this lose their credentials, the oldest first. */
const ORIGINS_MAX = 10;

/** A tab's credentials. A page whose origin has none gets its 401 as it is. */
export class HttpCredentials {
  readonly #interception: Interception;
  readonly #byOrigin = new Map<string, string>();
  /** The requests to these origins. */
  #held: Promise<Held> | undefined;

  constructor(interception: Interception) {
    this.#interception = interception;
  }

  /** Takes the name and password that an address holds: from then on all requests to its origin have them. The address without. */
  async takeFrom(address: string): Promise<string> {
    const url = new URL(address);
    const { origin, username, password } = url;
    if (username === "" && password === "") return address;
    Object.assign(url, { username: "", password: "" });
    this.#byOrigin.delete(origin);
    this.#byOrigin.set(origin, basic(decoded(username), decoded(password)));
    const [oldest] = this.#byOrigin.keys();
    if (this.#byOrigin.size > ORIGINS_MAX && oldest !== undefined) this.#byOrigin.delete(oldest);
    // Only these requests are held: others go on at full speed.
    const patterns = [...this.#byOrigin.keys()].map((each) => ({ urlPattern: `${each}/*` }));
    const answer = (request: HeldRequest) => this.#answer(request);
    const before = this.#held;
    this.#held ??= this.#interception.hold({ patterns, answer });
    const held = await this.#held;
    if (before) await held.change(patterns);
    return url.href;
  }

  #answer({ request: { url, headers } }: HeldRequest): Answer | undefined {
    const authorization = this.#byOrigin.get(new URL(url).origin);
    const isGiven = Object.keys(headers).some((name) => name.toLowerCase() === "authorization");
    if (authorization === undefined || isGiven) return undefined;
    const others = Object.entries(headers).map(([name, value]) => ({ name, value: String(value) }));
    return { headers: [...others, { name: "Authorization", value: authorization }] };
  }
}

/** RFC 7617. */
function basic(name: string, password: string): string {
  return `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}`;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // A lone percent sign stands for itself.
    return part;
  }
}
