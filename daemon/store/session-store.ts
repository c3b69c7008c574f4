// The store of sessions, as the daemon uses it. SQLite and PostgreSQL implement it.
import type { SessionRecord, StoragePart } from "../../proto/gen/troupe.ts";
import type { Session } from "../sessions/session.ts";

/**
 * Stores sessions and, encrypted, the state that another worker needs. A change may be written after its method has
 * returned. {@link SessionStore.committed} waits for that.
 */
export interface SessionStore extends Disposable {
  /** Warnings for the operator. */
  readonly warnings: readonly string[];
  /** The reason that the latest write failed, such as a full disk. */
  readonly problem: string | undefined;
  /** The stored data, in bytes. */
  readonly bytes: number;
  /** Stores a session that began, was used, or entered another role. */
  used(session: Session): void;
  /** Deletes a session that is over. */
  over(key: string): void;
  /** Deletes the session's state in the role. */
  forget(role: string, key: string): void;
  /** Deletes the storage that the role's sessions share, if no session is left. */
  forgetShared(role: string): void;
  /**
   * Stores changed parts of a session's storage; an empty part is deleted. Returns false if the store does not take
   * them. The caller then gives them again with its next change.
   */
  keepParts(role: string, key: string, parts: readonly StoragePart[]): boolean;
  /** Returns the tabs of a session as they were last stored; undefined if there are none. */
  tabsOf(role: string, key: string): SessionRecord | undefined;
  /** Returns the parts of a session's storage. `area`: the first word of their names; without it, all. */
  partsOf(role: string, key: string, area?: string): Promise<StoragePart[]>;
  /**
   * Resolves when all changes of the session so far are committed. Rejects with STORE_UNAVAILABLE if they are not
   * within the time. They are tried again with the session's next change.
   */
  committed(key: string, timeMs: number): Promise<void>;
  /**
   * Resolves when the sessions of these keys that are over are deleted. Default: all that are over. Rejects with
   * STORE_UNAVAILABLE if they are not in time.
   */
  deleted(timeMs: number, keys?: readonly string[]): Promise<void>;
  /** Throws STORE_UNAVAILABLE if earlier changes of the session wait because the store does not answer. */
  checkTakes(key: string): void;
}

/** The part of the store that a role uses. A session's key may be empty: that stands for the storage that sessions share. */
export type SessionKeeper = Pick<
  SessionStore,
  "problem" | "keepParts" | "tabsOf" | "partsOf" | "forget" | "forgetShared" | "committed"
>;

/**
 * Returns the address of a session's current tab. Returns undefined if it has none, shows an empty page, or the store
 * cannot be read.
 */
export function addressIn(record: SessionRecord | undefined): string | undefined {
  const url = record?.tabs.find(({ current }) => current)?.url;
  return url && /^https?:/i.test(url) ? url : undefined;
}
