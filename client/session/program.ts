// The program behind a connection, for operators who ask which one uses a session.

/** `name`: as the program calls itself, `NAME/VERSION`. It may be known only after the program's first message. */
export interface Program {
  name?: string | undefined;
}
