/** A closed browser and a broken network look alike. */
export const LOST = "the connection to it was lost";

/** Says why there is no connection to an attached browser. */
export class NotConnected extends Error {
  override readonly name = "NotConnected";
  /** The browser has probably asked a person, who said no or did not answer. It would ask again. */
  readonly isDeclined: boolean;

  constructor(
    message: string,
    { isDeclined = false, ...options }: ErrorOptions & { isDeclined?: boolean } = {},
  ) {
    super(message, options);
    this.isDeclined = isDeclined;
  }
}
