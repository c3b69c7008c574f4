// How the bridge's answers name an element.

/** ARIA role, accessible name, lower-case tag: what an error says of an element. `ref` carries the prefix. */
export interface Described {
  ref: string;
  role: string;
  name: string;
  tag: string;
}
