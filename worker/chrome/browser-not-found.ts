/** Says why there is no browser to start, which paths were tried, and how to get one. */
export class BrowserNotFound extends Error {
  override readonly name = "BrowserNotFound";
  readonly reason: BrowserNotFoundReason;
  /** The paths that were tried, best first. */
  readonly lookedFor: readonly string[];
  /** The remedy for the person in front of the machine, in whole sentences. */
  readonly mend: string;

  constructor(
    reason: BrowserNotFoundReason,
    said: { message: string; lookedFor: readonly string[]; mend: string },
  ) {
    super(said.message);
    this.reason = reason;
    this.lookedFor = said.lookedFor;
    this.mend = said.mend;
  }
}

export type BrowserNotFoundReason =
  /** The named program does not exist. */
  | "missing"
  /** The program exists, but this user may not run it. */
  | "not-executable"
  /** The machine has no browser, and no embedded one exists for its system or processor. */
  | "unsupported-platform"
  /** The package that holds the embedded browser is not installed. */
  | "package-missing"
  /** The browser's folder cannot be made, filled or trusted. */
  | "cannot-unpack"
  /** The browser exists but does not start: a shared library is missing, or the file is damaged. */
  | "does-not-start";
