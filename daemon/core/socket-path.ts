// Checks the path of a unix socket: short enough, in a safe folder, and free.
import { lstatSync, rmSync, statSync } from "node:fs";
import { connect } from "node:net";
import path from "node:path";
import { socketProblem } from "../../proto/machine/socket-path.ts";
import { StartupError } from "./startup-error.ts";

/** Makes the path usable: it removes a socket that a dead process left. Throws a StartupError. */
export async function makeWayForSocket(socket: string): Promise<void> {
  const problem = socketProblem(socket);
  if (problem) {
    throw new StartupError(
      "configuration",
      `Cannot listen: ${problem}\nChoose another path with --listen unix:PATH, or another --state-dir`,
    );
  }
  checkFolder(path.dirname(socket));
  const found = lstatSync(socket, { throwIfNoEntry: false });
  if (!found) return;
  if (!found.isSocket()) {
    throw new StartupError(
      "configuration",
      `Cannot listen at unix:${socket}: there is a file of that name that is no socket\nRemove it, or choose another path`,
    );
  }
  if (await answers(socket)) {
    throw new StartupError(
      "unavailable",
      `Cannot listen at unix:${socket}: another program listens there\nEnd that program, or choose another path with --listen or listen: in the configuration`,
    );
  }
  rmSync(socket, { force: true });
}

/** Any user with write access to the folder could replace the socket with another. */
function checkFolder(folder: string): void {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (!found?.isDirectory())
    throw new StartupError("configuration", `Cannot make a socket in ${folder}: there is no such folder`);
  const open = (found.mode & 0o022) !== 0 && (found.mode & 0o1000) === 0;
  if (open)
    throw new StartupError(
      "configuration",
      `Cannot make a socket in ${folder}: others may write there; run: chmod go-w ${folder}`,
    );
}

function answers(socket: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const probe = connect(socket);
  probe.once("connect", () => resolve(true));
  probe.once("error", (error: NodeJS.ErrnoException) =>
    resolve(error.code !== "ECONNREFUSED" && error.code !== "ENOENT"),
  );
  return promise.finally(() => probe.destroy());
}
