// Controls that a session acted on, as the worker asks about them. Types alone.

/** A control that the session acted on. With `isTyped`, any text in it is the session's. */
export interface TouchedControl {
  ref: string;
  isTyped: boolean;
}

/** A control that holds the session's input. */
export interface Held {
  role: string;
  name: string;
}
