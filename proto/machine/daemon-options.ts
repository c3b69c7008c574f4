// The flags of `troupe daemon`, for the daemon that reads them and for the command line that completes them.

/** Each flag in commander's form, with its description. A repeatable one collects its values. */
export const DAEMON_OPTIONS: readonly (readonly [flags: string, description: string, repeatable?: true])[] = [
  ["--config <file>", "the configuration; default: troupe.yaml here or in a parent folder"],
  ["--listen <address>", "unix:default, unix:PATH or HOST:PORT; repeatable", true],
  ["--http <host:port>", "metrics and health; or off"],
  ["--state-dir <dir>", "socket, lock, token, logs"],
  ["--role <name> [auth-file] [url]", "a role; repeatable, the first is the current one to begin with"],
  ["--example", "without a configuration: the demo shop and its three roles"],
  ["--idle-exit <duration>", "end when the last session has been over for so long, such as 30m"],
];
