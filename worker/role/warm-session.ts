// A session that nobody has yet: its context, the role's login and an empty tab are there before it is asked for.
import type { StoragePart } from "../../proto/gen/troupe.ts";
import type { Session, SessionOptions } from "../session/session.ts";

/** What a session tells, and who hears of it once the session is somebody's. */
export type Tells = Pick<SessionOptions, "changed" | "storageChanged">;

/** What a spare is made with. */
export interface WarmSessionParts {
  /** Opens a session that is nobody's, without a tab. */
  open(tells: Tells): Promise<Session>;
  /** Ends a session that nobody has had. */
  end(session: Session): Promise<void>;
  tells: Tells;
}

/** A prepared session. Made by {@link WarmSession.open}; {@link WarmSession.take} gives it away, {@link WarmSession.close} ends it. */
export class WarmSession {
  readonly #parts: WarmSessionParts;
  #session: Session | undefined;
  /** Whose it is; undefined as long as it is nobody's. */
  #key: string | undefined;
  /** What of its storage is to be told to whom it will belong, by the part's name. */
  readonly #untold = new Map<string, StoragePart>();
  #isReady = false;
  #isClosed = false;

  constructor(parts: WarmSessionParts) {
    this.#parts = parts;
  }

  /** It can be taken. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** Prepares it. Rejects with what is in the way; one that was closed meanwhile is ended. */
  async open(): Promise<void> {
    try {
      this.#session = await this.#parts.open({
        changed: (record) => {
          if (this.#key !== undefined) this.#parts.tells.changed(record);
        },
        storageChanged: (_nobody, parts) => this.#tell(parts),
      });
      if (!this.#isClosed) await this.#session.prepare();
      this.#isReady = !this.#isClosed;
    } catch (error) {
      this.#isClosed = true;
      throw error;
    } finally {
      if (this.#isClosed) await this.#end();
    }
  }

  /** Resolves when its tab is gone, or the page in it has crashed. */
  async whenLost(): Promise<void> {
    await this.#session?.whenUnprepared();
  }

  /** From now on it is the session of that key. */
  take(key: string): Session {
    if (!this.#session || !this.#isReady) throw new Error("the spare is not ready");
    this.#isReady = false;
    this.#key = key;
    this.#session.takenBy(key);
    this.#tell([...this.#untold.values()]);
    this.#untold.clear();
    return this.#session;
  }

  /** Ends it, also while it is being prepared. */
  async close(): Promise<void> {
    this.#isReady = false;
    this.#isClosed = true;
    await this.#end();
  }

  #tell(parts: StoragePart[]): void {
    if (this.#key === undefined) for (const part of parts) this.#untold.set(part.name, part);
    else if (parts.length > 0) this.#parts.tells.storageChanged(this.#key, parts);
  }

  async #end(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    if (session) await this.#parts.end(session);
  }
}
