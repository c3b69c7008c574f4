// Checks that the configuration's ports are free or belong to its own daemon, and names other users of them.
import { once } from "node:events";
import { createServer } from "node:net";
import { type Finding, unwell, well } from "../../proto/machine/finding.ts";
import type { StateFiles } from "../../proto/machine/locations.ts";
import type { HttpAddress } from "../config/load.ts";
import { portHolder } from "../state/port-holder.ts";
import { runningNote } from "../state/running-note.ts";

/** An address that the daemon is to listen at, and its key in the configuration. */
export interface Door extends HttpAddress {
  key: "listen" | "http" | "peers.listen";
}

/** `own` is true if this configuration's daemon runs and has the port. */
export async function portFinding({ host, port, preferred, key }: Door, own: boolean): Promise<Finding> {
  const check = `port ${port}`;
  if (port === 0) return well("ports", "any free one is taken");
  if (own) return well(check, `${host}:${port} is this configuration's daemon`);
  const fault = await whyTaken({ host, port });
  if (!fault) return well(check, `${host}:${port} is free`);
  if (fault !== "EADDRINUSE")
    return unwell(
      check,
      `${host}:${port} cannot be listened at (${fault})`,
      `Name another address in ${key}: of the configuration.`,
    );
  const holder = await portHolder({ host, port });
  if (preferred)
    return well(check, `${host}:${port} is taken by ${holder}; a daemon takes a free port instead`);
  return unwell(
    check,
    `${host}:${port} is taken by ${holder}`,
    `End it, or name another port in ${key}: of the configuration.${key === "http" ? ANY_PORT : ""}`,
  );
}

/** Returns true if the daemon that runs on the state folder has that port. */
export function isOwn(
  { port, key }: Pick<Door, "port" | "key">,
  files: Pick<StateFiles, "note" | "lock">,
): boolean {
  const note = runningNote(files);
  if (!note) return false;
  const { addresses = [], http = [], peers } = note;
  const listening = key === "peers.listen" ? peers : [...addresses, ...http];
  // A daemon of an earlier version does not note its port for other daemons.
  return listening?.some((each) => each.endsWith(`:${port}`)) ?? true;
}

const ANY_PORT = " http: 127.0.0.1:0 takes any free one, http: off none.";

async function whyTaken({ host, port }: HttpAddress): Promise<string | undefined> {
  const server = createServer();
  try {
    const listening = once(server, "listening");
    server.listen({ host, port });
    await listening;
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? (error as Error).message;
  } finally {
    server.close();
  }
}
