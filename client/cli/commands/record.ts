// `troupe record SESSION` writes what a session did as a file that `troupe replay` plays.
import type { JsonObject } from "../../../proto/wire/struct.ts";
import type { ExitCode } from "../../connection/exit-code.ts";
import type { CommandDefinition, Invocation } from "../terminal/command.ts";
import { writeSteps } from "../terminal/written-steps.ts";
import { askDaemon } from "./ask-daemon.ts";

export const record: CommandDefinition = {
  usage: "record <session>",
  summary: "write the steps of a session as a file that troupe replay plays again without a model",
  options: [
    ["--output <file>", "write it there (default: standard output)"],
    ["--role <name>", "the role whose steps are written (default: the session's current one)"],
  ],
  json: false,
  examples: [
    "troupe record shop-agent",
    "troupe record shop-agent --output order.yaml",
    "troupe record ci/shop-agent --role admin --output admin.yaml",
  ],
  run: writeRecording,
};

async function writeRecording(invocation: Invocation): Promise<ExitCode> {
  const { words, flags, complain } = invocation;
  const [session = ""] = words;
  const role = typeof flags.role === "string" ? flags.role : "";
  const request = { session, role, as: "EXPORT_FORMAT_STEPS" } as const;
  const reply = await askDaemon(invocation, "ExportSession", request);
  const { recordingText } = await import("../recording/recording-file.ts");
  return writeSteps(invocation, reply, () => {
    const { text, dropped } = recordingText(JSON.parse(reply.text) as JsonObject);
    if (dropped > 0) complain(`troupe: ${dropped} earlier steps are no longer kept\n`);
    return text;
  });
}
