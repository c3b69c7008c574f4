// Holds a session while this process lives: the daemon ends it a minute after the stream has gone, also by kill -9.
import type { DaemonLink } from "./daemon-link.ts";
import type { Session } from "./session.ts";

const BACKOFF_MS_MIN = 500;
const BACKOFF_MS_MAX = 10_000;

export class SessionHold {
  readonly #link: DaemonLink;
  readonly #session: Session;
  readonly #ended = new AbortController();
  #backoffMs = BACKOFF_MS_MIN;
  #timer: NodeJS.Timeout | undefined;

  /** Holds from now on, over whatever connection there is; it starts no daemon. */
  constructor(link: DaemonLink, session: Session) {
    this.#link = link;
    this.#session = session;
    this.#hold();
  }

  close(): void {
    this.#ended.abort();
    clearTimeout(this.#timer);
  }

  #hold(): void {
    const again = () => {
      if (this.#ended.signal.aborted) return;
      this.#timer = setTimeout(() => this.#hold(), this.#backoffMs);
      this.#backoffMs = Math.min(this.#backoffMs * 2, BACKOFF_MS_MAX);
    };
    // However the stream ends, the session is held again as soon as a daemon answers.
    this.#watch().then(again, again);
  }

  async #watch(): Promise<void> {
    const connection = await this.#link.connection({ start: false });
    const events = connection.stream(
      "Control",
      "WatchEvents",
      { holdsSession: true },
      { headers: this.#session.headers(), signal: this.#ended.signal },
    );
    for await (const _event of events) this.#backoffMs = BACKOFF_MS_MIN;
  }
}
