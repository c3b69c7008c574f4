// `troupe call TOOL key=value…` calls one tool as a model would.
import { writeFileSync } from "node:fs";
import path from "node:path";
import type { FileContent } from "../../../proto/gen/troupe.ts";
import { VERSION } from "../../../proto/machine/version.ts";
import { planText } from "../../../proto/plans/plan-text.ts";
import { inlineText } from "../../../proto/text/inline-text.ts";
import { linesSpelledOut, oneLine, spelledOutJson } from "../../../proto/text/quote.ts";
import { findTool, inProfile, type Profile } from "../../../proto/tools/read-tools.ts";
import { shownBytes } from "../../../proto/wire/file-bounds.ts";
import type { Reply } from "../../../proto/wire/reply.ts";
import type { JsonObject } from "../../../proto/wire/struct.ts";
import { IDLE_EXIT } from "../../connection/autostart.ts";
import { CallError, reportOf } from "../../connection/call-error.ts";
import { EXIT, type ExitCode, exitCodeOf, isNoDaemon, usageError } from "../../connection/exit-code.ts";
import { ownAccess } from "../../files/shared-folders.ts";
import { givenSessionId } from "../../session/session-id.ts";
import { callArguments } from "../terminal/call-words.ts";
import type { CommandDefinition, Invocation } from "../terminal/command.ts";
import { paintedPlan, paintedReply, painter } from "../terminal/paint.ts";
import { terminalSession } from "../terminal/terminal-session.ts";
import { toolHelp } from "../terminal/tool-help.ts";

const CLOSE_TIMEOUT_MS = 1000;

export const call: CommandDefinition = {
  usage: "call <tool> [key=value...]",
  summary:
    "call a tool; prints what a model would read, also of a call that failed (exit code 1); starts a daemon where none runs; a tool's name before --help explains its arguments",
  options: [
    [
      "--session <id>",
      "the session, which keeps its tabs from call to call (TROUPE_SESSION; default: one for each terminal)",
    ],
    ["--role <name>", "the role, for this call (TROUPE_ROLE; default: the session's current one)"],
    ["--files <dir>", "read and write files only in this folder (default: wherever you may, from here)"],
    ["--output <file>", "write a picture there"],
    ["--no-autostart", "fail instead of starting a daemon in the background"],
  ],
  json: true,
  examples: [
    "troupe call browser_navigate url=https://example.com/",
    "troupe call browser_click --help",
    "troupe call browser_snapshot full=true --role customer",
    "troupe call browser_select_option ref=e7 values=Red values=Blue",
    `troupe call browser_click '{"ref": "e5", "doubleClick": true}'`,
    `troupe call browser_steps steps='[{"type": {"ref": "e4", "text": "tea"}}, {"click": {"ref": "e7"}}]'`,
    "troupe call browser_take_screenshot --output page.png",
    "troupe call browser_file_upload ref=e5 paths=./report.pdf",
    "troupe call browser_downloads action=get id=d1 path=report.csv",
  ],
  helpFor: ([name]) => (name === undefined ? undefined : toolHelp(name)),
  run: callTool,
};

async function callTool(invocation: Invocation): Promise<ExitCode> {
  const { cwd, env, flags, words, complain } = invocation;
  const [{ connectOrStart }, { NamedSessions }, { discoverDaemon: whereabouts }] = await Promise.all([
    import("../../connection/connect-or-start.ts"),
    import("../../session/named-sessions.ts"),
    import("../../connection/discovery.ts"),
  ]);
  const [name = "", ...rest] = words;
  const id = givenSessionId(flags.session, env.TROUPE_SESSION) ?? terminalSession();
  const link = connectOrStart({
    where: whereabouts(flags, { cwd, env }),
    cwd,
    env,
    roles: [],
    idleExit: IDLE_EXIT,
    autostart: flags.autostart !== false,
    session: id,
    report: (line) => complain(`troupe: ${line}\n`),
  });
  const session = new NamedSessions({
    link,
    id,
    program: { name: `troupe/${VERSION}` },
    profile: profileFor(name),
    files: ownAccess(flags.files === undefined ? undefined : String(flags.files), cwd, { isForModel: true }),
  });
  try {
    const args = argumentsOf(name, rest, flags.role || env.TROUPE_ROLE);
    return tellReply(await session.call(name, args), invocation);
  } catch (error) {
    if (!(error instanceof CallError) || isNotCarriedOut(error)) throw error;
    return tellPlan(error, invocation);
  } finally {
    await session.close(AbortSignal.timeout(CLOSE_TIMEOUT_MS));
    link.close();
  }
}

