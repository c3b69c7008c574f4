// Leads to the daemon, wherever it is now. Connects when first needed, and again after the connection is lost.
import { fail } from "../../proto/errors/catalogue.ts";
import type { Address } from "./address.ts";
import type { Connection } from "./connection.ts";
import type { Credentials } from "./credentials.ts";

export interface LinkOptions {
  /** Addresses where the daemon may be now, likeliest first. Asked before every connecting. */
  addresses(): Address[];
  /** The credentials for the daemon; absent for none. */
  access?: Credentials;
  /** Returns true if certainly no daemon runs. */
  isAbsent?(): boolean;
  /** Starts a daemon if none answers, and resolves when it takes calls. If absent, none is started. */
  start?(signal: AbortSignal): Promise<void>;
  /**
   * Checks the daemon that answered. Resolves to false if it has left, so that a new one is to be started. Throws a
   * TroupeError if the daemon stays but must not be used.
   */
  isUsable?(connection: Connection, signal: AbortSignal): Promise<boolean>;
  connected?(): void;
}

const RETRY_AFTER_MS = 2000;

export class DaemonLink {
  readonly #options: LinkOptions;
  #current: Connection | undefined;
  /** The last connection that passed {@link LinkOptions.isUsable}. */
  #lookedAt: Connection | undefined;
  #connecting: Promise<Connection> | undefined;
  #wasConnected = false;
  /** A daemon's start that no caller waits for yet. */
  #starting: Promise<void> | undefined;
  readonly #closed = new AbortController();

  constructor(options: LinkOptions) {
    this.#options = options;
  }

  /** The daemon's address for errors. */
  get shown(): string {
    return this.#options.addresses()[0]?.shown ?? "";
  }

  /**
   * Returns a usable connection; callers that ask at once share it. Throws DAEMON_UNREACHABLE. With `start: false` it
   * starts no daemon, but waits for one that another call is starting. It then accepts any daemon that answers.
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

  /** Starts a daemon ahead of need, if certainly none runs. The next {@link connection} waits for it, or reports why. */
  startAhead(): void {
    const { start, isAbsent } = this.#options;
    if (this.#starting || this.current || !isAbsent?.()) return;
    this.#starting = start?.(this.#closed.signal);
    // The next connection reports it.
    this.#starting?.catch(() => undefined);
  }

  get current(): Connection | undefined {
    return this.#current?.usable ? this.#current : undefined;
  }

  /** Closes a connection that must not be used again. */
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
    this.startAhead();
    const starting = this.#starting;
    this.#starting = undefined;
    const found = starting ? undefined : (this.current ?? (await connected()));
    if (found && (await this.#isUsable(found))) return this.#adoptLookedAt(found);
    await Promise.all([starting ?? start?.(this.#closed.signal), import("./connection.ts")]);
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
    // gRPC takes long to load, and a client greets before it needs the daemon.
    const { ConnectError, Connection } = await import("./connection.ts");
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
      ...(!this.#wasConnected && { neverConnected: true }),
      ...(mend.length > 0 && { mend: [...new Set(mend)].join("; ") }),
    });
  }

  /** If two connections open at once, the first one stays, because calls may be under way over it. */
  #adopt(connection: Connection): Connection {
    this.#wasConnected = true;
    if (this.#closed.signal.aborted) connection.close();
    if (!this.#current?.usable) {
      this.#current = connection;
      this.#options.connected?.();
    }
    if (this.#current !== connection) connection.close();
    return this.#current;
  }
}
