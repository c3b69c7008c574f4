// `troupe takeover SESSION` prints the link by which a person takes a session over.
import { spawn } from "node:child_process";
import type { TakeOverResponse } from "../../../proto/gen/troupe.ts";
import { oneLine } from "../../../proto/text/quote.ts";
import { EXIT } from "../../connection/exit-code.ts";
import type { CommandDefinition, Invocation } from "../terminal/command.ts";
import { showReply } from "./ask-daemon.ts";

export const takeover: CommandDefinition = {
  usage: "takeover <session>",
  summary: "print a link by which a person takes a session over from its agent, and hands it back",
  options: [
    ["--role <name>", "the role whose tabs the person sees (default: the session's current one)"],
    ["--open", "open the link in this machine's browser"],
    ["--hand-back", "end the take-over instead"],
  ],
  json: true,
  examples: [
    "troupe takeover shop-agent",
    "troupe takeover shop-agent --role customer --open",
    "troupe takeover shop-agent --hand-back",
  ],
  run: async (invocation) => {
    const { words, flags } = invocation;
    const [session = ""] = words;
    const request = { session, role: typeof flags.role === "string" ? flags.role : "" };
    if (flags.handBack)
      return await showReply(invocation, "HandBack", request, ({ wasAtWork }) =>
        wasAtWork ? "The session is its agent's again." : "No person was at work in it.",
      );
    return await showReply(invocation, "TakeOver", request, linkText, ({ url }) => {
      if (flags.open) openInBrowser(url, invocation);
      return EXIT.ok;
    });
  },
};

function linkText({ url, role, atWorkSince }: TakeOverResponse): string {
  const since = atWorkSince && new Date(atWorkSince.seconds * 1000).toLocaleTimeString();
  return [
    oneLine(url),
    `It opens the session in role ${oneLine(role)} once, within 5 minutes. Whoever has it can use the session: hand it to one person alone.`,
    ...(since ? [`A person is at work there since ${since}: the link opens once they have left.`] : []),
  ].join("\n");
}

/** Starts the machine's browser. A machine without one has shown the link all the same. */
function openInBrowser(url: string, { complain }: Pick<Invocation, "complain">): void {
  const program = process.platform === "darwin" ? "open" : "xdg-open";
  const child = spawn(program, [url], { stdio: "ignore", detached: true });
  child.on("error", () => complain(`troupe: ${program} is missing, so no browser was opened\n`));
  child.unref();
}
