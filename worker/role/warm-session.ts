// Prepares a session before a client asks for it: its context, the role's login and an empty tab.
import type { StoragePart } from "../../proto/gen/troupe.ts";
import type { Session, SessionOptions } from "../session/session.ts";

/** The callbacks for a session's changes, once a client has the session. */
export type SessionReports = Pick<SessionOptions, "changed" | "storageChanged" | "kept">;

/** The parts that a warm session is made with. */
export interface WarmSessionParts {
  /** Opens a session without a client and without a tab. */
  open(reports: SessionReports): Promise<Session>;
  /** Ends a session that no client has had. */
  end(session: Session): Promise<void>;
  reports: SessionReports;
}

/**
 * A prepared session. {@link WarmSession.open} prepares it, {@link WarmSession.take} gives it to a client, {@link
 * WarmSession.close} ends it.
 */
export class WarmSession {
  readonly #parts: WarmSessionParts;
  #session: Session | undefined;
  /** The client's session key; undefined until a client takes the session. */
  #key: string | undefined;
  /** Storage parts to report once a client takes the session, by name. */
  readonly #unreported = new Map<string, StoragePart>();
  #isReady = false;
  #isClosed = false;

  constructor(parts: WarmSessionParts) {
    this.#parts = parts;
  }

  /** Is true if the session can be taken. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** Prepares the session. Rejects with the cause of a failure. A session that was closed meanwhile is ended. */
  async open(): Promise<void> {
    try {
      this.#session = await this.#parts.open({
        changed: (record) => {
          if (this.#key !== undefined) this.#parts.reports.changed(record);
        },
        storageChanged: (_nobody, parts) => this.#report(parts),
        kept: async () => {
          if (this.#key !== undefined) await this.#parts.reports.kept(this.#key);
        },
      });
      if (!this.#isClosed) await this.#session.opener.prepare();
      this.#isReady = !this.#isClosed;
    } catch (error) {
      this.#isClosed = true;
      throw error;
    } finally {
      if (this.#isClosed) await this.#end();
    }
  }

  /** Resolves when the session's tab is gone, or the page in it has crashed. */
  async whenLost(): Promise<void> {
    await this.#session?.opener.whenUnprepared();
  }

  /** Gives the session that key and returns it. */
  take(key: string): Session {
    if (!this.#session || !this.#isReady) throw new Error("the spare is not ready");
    this.#isReady = false;
    this.#key = key;
    this.#session.takenBy(key);
    this.#report([...this.#unreported.values()]);
    this.#unreported.clear();
    return this.#session;
  }

  /** Ends the session, even while it is being prepared. */
  async close(): Promise<void> {
    this.#isReady = false;
    this.#isClosed = true;
    await this.#end();
  }

  #report(parts: StoragePart[]): void {
    if (this.#key === undefined) for (const part of parts) this.#unreported.set(part.name, part);
    else if (parts.length > 0) this.#parts.reports.storageChanged(this.#key, parts);
  }

  async #end(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    if (session) await this.#parts.end(session);
  }
}
