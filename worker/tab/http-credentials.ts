// Names and passwords for HTTP authentication (RFC 9110, 11), by origin: sent ahead, as Chrome is never asked for any.
import type { CDPSession, Protocol } from "puppeteer-core";

/** Origins beyond this lose their credentials, the oldest first. */
const ORIGINS_MAX = 10;

/** A tab's credentials. A page whose origin has none gets its 401 as it is. */
export class HttpCredentials {
  readonly #client: CDPSession;
  readonly #byOrigin = new Map<string, string>();

  constructor(client: CDPSession) {
    this.#client = client;
  }

  /** Takes the name and password that an address holds: from then on all requests to its origin have them. The address without. */
  async takeFrom(address: string): Promise<string> {
    const url = new URL(address);
    const { origin, username, password } = url;
    if (username === "" && password === "") return address;
    Object.assign(url, { username: "", password: "" });
    if (this.#byOrigin.size === 0) this.#client.on("Fetch.requestPaused", (event) => this.#send(event));
    this.#byOrigin.delete(origin);
    this.#byOrigin.set(origin, basic(decoded(username), decoded(password)));
    const [oldest] = this.#byOrigin.keys();
    if (this.#byOrigin.size > ORIGINS_MAX && oldest !== undefined) this.#byOrigin.delete(oldest);
    // Only these requests are held: others go on at full speed.
    const patterns = [...this.#byOrigin.keys()].map((each) => ({ urlPattern: `${each}/*` }));
    await this.#client.send("Fetch.enable", { patterns });
    return url.href;
  }

  #send({ requestId, request: { url, headers } }: Protocol.Fetch.RequestPausedEvent): void {
    const authorization = this.#byOrigin.get(new URL(url).origin);
    const isGiven = Object.keys(headers).some((name) => name.toLowerCase() === "authorization");
    const entries = Object.entries(headers).map(([name, value]) => ({ name, value: String(value) }));
    const more =
      authorization === undefined || isGiven ? [] : [{ name: "Authorization", value: authorization }];
    const all = more.length > 0 ? { headers: [...entries, ...more] } : {};
    // A request that its page has given up meanwhile needs no answer.
    this.#client.send("Fetch.continueRequest", { requestId, ...all }).catch(() => undefined);
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
