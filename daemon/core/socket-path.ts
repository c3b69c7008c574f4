// Checks the path of a unix socket: short enough, in a safe folder, and free.
import { lstatSync, rmSync, statSync } from "node:fs";
import { connect } from "node:net";
import path from "node:path";
import { SOCKET_PATH_BYTES_MAX } from "../../proto/machine/locations.ts";
import { quote } from "../../proto/text/quote.ts";
import { StartupError } from "./startup-error.ts";

/** No address of a socket can hold these: gRPC does not parse it. */
const CONTROLS = /[\p{Cc}\u2028\u2029]/u;

/** Returns the path for a message if it holds a control character; undefined if it holds none. */
export function withControls(file: string): string | undefined {
  return CONTROLS.test(file) ? quote(file) : undefined;
}

/** Makes the path usable: it removes a socket that a dead process left. Throws a StartupError. */
export async function makeWayForSocket(socket: string): Promise<void> {
  const bytes = Buffer.byteLength(socket);
  if (bytes > SOCKET_PATH_BYTES_MAX) {
    throw new StartupError(
      "configuration",
      `The socket's path has ${bytes} bytes, at most ${SOCKET_PATH_BYTES_MAX} are possible: ${socket}\nChoose a shorter one with --listen unix:PATH, or a shorter --state-dir`,
    );
  }
  const shown = withControls(socket);
  if (shown) {
    throw new StartupError(
      "configuration",
      `Cannot listen at unix:${shown}: the path holds a line break or another control character\nChoose another with --listen or listen: in the configuration`,
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
