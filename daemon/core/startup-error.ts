// The reason that the daemon does not start, in words for the operator.

/** Exit codes after sysexits.h. */
export const EXIT = { usage: 64, unavailable: 69, configuration: 78 } as const;

/** Stops the daemon's start. The process prints the message as it is, without a stack. */
export class StartupError extends Error {
  readonly exitCode: number;

  constructor(why: keyof typeof EXIT, message: string) {
    super(message);
    this.name = "StartupError";
    this.exitCode = EXIT[why];
  }
}

/**
 * Returns a StartupError if the error explains itself: a StartupError, or an error of the system or of SQLite. Returns
 * undefined for any other error.
 */
export function startupErrorFor(error: unknown): StartupError | undefined {
  if (error instanceof StartupError) return error;
  if (
    !(error instanceof Error) ||
    !("code" in error) ||
    !/^(E[A-Z0-9]+|ERR_SQLITE_ERROR)$/.test(String(error.code))
  )
    return undefined;
  return new StartupError(
    "unavailable",
    `The daemon cannot start: ${error.message}\nSee that its state folder (--state-dir) can be written and has room`,
  );
}
