/** Why there is no browser to start, what was looked for, and how to mend it. */
export class BrowserNotFound extends Error {
  override readonly name = "BrowserNotFound";
  readonly reason: BrowserNotFoundReason;
  /** The paths that were looked at, best first. */
  readonly lookedFor: readonly string[];
  /** What the person in front of the machine can do: whole sentences. */
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
  /** What was named does not exist. */
  | "missing"
  /** It exists, but is no program that this user may run. */
  | "not-executable"
  /** Nothing on the machine, and there is no embedded browser for its system or processor. */
  | "unsupported-platform"
  /** The package that holds the embedded browser is not installed. */
  | "package-missing"
  /** Its folder cannot be made, filled or trusted. */
  | "cannot-unpack"
  /** It is there, but does not start: a shared library is missing, or the file is damaged. */
  | "does-not-start";
