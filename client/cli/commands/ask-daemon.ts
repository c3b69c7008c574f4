// Asks a running daemon one question and shows the reply, in words or as the protocol's JSON.
import type { ControlMethods, Input } from "../../../proto/gen/troupe.ts";
import { spelledOutJson } from "../../../proto/text/quote.ts";
import { EXIT, type ExitCode } from "../../connection/exit-code.ts";
import type { ControlRpc } from "../../sdk/control.ts";
import type { Invocation } from "../terminal/command.ts";

/** The session that questions to the control plane name. They begin none. */
export const CLI_SESSION = "cli";

/**
 * Shows the reply and returns the command's exit code, which `exitCode` decides. Throws a CallError if the call fails.
 */
export async function showReply<M extends ControlRpc>(
  { cwd, env, flags, print }: Invocation,
  rpc: M,
  request: Input<ControlMethods[M]["request"]>,
  words: (response: ControlMethods[M]["response"]) => string,
  exitCode: (response: ControlMethods[M]["response"]) => ExitCode = () => EXIT.ok,
): Promise<ExitCode> {
  // These modules are loaded only now, because --help and usage errors need none of them.
  const [{ callControl }, { DaemonLink }, { discoverDaemon: whereabouts }, { controlReplyJson }] =
    await Promise.all([
      import("../../sdk/control.ts"),
      import("../../connection/daemon-link.ts"),
      import("../../connection/discovery.ts"),
      import("../../../proto/wire/proto-json.ts"),
    ]);
  const link = new DaemonLink(whereabouts(flags, { cwd, env }));
  try {
    const response = await callControl(link, CLI_SESSION, rpc, request);
    const asJson = () => spelledOutJson(JSON.stringify(controlReplyJson(rpc, response), null, 2));
    print(`${flags.json ? asJson() : words(response)}\n`);
    return exitCode(response);
  } finally {
    link.close();
  }
}
