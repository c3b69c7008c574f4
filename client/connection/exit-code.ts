// How commands end: sysexits(3), and 1 where a tool failed as tools may.
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

/** A command line that cannot be meant. */
export function usageError(message: string): CommandError {
  return new CommandError(EXIT.usage, message);
}

/** What a command exits with when a call failed so. */
export function exitCodeOf(detail: Pick<ErrorDetail, "type">): ExitCode {
  switch (detail.type) {
    case "DAEMON_UNREACHABLE":
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
