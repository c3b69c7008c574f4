// `troupe export SESSION` writes what a session did, as a test or as steps for programs.
import type { ExportSessionResponse } from "../../../proto/gen/troupe.ts";
import { nearest } from "../../../proto/text/nearest.ts";
import { EXIT, usageError } from "../../connection/exit-code.ts";
import type { CommandDefinition } from "../terminal/command.ts";
import { writeSteps } from "../terminal/written-steps.ts";
import { askDaemon, showReply } from "./ask-daemon.ts";

const FORMATS = { playwright: "EXPORT_FORMAT_PLAYWRIGHT", steps: "EXPORT_FORMAT_STEPS" } as const;
const DEFAULT = "playwright";

export const exportTest: CommandDefinition = {
  usage: "export <session>",
  summary: "write what a session did as a test of Playwright Test, to standard output or a file",
  options: [
    ["--as <form>", "playwright (TypeScript, the default) or steps (JSON, with locators and outcomes)"],
    ["--output <file>", "write it there"],
    ["--role <name>", "the role whose steps are exported (default: the session's current one)"],
  ],
  json: true,
  examples: [
    "troupe export shop-agent",
    "troupe export shop-agent --as playwright --output order.spec.ts",
    "troupe export ci/shop-agent --role admin",
    "troupe export shop-agent --as steps --json",
  ],
  run: async (invocation) => {
    const { words, flags } = invocation;
    const [session = ""] = words;
    const role = typeof flags.role === "string" ? flags.role : "";
    const request = { session, role, as: FORMATS[formatOf(flags.as)] };
    if (!flags.json) {
      const reply = await askDaemon(invocation, "ExportSession", request);
      return writeSteps(invocation, reply, () => reply.text);
    }
    if (flags.output !== undefined) throw usageError("--output means nothing with --json");
    return await showReply(invocation, "ExportSession", request, ({ text }) => text, exitOf);
  },
};

function formatOf(given: unknown = DEFAULT): keyof typeof FORMATS {
  const word = String(given);
  if (Object.hasOwn(FORMATS, word)) return word as keyof typeof FORMATS;
  const names = Object.keys(FORMATS);
  const meant = nearest(word, names);
  throw usageError(
    `--as takes ${names.join(" or ")}, not ${JSON.stringify(word)}${meant ? `; did you mean ${meant}?` : ""}`,
  );
}

const exitOf = ({ steps }: ExportSessionResponse) => (steps > 0 ? EXIT.ok : EXIT.failed);
