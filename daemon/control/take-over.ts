// Control.TakeOver and Control.HandBack: a link by which a person takes a session over, and the end of that.
import type {
  HandBackRequest,
  HandBackResponse,
  Input,
  TakeOverRequest,
  TakeOverResponse,
} from "../../proto/gen/troupe.ts";
import type { Client } from "../admission/client.ts";
import { roleFor } from "../admission/rights.ts";
import type { Session } from "../sessions/session.ts";
import { sessionOfId } from "../sessions/session-of-id.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { timestamp } from "../supervisor/failure-history.ts";
import type { Supervisor } from "../supervisor/supervisor.ts";
import { linkWith } from "../takeover/person-page.ts";
import type { TakeOvers } from "../takeover/take-overs.ts";

export interface TakeOverControl {
  sessions: Sessions;
  supervisor: Pick<Supervisor, "names">;
  takeOvers: TakeOvers;
  /** Returns the address of the person's page. Undefined without an HTTP door. */
  takeOverPage: () => string | undefined;
}

/** The client may do so with its own sessions, and with the right to write also with those of other clients. */
export function linkTo(
  parts: TakeOverControl,
  { session: id, role: asked }: TakeOverRequest,
  client: Client,
): Input<TakeOverResponse> {
  const session = sessionOfId(parts.sessions, id, client, "write");
  const role = roleFor(client, asked || session.currentRole, parts.supervisor.names);
  const place = { key: session.key, role };
  const link = linkWith(parts.takeOverPage(), () => parts.takeOvers.invite({ ...place, maker: client }));
  const other = parts.takeOvers.at(place);
  return {
    ...link,
    role,
    atWorkSince: other && timestamp(other.startedAtMs),
  };
}

/** In a role that the configuration no longer has, there is nothing left to hand back, and that is no mistake. */
export function handBack(
  parts: TakeOverControl,
  { session: id, role: asked }: HandBackRequest,
  client: Client,
): HandBackResponse {
  const { names } = parts.supervisor;
  const session = sessionOfId(parts.sessions, id, client, "write");
  const role = asked || session.currentRole;
  if (names.includes(role) || !wasIn(session, role)) roleFor(client, role, names);
  const takeOver = parts.takeOvers.at({ key: session.key, role });
  takeOver?.end("handed-back");
  return { wasAtWork: takeOver !== undefined };
}

function wasIn({ currentRole, visits }: Session, role: string): boolean {
  return role === currentRole || visits.has(role);
}
