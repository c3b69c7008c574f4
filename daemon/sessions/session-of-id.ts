// Finds the session that an operator names. Ids are unique for a client only, and an operator sees all sessions.
import { fail } from "../../proto/errors/catalogue.ts";
import { type Client, type ControlRight, sessionKey } from "../admission/client.ts";
import { denied, mayControl } from "../admission/rights.ts";
import { rolesIn, type SessionOwner, seesRole, seesSession } from "../admission/visible.ts";
import type { Session } from "./session.ts";
import type { Sessions } from "./sessions.ts";

/** The number of sessions that an error names. */
const NAMED = 8;

/**
 * Ends the session of that id, as {@link sessionOfId} finds it, and the named sessions beside it. A connection that
 * has named sessions only has no session of its own. Returns the keys of the ended sessions.
 */
export function closeSession(sessions: Sessions, id: string, client: Client): string[] {
  const key = sessionKey(client.name, id);
  const named = sessions.of({ key }) ? [] : sessions.closeBeside(key);
  if (named.length > 0) return named;
  const session = sessionOfId(sessions, id, client, "write");
  for (const each of [session, ...sessions.namedBeside(session.key)]) checkWhole(each, client);
  return sessions.close(session);
}

/** Throws PERMISSION_DENIED if another client's session has something in roles that this client may not use. */
export function checkWhole(session: SessionOwner & Pick<Session, "id">, client: Client): void {
  if (session.client === client.name || rolesIn(session).every((role) => seesRole(client, role))) return;
  throw denied(`session '${session.id}'`, "It has something in roles that this client may not use.");
}

/**
 * Returns the client's own session of that id. A client with the right over other clients' sessions can also name
 * CLIENT/ID, or an id that only one session in its roles has. Throws SESSION_EXPIRED if there is none,
 * INVALID_ARGUMENT if several match.
 */
export function sessionOfId(sessions: Sessions, id: string, client: Client, right: ControlRight): Session {
  const own = sessions.of({ key: sessionKey(client.name, id) });
  if (own) return own;
  const others = othersNamed(sessions, id).filter((session) => seesSession(session, client, right));
  const [session] = others;
  if (!session) {
    const ended = whyEnded(sessions, id, client, right);
    const reason = ended ?? "there is no such session";
    throw fail("SESSION_EXPIRED", {
      session: id.slice(0, 128),
      reason,
      byOperator: ended === undefined ? "unknown" : "ended",
    });
  }
  if (others.length > 1) throw fail("INVALID_ARGUMENT", { argument: "session", ...ambiguous(others) });
  return session;
}

function whyEnded(sessions: Sessions, id: string, client: Client, right: ControlRight): string | undefined {
  const own = sessions.endOf(sessionKey(client.name, id));
  if (own) return own.reason;
  const other = mayControl(client, right) ? sessions.endOf(id) : undefined;
  return other?.roles.some((role) => seesRole(client, role)) ? other.reason : undefined;
}

function othersNamed(sessions: Sessions, id: string): Session[] {
  const named = sessions.of({ key: id });
  return named ? [named] : sessions.list().filter((session) => session.id === id);
}

/** Returns the data of the error for a name that several sessions have. */
export function ambiguous(all: readonly Pick<Session, "client" | "id">[]) {
  const keys = all.slice(0, NAMED).map(({ client, id }) => sessionKey(client, id));
  const more = all.length > NAMED ? ` and ${all.length - NAMED} more` : "";
  return {
    problem: `is the name of sessions of several clients: ${keys.join(", ")}${more}`,
    hint: `with the client's name before it: ${keys[0]}`,
    likelyCause: "Each client names its sessions for itself",
  };
}