/** The call reached no worker: the command line says how to mend that. */
function isNotCarriedOut({ detail }: CallError): boolean {
  if (detail.type === "DAEMON_UNREACHABLE") return isNoDaemon(detail);
  return exitCodeOf(detail) === EXIT.unavailable;
}

/**
 * The smallest sufficient profile, because a client's token may allow no more. A tool of the small profile gets core's
 * replies.
 */
function profileFor(name: string): Profile {
  const tool = findTool(name);
  return tool && !inProfile(tool.profile, "core") ? tool.profile : "core";
}

function argumentsOf(name: string, words: readonly string[], role: unknown): JsonObject {
  // For an unknown tool the session reports the call that was probably meant.
  const tool = findTool(name);
  // If the tool itself has an argument `role`, the flag sets that argument.
  return { ...(role ? { role: String(role) } : {}), ...callArguments(tool, words) };
}

function tellReply({ text, page, response }: Reply, invocation: Invocation): ExitCode {
  const { cwd, flags, print, complain } = invocation;
  const { image, mimeType } = response;
  const picture = image instanceof Uint8Array && image.length > 0 ? image : undefined;
  if (picture && flags.output) write(path.resolve(cwd, String(flags.output)), picture, String(flags.output));
  if (flags.json) {
    const { text: _text, page: _page, image: _image, file, ...data } = response;
    const shown = picture && !flags.output ? { image: Buffer.from(picture).toString("base64") } : {};
    const content = isFile(file) && {
      file: { ...file, content: Buffer.from(file.content).toString("base64") },
    };
    const all = { success: true, text, data: { ...data, ...shown, ...content }, page };
    print(`${spelledOutJson(JSON.stringify(all, null, 2))}\n`);
    return EXIT.ok;
  }
  print(`${paintedReply(linesSpelledOut(text), painter(invocation.terminal))}\n`);
  tellFile(response.file, invocation);
  if (picture && !flags.output)
    complain(`${mimeType}, ${shownBytes(picture.length)}: --output FILE writes it there\n`);
  return EXIT.ok;
}

function isFile(file: unknown): file is FileContent {
  return typeof file === "object" && file !== null && "content" in file;
}

/** A person reads a small text at once. */
function tellFile(file: unknown, { print, complain }: Invocation): void {
  if (!isFile(file) || file.content.length === 0) return;
  const text = inlineText(file.content);
  if (text !== undefined) print(linesSpelledOut(text.endsWith("\n") ? text : `${text}\n`));
  else complain(`${oneLine(file.name)}, ${shownBytes(file.size)}: path=FILE writes it there\n`);
}

function write(file: string, picture: Uint8Array, shown: string): void {
  try {
    writeFileSync(file, picture);
  } catch (error) {
    throw usageError(`${shown} cannot be written: ${(error as NodeJS.ErrnoException).code}`);
  }
}

function tellPlan(error: CallError, { flags, print, complain, terminal }: Invocation): ExitCode {
  const { detail } = error;
  const report = reportOf(error);
  if (report) complain(`troupe: ${report}\n`);
  const text = planText(detail, "debug");
  const asJson = () => spelledOutJson(JSON.stringify({ success: false, text, error: detail }, null, 2));
  print(`${flags.json ? asJson() : paintedPlan(linesSpelledOut(text), painter(terminal))}\n`);
  return exitCodeOf(detail);
}
