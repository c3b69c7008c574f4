// Control.WatchEvents: sends events, sends heartbeats in between, and holds the caller's session.
import { fail } from "../../proto/errors/catalogue.ts";
import type { Admission } from "../admission/admission.ts";
import { callerOf } from "../admission/caller.ts";
import type { Client } from "../admission/client.ts";
import { checkControl, checkRole, mayControl, roleFor, rolesOf } from "../admission/rights.ts";
import { seesRole } from "../admission/visible.ts";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { IdentifyCaller } from "../grpc/caller-identity.ts";
import { wellFormed } from "../grpc/control-definition.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { draining } from "../sessions/unavailable.ts";
import { timestamp } from "../supervisor/failure-history.ts";
import type { Supervisor } from "../supervisor/supervisor.ts";
import type { DaemonEvent, EventOwner, Events } from "../telemetry/events.ts";
import { statusOf } from "./control-status.ts";
import type { EventStream, EventStreams } from "./event-streams.ts";

export interface WatchParts {
  admission: Pick<Admission, "watchOver">;
  supervisor: Supervisor;
  sessions: Sessions;
  events: Events;
  clock: Clock;
  log: Log;
  /** Open streams. The drain ends them first, because a server waits for them. */
  streams: EventStreams;
}

const HEARTBEAT_MS = 10_000;
/** The events that may wait for a slow watcher. */
const WAITING_MAX = 1000;

export function watchEvents(parts: WatchParts, who: IdentifyCaller): (stream: EventStream) => void {
  return (stream) => {
    try {
      const client = who(stream);
      checkControl(client, "WatchEvents");
      open(stream, parts, client, () => who(stream));
    } catch (error) {
      endWith(error, stream, parts);
    }
  };
}

function endWith(
  error: unknown,
  stream: EventStream,
  { clock, log }: Pick<WatchParts, "clock" | "log">,
): void {
  stream.emit("error", statusOf(error, "WatchEvents", stream.metadata, clock, log));
}

function open(
  stream: EventStream,
  parts: WatchParts,
  opened: Client,
  /**
   * Identifies the client as it is now, because its token's rights may have changed. Throws if the client lost its
   * access.
   */
  identifies: () => Client,
): void {
  const { admission, events, streams, sessions, supervisor, clock } = parts;
  const { role, holdsSession } = wellFormed(stream.request, "WatchEvents");
  using opening = new DisposableStack();
  opening.use(streams.add(stream, opened.name));
  let client = opened;
  const wanted = role ? roleFor(client, role, supervisor.names) : undefined;
  // A reload may add roles.
  const own = () => rolesOf(client, supervisor.names);
  if (holdsSession) opening.defer(sessions.holdOf(callerOf(stream.metadata, client), own()[0]));
  const send = (event: DaemonEvent) => {
    if (stream.writableLength >= WAITING_MAX) {
      const slow = fail("BUSY", {
        limit: `${WAITING_MAX} events wait for this watcher, who does not read them`,
        holders: [],
        retryAfterMs: 0,
      });
      endWith(slow, stream, parts);
    } else {
      stream.write({ at: timestamp(clock.now()), ...event });
    }
  };
  const see = (event: DaemonEvent, owner: EventOwner) => {
    if (isFor(client, owner) && (wanted === undefined || concerns(event, wanted))) send(event);
  };
  opening.defer(events.watch(see));
  const heart = setInterval(() => send({ heartbeat: {} }), HEARTBEAT_MS).unref();
  opening.defer(() => clearInterval(heart));
  const look = () => {
    client = identifies();
    checkControl(client, "WatchEvents");
    if (wanted !== undefined) checkRole(client, wanted, supervisor.names);
  };
  opening.defer(admission.watchOver(look, (error) => endWith(error, stream, parts)));
  const whileOpen = opening.move();
  for (const end of ["cancelled", "close", "error", "finish"]) stream.once(end, () => whileOpen.dispose());
  // The first heartbeat confirms the stream to the watcher, and that its session is held.
  send({ heartbeat: {} });
}

/** A session's events are its client's. Those of a role are for all that may use it. */
function isFor(client: Client, { client: owner, roles }: EventOwner): boolean {
  if (owner !== undefined && owner === client.name) return true;
  const isReadable = owner === undefined || mayControl(client, "read");
  return isReadable && roles.some((role) => seesRole(client, role));
}

function concerns(event: DaemonEvent, role: string): boolean {
  if ("role" in event) return event.role.name === role;
  if ("episode" in event) return event.episode.role === role;
  return !("callFailed" in event) || event.callFailed.call?.role === role;
}

/** Ends all streams, so that their watchers look for another daemon. */
export function endStreams(parts: Pick<WatchParts, "streams" | "clock" | "log">): void {
  for (const stream of parts.streams) endWith(draining("none"), stream, parts);
}
