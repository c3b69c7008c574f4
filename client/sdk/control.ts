// The control plane: typed calls of troupe.v1.Control, with errors as plans.
import { randomUUID } from "node:crypto";
import { fail, isTroupeError } from "../../proto/errors/catalogue.ts";
import type {
  ControlMethods,
  Input,
  WatchEventsRequest,
  WatchEventsResponse,
} from "../../proto/gen/troupe.ts";
import { VERSION } from "../../proto/machine/version.ts";
import { within } from "../../proto/machine/within.ts";
import * as headers from "../../proto/wire/metadata.ts";
import { type CallError, callError } from "../connection/call-error.ts";
import type { DaemonLink } from "../connection/daemon-link.ts";
import { cancelled } from "../connection/transport-failure.ts";
import { failureOf } from "../session/exchange.ts";

/** The rpcs that answer once. */
export type ControlRpc = Exclude<keyof ControlMethods, "WatchEvents">;

const DEADLINE_MS = 120_000;
const CONNECT_MS = 55_000;
const RETRY_AFTER_MS = 1000;

/** Calls one rpc. Throws a CallError. */
export async function callControl<M extends ControlRpc>(
  link: DaemonLink,
  session: string,
  rpc: M,
  request: Input<ControlMethods[M]["request"]>,
  signal?: AbortSignal,
): Promise<ControlMethods[M]["response"]> {
  const question = askedOf(link, session, rpc, signal);
  try {
    const connection = await question.connection(true);
    const options = { headers: question.headers, signal, deadlineMs: DEADLINE_MS };
    return (await connection.call(
      "Control",
      rpc,
      request as never,
      options,
    )) as ControlMethods[M]["response"];
  } catch (error) {
    throw question.errorOf(error);
  }
}

/**
 * Streams the daemon's events for as long as one connection lasts. `start`: a daemon is started if none runs. Throws a
 * CallError.
 */
export async function* watchControl(
  link: DaemonLink,
  session: string,
  request: Input<WatchEventsRequest>,
  start: boolean,
  signal: AbortSignal,
): AsyncGenerator<WatchEventsResponse, void> {
  const question = askedOf(link, session, "WatchEvents", signal);
  try {
    const connection = await question.connection(start);
    yield* connection.stream("Control", "WatchEvents", request, { headers: question.headers, signal });
  } catch (error) {
    throw question.errorOf(error);
  }
}

/** Gathers the facts of one question, for its headers and its error. */
function askedOf(link: DaemonLink, session: string, rpc: keyof ControlMethods, signal?: AbortSignal) {
  const requestId = randomUUID();
  const known = { tool: rpc, arguments: {}, profile: "debug", role: "", session, tab: "" } as const;
  const sent = { address: link.shown, deadlineMs: DEADLINE_MS, requestId, signal };
  const reason = `it could not be asked within ${CONNECT_MS / 1000} s`;
  const late = () =>
    fail("DAEMON_UNREACHABLE", {
      address: link.shown,
      reason,
      retryAfterMs: RETRY_AFTER_MS,
      effect: "none",
    });
  return {
    headers: {
      [headers.SESSION]: session,
      [headers.VERSION_HEADER]: VERSION,
      [headers.REQUEST_ID]: requestId,
    },
    connection: (start: boolean) =>
      within({ signal, aborted: cancelled, timeMs: CONNECT_MS, late }, link.connection({ start })),
    errorOf: (caught: unknown): CallError =>
      callError(isTroupeError(caught) ? caught : failureOf(caught, sent).error, known, requestId),
  };
}
