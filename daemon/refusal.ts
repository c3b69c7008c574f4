// Why the daemon does not start, in words for the person who started it.

/** Exit codes after sysexits.h. */
export const EXIT = { usage: 64, unavailable: 69, configuration: 78 } as const;

/** The daemon refuses to start: printed as it is, without a stack. */
export class Refusal extends Error {
  readonly exitCode: number;

  constructor(why: keyof typeof EXIT, message: string) {
    super(message);
    this.name = "Refusal";
    this.exitCode = EXIT[why];
  }
}
