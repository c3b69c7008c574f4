// Defines how the bridge's answers name an element.

/** Has the ARIA role, the accessible name and the lower-case tag for errors. */
export interface Described {
  ref: string;
  role: string;
  name: string;
  tag: string;
}
