// The exit codes of commands: those of sysexits(3), and 1 if a tool failed.
import type { ErrorDetail } from "../../proto/errors/catalogue.ts";

export const EXIT = { ok: 0, failed: 1, usage: 64, unavailable: 69, lost: 74, configuration: 78 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Ends a command with a message for a person. */
export class CommandError extends Error {
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string) {
    super(message);
    this.name = "CommandError";
    this.exitCode = exitCode;
  }
}

/** The error for a command line that makes no sense. */
export function usageError(message: string): CommandError {
  return new CommandError(EXIT.usage, message);
}

/**
 * The exit code for a failed call. A script may repeat a call that ended with 69, so 74 (EX_IOERR) is for one that may
 * have acted.
 */
export function exitCodeOf({ type, details }: Pick<ErrorDetail, "type" | "details">): ExitCode {
  switch (type) {
    case "DAEMON_UNREACHABLE":
      if (details.misconfigured) return EXIT.configuration;
      return mayHaveActed(details) ? EXIT.lost : EXIT.unavailable;
    case "DAEMON_DRAINING":
      return mayHaveActed(details) ? EXIT.lost : EXIT.unavailable;
    case "WORKER_UNAVAILABLE":
      return EXIT.unavailable;
    case "INVALID_ARGUMENT":
    case "UNKNOWN_TOOL":
    case "UNKNOWN_ROLE":
      return EXIT.usage;
    default:
      return EXIT.failed;
  }
}

function mayHaveActed({ effect }: ErrorDetail["details"]): boolean {
  return effect !== undefined && effect !== "none";
}

/** Returns true if an operator has to start or mend the daemon. A daemon that was lost during a call is no such case. */
export function isNoDaemon({ type, details }: Pick<ErrorDetail, "type" | "details">): boolean {
  return type === "DAEMON_UNREACHABLE" && (details.neverConnected === true || details.mend !== undefined);
}
