// Why there is no login, in words for the person who wanted one.

/** Exit codes after sysexits.h; 1 where a login failed as logins may, 130 where the person ended it. */
const EXIT = { failed: 1, usage: 64, unavailable: 69, configuration: 78, interrupted: 130 } as const;

/** No login is saved: printed as it is, without a stack. */
export class LoginRefusal extends Error {
  readonly exitCode: number;

  constructor(why: keyof typeof EXIT, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "LoginRefusal";
    this.exitCode = EXIT[why];
  }
}
