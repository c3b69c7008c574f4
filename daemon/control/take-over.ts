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
  const { session, role } = placeOf(parts, id, asked, client);
  const place = { key: session.key, role };
  const link = linkWith(parts.takeOverPage(), () => parts.takeOvers.invite({ ...place, maker: client }));
  const other = parts.takeOvers.at(place);
  return {
    ...link,
    role,
    atWorkSince: other && timestamp(other.startedAtMs),
  };
}

export function handBack(
  parts: TakeOverControl,
  { session: id, role: asked }: HandBackRequest,
  client: Client,
): HandBackResponse {
  const { session, role } = placeOf(parts, id, asked, client);
  const takeOver = parts.takeOvers.at({ key: session.key, role });
  takeOver?.end("handed-back");
  return { wasAtWork: takeOver !== undefined };
}

function placeOf({ sessions, supervisor }: TakeOverControl, id: string, asked: string, client: Client) {
  const session = sessionOfId(sessions, id, client, "write");
  return { session, role: roleFor(client, asked || session.currentRole, supervisor.names) };
}
