// Works with a daemon that runs, and with sessions that other programs have begun.
import type { ControlMethods, Input } from "../../../proto/gen/troupe.ts";
import { VERSION } from "../../../proto/machine/version.ts";
import type { ControlRpc } from "../../sdk/control.ts";
import type { Session } from "../../session/session.ts";
import type { SessionOptions } from "../../session/session-options.ts";
import type { Invocation } from "./command.ts";
import { CLI_SESSION } from "./terminal-session.ts";

const CLOSE_TIMEOUT_MS = 1_000;

/** A running daemon. Its sessions stay as they are when the work is over. */
export interface ReachedDaemon {
  control<M extends ControlRpc>(
    rpc: M,
    request: Input<ControlMethods[M]["request"]>,
  ): Promise<ControlMethods[M]["response"]>;
  session(options: Pick<SessionOptions, "id" | "profile" | "own">): Session;
}

/** Throws a CallError if no daemon runs: none is started. */
export async function atDaemon<T>(
  { cwd, env, flags }: Invocation,
  work: (daemon: ReachedDaemon) => Promise<T>,
): Promise<T> {
  const [{ callControl }, { DaemonLink }, { discoverDaemon }, { Session: Opened }] = await Promise.all([
    import("../../sdk/control.ts"),
    import("../../connection/daemon-link.ts"),
    import("../../connection/discovery.ts"),
    import("../../session/session.ts"),
  ]);
  const link = new DaemonLink(discoverDaemon(flags, { cwd, env }));
  const program = { name: `troupe/${VERSION}` };
  const opened: Session[] = [];
  try {
    return await work({
      control: (rpc, request) => callControl(link, CLI_SESSION, rpc, request),
      session(options) {
        const session = new Opened({ link, program, ...options });
        opened.push(session);
        return session;
      },
    });
  } finally {
    await Promise.all(opened.map((session) => session.close(AbortSignal.timeout(CLOSE_TIMEOUT_MS))));
    link.close();
  }
}
