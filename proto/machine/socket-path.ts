// Decides if a unix socket can have a path.
import { quote } from "../text/quote.ts";

/** The longest path of a unix socket (sun_path less its end). */
const SOCKET_PATH_BYTES_MAX = 107;
/** Workers' sockets have the longest names in the state folder. */
const LONGEST_SOCKET = "/w999999.sock";
/** gRPC parses no address with one of these. */
const CONTROLS = /[\p{Cc}\u2028\u2029]/u;

/** Returns the reason that no socket can have the path; undefined if one can. */
export function socketProblem(file: string): string | undefined {
  const bytes = Buffer.byteLength(file);
  if (bytes > SOCKET_PATH_BYTES_MAX)
    return `the socket's path has ${bytes} bytes, at most ${SOCKET_PATH_BYTES_MAX} are possible: ${shown(file)}`;
  return CONTROLS.test(file) ? `the socket's path ${HOLDS_CONTROLS}: ${shown(file)}` : undefined;
}

/** Returns the reason that a state folder cannot hold the daemon's sockets; undefined if it can. */
export function stateFolderProblem(dir: string): string | undefined {
  const beyond = Buffer.byteLength(dir + LONGEST_SOCKET) - SOCKET_PATH_BYTES_MAX;
  if (beyond > 0)
    return `the state folder's path is ${beyond} bytes too long for the sockets in it (a socket's path may have ${SOCKET_PATH_BYTES_MAX}): ${shown(dir)}`;
  return CONTROLS.test(dir) ? `the state folder's path ${HOLDS_CONTROLS}: ${shown(dir)}` : undefined;
}

const HOLDS_CONTROLS = "holds a line break or another control character, which no socket's address can have";

/** Paths are shown as they are, unless they would break the line. */
function shown(file: string): string {
  return CONTROLS.test(file) ? quote(file) : file;
}
