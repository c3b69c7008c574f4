// The way to the daemon, wherever it is at the moment: connects when first needed, and again after it was lost.
import { fail } from "../../proto/errors/catalogue.ts";
import type { Address } from "./address.ts";
import { ConnectError, Connection } from "./connection.ts";
import type { Credentials } from "./credentials.ts";

export interface LinkOptions {
  /** Where the daemon may be now, the likeliest first; asked before every connecting. */
  addresses(): Address[];
  /** What is shown to it; nothing, where this is absent. */
  access?: Credentials;
  /** Starts a daemon where none answers; resolves when it takes calls. Absent: nobody starts one. */
  start?(signal: AbortSignal): Promise<void>;
  /**
   * Looks at the daemon that answered: false where it has left, so that one is to be started. Throws a TroupeError where
   * it is not to be used and stays.
   */
  isUsable?(connection: Connection, signal: AbortSignal): Promise<boolean>;
  /** Hears of each new connection. */
  connected?(): void;
}

const RETRY_AFTER_MS = 2000;

export class DaemonLink {
  readonly #options: LinkOptions;
  #current: Connection | undefined;
  /** The last one that {@link LinkOptions.isUsable} was asked about, and that stayed. */
  #lookedAt: Connection | undefined;
  #connecting: Promise<Connection> | undefined;
  readonly #closed = new AbortController();

  constructor(options: LinkOptions) {
    this.#options = options;
  }

  /** The daemon's address, as errors name it. */
  get shown(): string {
    return this.#options.addresses()[0]?.shown ?? "";
  }

  /**
   * A usable connection; all who ask at once get the same. Throws DAEMON_UNREACHABLE. `start: false`: without
   * starting a daemon, though one that is being started for others is waited for; whichever answers is taken as it is.
   */
  async connection({ start = true } = {}): Promise<Connection> {
    const { current } = this;
    if (current && (!start || current === this.#lookedAt)) return current;
    if (!start) return this.#connecting ?? this.#adopt(await this.#connect());
    this.#connecting ??= this.#connectOrStart().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  /** The connection that is open now. */
  get current(): Connection | undefined {
    return this.#current?.usable ? this.#current : undefined;
  }

  /** Never to be used again. */
  drop(connection: Connection): void {
    connection.close();
    if (this.#current === connection) this.#current = undefined;
  }

  close(): void {
    this.#closed.abort();
    this.#current?.close();
  }

  async #connectOrStart(): Promise<Connection> {
    const { start } = this.#options;
    const connected = () =>
      this.#connect().catch((error: unknown) => {
        if (!start) throw error;
      });
    const found = this.current ?? (await connected());
    if (found && (await this.#isUsable(found))) return this.#adoptLookedAt(found);
    await start?.(this.#closed.signal);
    return this.#adoptLookedAt(await this.#connect());
  }

  #adoptLookedAt(connection: Connection): Connection {
    const adopted = this.#adopt(connection);
    if (adopted === connection) this.#lookedAt = connection;
    return adopted;
  }

  async #isUsable(connection: Connection): Promise<boolean> {
    let usable = false;
    try {
      usable = (await this.#options.isUsable?.(connection, this.#closed.signal)) ?? true;
      return usable;
    } finally {
      if (!usable) this.drop(connection);
    }
  }

  async #connect(): Promise<Connection> {
    const reasons: string[] = [];
    const mend: string[] = [];
    const { access } = this.#options;
    for (const address of this.#options.addresses()) {
      try {
        return await Connection.open(address, { signal: this.#closed.signal, access });
      } catch (error) {
        if (!(error instanceof ConnectError)) throw error;
        reasons.push(error.message);
        if (error.mend) mend.push(error.mend);
      }
    }
    throw fail("DAEMON_UNREACHABLE", {
      address: this.shown,
      reason: [...new Set(reasons)].join("; "),
      retryAfterMs: RETRY_AFTER_MS,
      effect: "none",
      ...(mend.length > 0 && { mend: [...new Set(mend)].join("; ") }),
    });
  }

  /** Of two that came about at once the first is kept: calls may be under way over it. */
  #adopt(connection: Connection): Connection {
    if (this.#closed.signal.aborted) connection.close();
    if (!this.#current?.usable) {
      this.#current = connection;
      this.#options.connected?.();
    }
    if (this.#current !== connection) connection.close();
    return this.#current;
  }
}
