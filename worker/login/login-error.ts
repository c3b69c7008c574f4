// Says why there is no login, in words for the person who wanted one.

/** Exit codes after sysexits.h. 1 means that the login itself failed, 130 that the person ended it. */
const EXIT = { failed: 1, usage: 64, unavailable: 69, configuration: 78, interrupted: 130 } as const;

/** Reports that no login is saved. Its message is printed as it is, without a stack. */
export class LoginError extends Error {
  readonly exitCode: number;

  constructor(why: keyof typeof EXIT, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "LoginError";
    this.exitCode = EXIT[why];
  }
}
