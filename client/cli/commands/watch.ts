// `troupe watch ROLE` shows what a session sees in a role, as it changes.
import type { SnapshotUpdate } from "../../../proto/gen/troupe.ts";
import { linesSpelledOut, oneLine, spelledOutJson } from "../../../proto/text/quote.ts";
import type { CallError } from "../../connection/call-error.ts";
import { EXIT, type ExitCode, usageError } from "../../connection/exit-code.ts";
import { givenSessionId } from "../../session/session-id.ts";
import { atDaemon } from "../terminal/at-daemon.ts";
import type { CommandDefinition, Invocation } from "../terminal/command.ts";
import { terminalSession } from "../terminal/terminal-session.ts";
import { watchedSession } from "../watch/watched-session.ts";

export const watch: CommandDefinition = {
  usage: "watch <role>",
  summary:
    "show the tree of a session's page and its changes as they come: live on a terminal (q quits), as lines for a program; the session stays awake meanwhile",
  options: [
    ["--session <id>", "the session (TROUPE_SESSION; default: this terminal's own)"],
    ["--tab <tab>", "only this tab (default: the current one, and the next one when it is closed)"],
    ["--max-tokens <n>", "the longest update in tokens, 0 for all (default 6000)"],
  ],
  json: true,
  examples: [
    "troupe watch customer",
    "troupe watch customer --session shop-agent",
    "troupe watch customer --session shop-agent --tab t2 --max-tokens 0",
    "troupe watch customer --session shop-agent --json | jq -r .text",
  ],
  run: watchRole,
};

async function watchRole(invocation: Invocation): Promise<ExitCode> {
  const { words, flags, env } = invocation;
  const [role = ""] = words;
  const choice = {
    role,
    session: givenSessionId(flags.session, env.TROUPE_SESSION),
    own: terminalSession(),
    tab: flags.tab === undefined ? undefined : String(flags.tab),
  };
  const maxTokens = tokensOf(flags.maxTokens);
  const { follow } = await import("../watch/follow.ts");
  return await atDaemon(invocation, async ({ control, session: opened }) => {
    const sessions = async () => (await control("ListSessions", {})).sessions;
    const { roles } = await control("ListRoles", {});
    const names = roles.map(({ name }) => name);
    const id = watchedSession(choice, names, await sessions());
    const stop = new AbortController();
    const title = `troupe watch ${role} · session ${oneLine(id)}`;
    using reader = await readerFor(invocation, title, stop);
    const session = opened({ id, profile: "core" });
    const { whole, interrupted } = reader;
    const followed = { session, role, tab: choice.tab, maxTokens, whole, sessions, interrupted };
    for await (const update of follow({ ...followed, stopped: stop.signal })) reader.show(update);
    return EXIT.ok;
  });
}

function tokensOf(given: unknown): number | undefined {
  if (given === undefined) return undefined;
  if (/^\d{1,9}$/.test(String(given))) return Number(given);
  throw usageError(`--max-tokens takes a whole number, not ${JSON.stringify(given)}`);
}

/** Shows the updates to a person or a program. */
interface Reader extends Disposable {
  whole: boolean;
  show(update: SnapshotUpdate): void;
  interrupted(error: CallError): void;
}

async function readerFor(invocation: Invocation, title: string, stop: AbortController): Promise<Reader> {
  const { terminal, flags, print, complain } = invocation;
  if (terminal && !flags.json) {
    const { LiveScreen } = await import("../watch/live.ts");
    const screen = new LiveScreen({ terminal, title, stop });
    return {
      whole: true,
      show: (update) => screen.show(update),
      interrupted: ({ message }) => screen.say(`${message} Trying again.`),
      [Symbol.dispose]: () => screen[Symbol.dispose](),
    };
  }
  let said = "";
  return {
    whole: false,
    show(update) {
      said = "";
      print(`${flags.json ? jsonOf(update) : linesSpelledOut(update.text)}\n`);
    },
    interrupted({ message }) {
      if (message !== said) complain(`troupe: ${oneLine(message)} Trying again.\n`);
      said = message;
    },
    [Symbol.dispose]: () => undefined,
  };
}

/** One update on one line. */
function jsonOf({ page, kind, elementCount, text }: SnapshotUpdate): string {
  const word = kind.replace("SNAPSHOT_KIND_", "").toLowerCase();
  return spelledOutJson(JSON.stringify({ page, kind: word, elementCount, text }));
}
