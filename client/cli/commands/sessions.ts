// `troupe sessions [ID]` lists sessions with their roles and tabs. With an id it shows that session's calls or ends it.
import type { Call, Session } from "../../../proto/gen/troupe.ts";
import { quote } from "../../../proto/text/quote.ts";
import { redactedAddress } from "../../../proto/text/redact.ts";
import { EXIT, type ExitCode, usageError } from "../../connection/exit-code.ts";
import type { CommandDefinition, Invocation } from "../terminal/command.ts";
import { span, table } from "../terminal/table.ts";
import { showReply } from "./ask-daemon.ts";

const CALLS_SHOWN = 50;

export const sessions: CommandDefinition = {
  usage: "sessions [id]",
  summary:
    "list the sessions with their tabs; with an id, the newest calls of that session, also of one that has ended",
  options: [
    ["--role <name>", "only what concerns this role"],
    ["--limit <n>", `with an id: at most so many calls (default ${CALLS_SHOWN})`],
    [
      "--close",
      "with an id: end that session with its tabs; CLIENT/ID where several clients have one of that name",
    ],
    [
      "--evidence <file>",
      "with an id: write what was recorded of its calls to an HTML file that opens anywhere; see docs/EVIDENCE.md",
    ],
  ],
  json: true,
  examples: [
    "troupe sessions",
    "troupe sessions --role customer",
    "troupe sessions shop-agent --limit 20",
    "troupe sessions shop-agent --close",
    "troupe sessions ci/shop-agent --close --json",
    "troupe sessions shop-agent --evidence shop-agent.html",
    "troupe sessions --json",
  ],
  run: async (invocation) => {
    const [session] = invocation.words;
    if (invocation.flags.close) return close(session, invocation);
    if (invocation.flags.evidence !== undefined) return evidence(session, invocation);
    const role = typeof invocation.flags.role === "string" ? { role: invocation.flags.role } : {};
    if (session === undefined) {
      return showReply(invocation, "ListSessions", role, (reply) => sessionsText(reply.sessions, Date.now()));
    }
    const request = { session, limit: limitOf(invocation.flags.limit), ...role };
    const { timeText } = await import("../../../proto/wire/proto-json.ts");
    return showReply(
      invocation,
      "ListCalls",
      request,
      ({ calls }) => callsText(session, calls, (time) => timeText(time) ?? ""),
      ({ calls }) => (calls.length > 0 ? EXIT.ok : EXIT.failed),
    );
  },
};

async function evidence(session: string | undefined, invocation: Invocation): Promise<ExitCode> {
  const { flags } = invocation;
  if (!session) throw usageError("--evidence takes the session's id: troupe sessions ID --evidence FILE");
  const idle = ["limit", "json"].find((flag) => flags[flag] !== undefined && flags[flag] !== false);
  if (idle) throw usageError(`--${idle} means nothing with --evidence`);
  const { exportEvidence } = await import("../evidence/export-evidence.ts");
  return await exportEvidence(invocation, session, typeof flags.role === "string" ? flags.role : "");
}

function close(session: string | undefined, invocation: Invocation): Promise<ExitCode> {
  if (!session)
    throw usageError(
      "--close takes the session's id: troupe sessions ID --close; troupe sessions lists them",
    );
  const idle = ["role", "limit"].find((flag) => invocation.flags[flag] !== undefined);
  if (idle) throw usageError(`--${idle} means nothing with --close`);
  return showReply(invocation, "CloseSession", { session }, () => `Session ${session} has ended.`);
}

function limitOf(given: unknown): number {
  const limit = Number(given ?? CALLS_SHOWN);
  if (Number.isInteger(limit) && limit > 0) return limit;
  throw usageError(`--limit takes a whole number above 0, not ${JSON.stringify(given)}`);
}

/** Prints one line for each call, newest last. */
function callsText(session: string, calls: readonly Call[], at: (time: Call["at"]) => string): string {
  if (calls.length === 0) return `No calls of a session ${JSON.stringify(session)} are kept.`;
  const rows = calls.map((each) => [
    at(each.at),
    each.role,
    each.tool,
    each.outcome,
    `${Math.round(each.durationMs)} ms`,
    each.requestId,
  ]);
  return table(["ended", "role", "tool", "outcome", "took", "request"], rows);
}

/** Prints one line for each session, and all tabs below. */
function sessionsText(all: readonly Session[], nowMs: number): string {
  if (all.length === 0) return "No sessions.";
  const rows = all.map((each) => [
    each.id,
    each.client,
    each.currentRole,
    each.roles
      .map(({ role, tabs, resting, personSince }) =>
        [`${role} (${tabs.length}`, resting && ", resting", personSince && ", a person is at work", ")"]
          .filter(Boolean)
          .join(""),
      )
      .join(", "),
    each.usedAt ? `${span(nowMs - each.usedAt.seconds * 1000)} ago` : "",
    each.name,
    each.unanswered
      ? "its daemon does not answer"
      : [each.program, each.door && `by ${each.door}`].filter(Boolean).join(" "),
  ]);
  const tabs = all.flatMap(({ id, roles }) =>
    roles.flatMap(({ role, tabs }) =>
      tabs.map((tab) => [
        id,
        role,
        tab.current ? `${tab.id} (current)` : tab.id,
        quote(tab.title),
        redactedAddress(tab.url),
      ]),
    ),
  );
  return [
    table(["session", "client", "current role", "roles (tabs)", "used", "name", "connection"], rows),
    ...(tabs.length > 0 ? ["", table(["session", "role", "tab", "title", "url"], tabs)] : []),
  ].join("\n");
}
