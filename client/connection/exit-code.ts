// The exit codes of commands: those of sysexits(3), and 1 if a tool failed.
import type { ErrorDetail } from "../../proto/errors/catalogue.ts";

export const EXIT = { ok: 0, failed: 1, usage: 64, unavailable: 69, configuration: 78 } as const;
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

/** The exit code for a failed call. */
export function exitCodeOf({ type, details }: Pick<ErrorDetail, "type" | "details">): ExitCode {
  switch (type) {
    case "DAEMON_UNREACHABLE":
      return details.misconfigured ? EXIT.configuration : EXIT.unavailable;
    case "DAEMON_DRAINING":
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

/** Returns true if an operator has to start or mend the daemon. A daemon that was lost during a call is no such case. */
export function isNoDaemon({ type, details }: Pick<ErrorDetail, "type" | "details">): boolean {
  return type === "DAEMON_UNREACHABLE" && (details.neverConnected === true || details.mend !== undefined);
}
