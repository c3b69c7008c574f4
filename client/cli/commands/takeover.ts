// `troupe takeover SESSION` prints the link by which a person takes a session over.
import { spawn } from "node:child_process";
import type { TakeOverResponse } from "../../../proto/gen/troupe.ts";
import { within } from "../../../proto/machine/within.ts";
import { oneLine } from "../../../proto/text/quote.ts";
import { EXIT, type ExitCode } from "../../connection/exit-code.ts";
import type { CommandDefinition, Invocation } from "../terminal/command.ts";
import { showReply } from "./ask-daemon.ts";

/** An opener that is the browser itself goes on, and has opened it by then. */
const OPENING_MS_MAX = 5_000;

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
    let link = "";
    const code = await showReply(invocation, "TakeOver", request, linkText, ({ url }) => {
      link = url;
      return EXIT.ok;
    });
    return flags.open ? await openInBrowser(link, invocation) : code;
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

/** Opens the link in the machine's browser. If none opens, says why, and shows the link once more. */
async function openInBrowser(
  url: string,
  { complain, env }: Pick<Invocation, "complain" | "env">,
): Promise<ExitCode> {
  const program = process.platform === "darwin" ? "open" : "xdg-open";
  const child = spawn(program, [url], { stdio: "ignore", detached: true, env });
  const { promise: ended, resolve } = Promise.withResolvers<string | undefined>();
  child.once("error", () => resolve(`this machine has no ${program}`));
  child.once("exit", (code) => resolve(code === 0 ? undefined : `${program} found none that opens`));
  const problem = await within({ timeMs: OPENING_MS_MAX }, ended);
  child.unref();
  if (problem === undefined) return EXIT.ok;
  complain(`troupe: no browser was opened: ${problem}. Open the link yourself: ${oneLine(url)}\n`);
  return EXIT.failed;
}
