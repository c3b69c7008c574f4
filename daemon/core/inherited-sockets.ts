// Finds the listening sockets that systemd hands to this process, as sd_listen_fds(3) describes.
import { fstatSync, readFileSync } from "node:fs";
import type { Address } from "../../proto/machine/address.ts";
import { StartupError } from "./startup-error.ts";

/** An address, and the descriptor if another process listens there for this one. */
export type ListenAddress = Address & { fd?: number };

const FIRST_FD = 3;
/** A unit with more sockets is no unit of Troupe's. */
const SOCKETS_MAX = 16;
/** The kernel's list of unix sockets, with inode and path at the end of each line. */
const UNIX_SOCKETS = "/proc/net/unix";
const LINE = /^\S+(?: \S+){5} +(\d+) (\/.*)$/;

/**
 * Returns the handed sockets. Takes their variables out of `env`: they are for this process only. Throws a StartupError
 * for a socket that is no unix socket: its address was never checked for who may call there.
 */
export function inheritedSockets(env: NodeJS.ProcessEnv): ListenAddress[] {
  const { LISTEN_PID, LISTEN_FDS } = env;
  for (const name of ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"]) delete env[name];
  if (LISTEN_FDS === undefined || Number(LISTEN_PID) !== process.pid) return [];
  const count = Number(LISTEN_FDS);
  if (!Number.isInteger(count) || count < 0 || count > SOCKETS_MAX)
    throw refusal(`LISTEN_FDS is ${LISTEN_FDS}, and at most ${SOCKETS_MAX} sockets can be taken`);
  return Array.from({ length: count }, (_, index) => socketAt(FIRST_FD + index));
}

/** Adds handed sockets to the configured addresses. One at a configured path takes its place. */
export function withInherited(
  configured: readonly Address[],
  inherited: readonly ListenAddress[],
): ListenAddress[] {
  const paths = inherited.flatMap((each) => (each.kind === "unix" ? each.path : []));
  const others = configured.filter((each) => each.kind !== "unix" || !paths.includes(each.path));
  return [...others, ...inherited];
}

function socketAt(fd: number): ListenAddress {
  const path = pathOf(fd);
  if (path === undefined)
    throw refusal(
      `descriptor ${fd} is no unix socket with a path\nList TCP addresses under listen: in the configuration instead`,
    );
  return { kind: "unix", path, fd };
}

/** Node does not know the path of a socket that it has not bound itself. */
function pathOf(fd: number): string | undefined {
  try {
    const { ino } = fstatSync(fd);
    const lines = readFileSync(UNIX_SOCKETS, "utf8").split("\n");
    return lines.map((line) => LINE.exec(line)).find((found) => Number(found?.[1]) === ino)?.[2];
  } catch (error) {
    // The variables name a descriptor that is not open.
    if ((error as NodeJS.ErrnoException).code === "EBADF") return undefined;
    throw error;
  }
}

function refusal(why: string): StartupError {
  return new StartupError("configuration", `Cannot take the sockets of the service manager: ${why}`);
}
