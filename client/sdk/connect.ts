// `connect` makes a client for programs, which is connected when it is returned.
import { type ErrorData, fail } from "../../proto/errors/catalogue.ts";
import { within } from "../../proto/machine/within.ts";
import { IDLE_EXIT } from "../connection/autostart.ts";
import { callError } from "../connection/call-error.ts";
import { connectOrStart } from "../connection/connect-or-start.ts";
import type { DaemonLink } from "../connection/daemon-link.ts";
import { discoverDaemon } from "../connection/discovery.ts";
import { CommandError, EXIT } from "../connection/exit-code.ts";
import { cancelled } from "../connection/transport-failure.ts";
import { checkSettings, type SessionSettings } from "./session-settings.ts";
import { TroupeClient } from "./troupe-client.ts";

export interface ConnectOptions extends SessionSettings {
  /** The daemon's address: unix:PATH or HOST:PORT. Default: TROUPE_ADDRESS, else the daemon of the state folder. */
  address?: string | undefined;
  /** The configuration file. Default: TROUPE_CONFIG, else troupe.yaml here or in a parent folder. */
  config?: string | undefined;
  /** The state folder. Default: TROUPE_STATE_DIR, else one for each configuration. */
  stateDir?: string | undefined;
  /** A token that the daemon knows. Default: TROUPE_TOKEN, else the content of the file TROUPE_TOKEN_FILE. */
  token?: string | undefined;
  /** The authority of the daemon's certificate, a PEM file. Default: TROUPE_CA, else the system's authorities. */
  ca?: string | undefined;
  /** This client's certificate, a PEM file. Default: TROUPE_CERT. */
  cert?: string | undefined;
  /** The certificate's key, a PEM file. Default: TROUPE_KEY. */
  key?: string | undefined;
  /** Starts a daemon if none runs and no address is named. Default: true. */
  autostart?: boolean | undefined;
  /** Cancels the connecting. */
  signal?: AbortSignal | undefined;
}

/** Connects to the daemon, or starts one. Throws a TroupeError: INVALID_ARGUMENT, DAEMON_UNREACHABLE, CANCELLED. */
export async function connect(options: ConnectOptions = {}): Promise<TroupeClient> {
  let link: DaemonLink | undefined;
  try {
    checkSettings(options);
    link = linkOf(options);
    if (options.signal?.aborted) throw cancelled();
    await within({ signal: options.signal, aborted: cancelled }, link.connection());
    return new TroupeClient(link, options);
  } catch (caught) {
    link?.close();
    throw callError(caught, { ...CALL, session: options.session ?? "" }, "connect");
  }
}

/** This failure is not a tool's call, so its plan is in words. */
const CALL = { tool: "connect", arguments: {}, profile: "debug", role: "", tab: "" } as const;

function linkOf({
  address,
  config,
  stateDir,
  session,
  autostart = true,
  ...shown
}: ConnectOptions): DaemonLink {
  const { token, ca, cert, key } = shown;
  const cwd = process.cwd();
  const { env } = process;
  try {
    const where = discoverDaemon({ address, config, stateDir, token, ca, cert, key }, { cwd, env });
    return connectOrStart({ where, cwd, env, roles: [], idleExit: IDLE_EXIT, autostart, session });
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    const argument = error.exitCode === EXIT.configuration ? "config" : "address";
    throw refused({ argument, problem: error.message });
  }
}

function refused(data: ErrorData["INVALID_ARGUMENT"]) {
  return fail("INVALID_ARGUMENT", data);
}
