// The named sessions beside each connection's own session. They end with it.
import { baseSessionId } from "../../proto/wire/session-name.ts";
import { sessionKey } from "../admission/client.ts";
import type { Session } from "./session.ts";

/** Returns the key of the connection's own session, if calls name this one beside it. */
export function baseKeyOf({ id, client, name }: Pick<Session, "id" | "client" | "name">): string | undefined {
  const base = name === undefined ? undefined : baseSessionId(id, name);
  return base === undefined ? undefined : sessionKey(client, base);
}

/** Finds named sessions by the key of their connection's own session. That one need not exist. */
export class NamedBeside {
  readonly #byBase = new Map<string, Set<Session>>();

  add(session: Session): void {
    const base = baseKeyOf(session);
    if (base === undefined) return;
    const all = this.#byBase.get(base) ?? new Set();
    this.#byBase.set(base, all.add(session));
  }

  delete(session: Session): void {
    const base = baseKeyOf(session) ?? "";
    const all = this.#byBase.get(base);
    all?.delete(session);
    if (all?.size === 0) this.#byBase.delete(base);
  }

  /** Returns the named sessions beside the session of this key. */
  of(key: string): Session[] {
    return [...(this.#byBase.get(key) ?? [])];
  }
}
