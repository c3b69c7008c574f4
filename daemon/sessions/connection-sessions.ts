// The sessions of each connection: its own one and those that calls name beside it. Its streams hold all of them.
import { baseSessionId } from "../../proto/wire/session-name.ts";
import { sessionKey } from "../admission/client.ts";
import type { Hold, Session } from "./session.ts";

type Identity = Pick<Session, "id" | "client" | "name" | "key">;

/** Returns the key of the connection's own session, if calls name this one beside it. */
export function baseKeyOf({ id, client, name }: Omit<Identity, "key">): string | undefined {
  const base = name === undefined ? undefined : baseSessionId(id, name);
  return base === undefined ? undefined : sessionKey(client, base);
}

/** Returns the key of the connection: that of its own session, which need not exist. */
export function connectionKeyOf(session: Identity): string {
  return baseKeyOf(session) ?? session.key;
}

interface ConnectionState {
  hold: Hold;
  sessions: Set<Session>;
}

/** Connections with a session or an open stream, by the connection's key. */
export class ConnectionSessions {
  readonly #connections = new Map<string, ConnectionState>();

  /** Returns the hold of a session that begins. The caller adds the session next. */
  holdFor(session: Identity): Hold {
    return this.#stateOf(connectionKeyOf(session)).hold;
  }

  add(session: Session): void {
    this.#stateOf(connectionKeyOf(session)).sessions.add(session);
  }

  delete(session: Session): void {
    const key = connectionKeyOf(session);
    this.#connections.get(key)?.sessions.delete(session);
    this.#forgetIfOver(key);
  }

  /** Returns the named sessions beside the session of this key. */
  namedBeside(key: string): Session[] {
    return [...(this.#connections.get(key)?.sessions ?? [])].filter((session) => session.key !== key);
  }

  /** Counts an open stream of the connection. */
  streamOpened(key: string): void {
    const { hold } = this.#stateOf(key);
    hold.streams++;
    hold.endedAtMs = undefined;
  }

  /**
   * Counts the stream no more. Returns the sessions that no stream holds from now on. `nowMs` is undefined if the client
   * may have a stream elsewhere.
   */
  streamEnded(key: string, nowMs: number | undefined): Session[] {
    const { hold, sessions } = this.#stateOf(key);
    hold.streams--;
    if (hold.streams > 0) return [];
    hold.endedAtMs = nowMs;
    this.#forgetIfOver(key);
    return [...sessions];
  }

  #stateOf(key: string): ConnectionState {
    const known = this.#connections.get(key);
    if (known) return known;
    const state: ConnectionState = { hold: { streams: 0, endedAtMs: undefined }, sessions: new Set() };
    this.#connections.set(key, state);
    return state;
  }

  #forgetIfOver(key: string): void {
    const { hold, sessions } = this.#connections.get(key) ?? {};
    if (hold?.streams === 0 && sessions?.size === 0) this.#connections.delete(key);
  }
}
