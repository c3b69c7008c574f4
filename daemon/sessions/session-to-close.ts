// Which session is meant by who wants one closed: ids are told apart by client, and an operator sees those of all.
import { fail } from "../../proto/errors/catalogue.ts";
import { type Client, sessionKey } from "../admission/client.ts";
import { mayControl } from "../admission/rights.ts";
import type { Session, Sessions } from "./sessions.ts";

/** How many an error names. */
const NAMED = 8;

/**
 * The client's own session of that id; for who may close those of others, also what CLIENT/ID names, or the only one of
 * that id. Throws SESSION_EXPIRED where there is none, INVALID_ARGUMENT where it may be one of several.
 */
export function sessionToClose(sessions: Sessions, id: string, client: Client): Session {
  const own = sessions.of({ key: sessionKey(client.name, id) });
  if (own) return own;
  const others = mayControl(client, "write") ? othersNamed(sessions, id) : [];
  const [session] = others;
  if (!session)
    throw fail("SESSION_EXPIRED", {
      session: id.slice(0, 128),
      reason: "there is no such session",
      toClose: true,
    });
  if (others.length > 1) throw fail("INVALID_ARGUMENT", { argument: "session", ...ambiguous(others) });
  return session;
}

function othersNamed(sessions: Sessions, id: string): Session[] {
  const named = sessions.of({ key: id });
  return named ? [named] : sessions.list().filter((session) => session.id === id);
}

function ambiguous(all: readonly Session[]) {
  const keys = all.slice(0, NAMED).map(({ client, id }) => sessionKey(client, id));
  const more = all.length > NAMED ? ` and ${all.length - NAMED} more` : "";
  return {
    problem: `is the name of sessions of several clients: ${keys.join(", ")}${more}`,
    hint: `with the client's name before it: ${keys[0]}`,
    likelyCause: "Each client names its sessions for itself",
  };
}
