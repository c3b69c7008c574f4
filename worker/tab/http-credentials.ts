// Sends names and passwords for HTTP authentication (RFC 9110, 11), by origin. They are sent ahead, because Chrome
// never gets a prompt for them.
import { keepNewest } from "../../proto/machine/newest.ts";
import type { Answer, Held, HeldRequest, Interception } from "./interception.ts";

/** Origins beyond this number lose their credentials, the oldest first. */
const ORIGINS_MAX = 10;

/** A session's credentials, which its tabs share. They are held only in memory, and go with the session's context. */
export class KnownCredentials {
  readonly #byOrigin = new Map<string, string>();
  readonly #atStart: ReadonlyMap<string, string>;
  readonly #listeners = new Set<() => void>();

  /** `startUrl`: the role's start address. Each of its sessions knows the credentials in it. */
  constructor(startUrl: string) {
    this.take(startUrl);
    this.#atStart = new Map(this.#byOrigin);
  }

  /** The origins whose requests get credentials. */
  get origins(): string[] {
    return [...this.#byOrigin.keys()];
  }

  /** The origins whose credentials do not come from the role's start address. */
  get ownOrigins(): string[] {
    return this.origins.filter((origin) => this.of(origin) !== this.#atStart.get(origin));
  }

  of(origin: string): string | undefined {
    return this.#byOrigin.get(origin);
  }

  /** Takes the name and password out of an address. Returns the address without them. */
  take(address: string): string {
    const url = URL.canParse(address) ? new URL(address) : undefined;
    if (!url || (url.username === "" && url.password === "")) return address;
    const { origin, username, password } = url;
    Object.assign(url, { username: "", password: "" });
    keepNewest(this.#byOrigin, origin, basic(decoded(username), decoded(password)), ORIGINS_MAX);
    for (const changed of this.#listeners) changed();
    return url.href;
  }

  /** Calls `changed` whenever the credentials change, until the tab is closed. */
  follow(changed: () => void, closed: Promise<void>): void {
    this.#listeners.add(changed);
    void closed.then(() => this.#listeners.delete(changed));
  }
}

/** Sends the credentials with a tab's requests. A page whose origin has none gets its 401 unchanged. */
export class HttpCredentials {
  readonly #known: KnownCredentials;
  readonly #interception: Interception;
  /** The held requests to their origins. */
  #held: Promise<Held> | undefined;

  constructor(interception: Interception, known: KnownCredentials) {
    this.#known = known;
    this.#interception = interception;
  }

  /** Begins before the page runs, and sends at once. `closed`: the tab's end. */
  async begin(closed: Promise<void>): Promise<void> {
    this.#known.follow(() => {
      // A tab that is gone meanwhile sends no more requests.
      this.#hold().catch(() => undefined);
    }, closed);
    if (this.#known.origins.length > 0) await this.#hold();
  }

  /**
   * Takes the name and password out of an address. All requests to its origin have them from then on. Returns the
   * address without them.
   */
  async takeFrom(address: string): Promise<string> {
    const without = this.#known.take(address);
    if (without !== address) await this.#hold();
    return without;
  }

  async #hold(): Promise<void> {
    // Only these requests are held. Others go on at full speed.
    const patterns = this.#known.origins.map((each) => ({ urlPattern: `${each}/*` }));
    const answer = (request: HeldRequest) => this.#answer(request);
    const before = this.#held;
    this.#held ??= this.#interception.hold({ patterns, answer });
    const held = await this.#held;
    if (before) await held.change(patterns);
  }

  #answer({ request: { url, headers } }: HeldRequest): Answer | undefined {
    const authorization = this.#known.of(new URL(url).origin);
    const isGiven = Object.keys(headers).some((name) => name.toLowerCase() === "authorization");
    if (authorization === undefined || isGiven) return undefined;
    const others = Object.entries(headers).map(([name, value]) => ({ name, value: String(value) }));
    return { headers: [...others, { name: "Authorization", value: authorization }] };
  }
}

/** Encodes the credentials as in RFC 7617. */
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
