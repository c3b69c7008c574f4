// Asks a running daemon one question and shows the reply, in words or as the protocol's JSON.
import type { ControlMethods, Input } from "../../../proto/gen/troupe.ts";
import { spelledOutJson } from "../../../proto/text/quote.ts";
import { EXIT, type ExitCode } from "../../connection/exit-code.ts";
import type { ControlRpc } from "../../sdk/control.ts";
import type { Invocation } from "../terminal/command.ts";
import { CLI_SESSION } from "../terminal/terminal-session.ts";

/** Returns the reply. Throws a CallError if the call fails. */
export async function askDaemon<M extends ControlRpc>(
  { cwd, env, flags }: Invocation,
  rpc: M,
  request: Input<ControlMethods[M]["request"]>,
): Promise<ControlMethods[M]["response"]> {
  // These modules are loaded only now, because --help and usage errors need none of them.
  const [{ callControl }, { DaemonLink }, { discoverDaemon: whereabouts }] = await Promise.all([
    import("../../sdk/control.ts"),
    import("../../connection/daemon-link.ts"),
    import("../../connection/discovery.ts"),
  ]);
  const link = new DaemonLink(whereabouts(flags, { cwd, env }));
  try {
    return await callControl(link, CLI_SESSION, rpc, request);
  } finally {
    link.close();
  }
}

/**
 * Shows the reply and returns the command's exit code, which `exitCode` decides. Throws a CallError if the call fails.
 */
export async function showReply<M extends ControlRpc>(
  invocation: Invocation,
  rpc: M,
  request: Input<ControlMethods[M]["request"]>,
  words: (response: ControlMethods[M]["response"]) => string,
  exitCode: (response: ControlMethods[M]["response"]) => ExitCode = () => EXIT.ok,
): Promise<ExitCode> {
  const { flags, print } = invocation;
  const response = await askDaemon(invocation, rpc, request);
  if (flags.json) {
    const { controlReplyJson } = await import("../../../proto/wire/proto-json.ts");
    print(`${spelledOutJson(JSON.stringify(controlReplyJson(rpc, response), null, 2))}\n`);
  } else print(`${words(response)}\n`);
  return exitCode(response);
}
