// Holds a session while this process lives. The daemon ends the session a minute after this stream ends, also after
// kill -9.
import type { Connection } from "../connection/connection.ts";
import type { DaemonLink } from "../connection/daemon-link.ts";

const BACKOFF_MS_MIN = 250;
const BACKOFF_MS_MAX = 10_000;
const ASK_MS = 5000;

type Headers = () => Record<string, string>;

export class SessionHold {
  readonly #link: DaemonLink;
  readonly #headers: Headers;
  /** The connection over which the session is held now. */
  #held: Connection | undefined;
  #over = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(link: DaemonLink, headers: Headers) {
    this.#link = link;
    this.#headers = headers;
  }

  /**
   * Holds the session from now on, over later connections too. The daemon behind this connection must know the session.
   */
  keep(connection: Connection): void {
    if (this.#held === connection) return;
    this.release();
    this.#over = new AbortController();
    this.#hold(connection, this.#over.signal);
  }

  release(): void {
    this.#over.abort();
    this.#held = undefined;
    clearTimeout(this.#timer);
  }

  #hold(connection: Connection, signal: AbortSignal): void {
    this.#held = connection;
    const daemon = this.#daemonBehind(connection, signal);
    const ended = () => {
      if (this.#held === connection) this.#held = undefined;
      this.#holdAgain(daemon, BACKOFF_MS_MIN, signal);
    };
    this.#watch(connection, signal).then(ended, ended);
  }

  /**
   * Holds the session over a new connection as soon as there is one, but only in the same daemon. Another daemon does
   * not know the session. Holding it there would keep SESSION_LOST from the next call.
   */
  #holdAgain(before: Promise<string | undefined>, backoffMs: number, signal: AbortSignal): void {
    const found = async () => {
      const connection = await this.#link.connection({ start: false });
      const [daemon, known] = await Promise.all([this.#daemonBehind(connection, signal), before]);
      return { connection, same: daemon !== undefined && daemon === known };
    };
    const attempt = () =>
      void found().then(
        ({ connection, same }) => {
          if (signal.aborted) return;
          if (same) this.#hold(connection, signal);
          else this.release();
        },
        () => this.#holdAgain(before, Math.min(backoffMs * 2, BACKOFF_MS_MAX), signal),
      );
    if (!signal.aborted) this.#timer = setTimeout(attempt, backoffMs);
  }

  /** Resolves when the stream has ended in order. */
  async #watch(connection: Connection, signal: AbortSignal): Promise<void> {
    const options = { headers: this.#headers(), signal };
    const events = connection.stream("Control", "WatchEvents", { holdsSession: true }, options);
    // Reading keeps the stream flowing; the events do not matter here.
    for await (const event of events) void event;
  }

  /** Identifies the daemon. Resolves to undefined if the daemon does not answer. */
  async #daemonBehind(connection: Connection, signal: AbortSignal): Promise<string | undefined> {
    const options = { headers: this.#headers(), signal, deadlineMs: ASK_MS };
    return connection.call("Control", "GetStatus", {}, options).then(
      ({ pid, startedAt }) => JSON.stringify([pid, startedAt]),
      () => undefined,
    );
  }
}
