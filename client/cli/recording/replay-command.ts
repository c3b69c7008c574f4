// `troupe replay FILE` plays a recording through a daemon, step by step.
import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { planText } from "../../../proto/plans/plan-text.ts";
import { linesSpelledOut, oneLine, spelledOutJson } from "../../../proto/text/quote.ts";
import { CallError } from "../../connection/call-error.ts";
import { EXIT, type ExitCode, exitCodeOf, usageError } from "../../connection/exit-code.ts";
import { givenSessionId, newSessionId } from "../../session/session-id.ts";
import { atDaemon } from "../terminal/at-daemon.ts";
import type { CommandDefinition, Invocation } from "../terminal/command.ts";
import { paintedPlan, painter } from "../terminal/paint.ts";
import type { FileStep } from "./recording-file.ts";
import type { StepFailed } from "./replay.ts";

const BYTES_MAX = 8 * 2 ** 20;

export const replayFile: CommandDefinition = {
  usage: "replay <file>",
  summary:
    "play the steps of troupe record in the running daemon, each as a call of its own; stops at the first failure; secrets come from the environment variables that the file names",
  options: [
    ["--role <name>", "the role (default: the recording's)"],
    ["--session <id>", "the session, which stays (default: a new one, which ends with the replay)"],
    [
      "--secret <names>",
      "further environment variables that the file may read, as A,B (default: its role's)",
    ],
    ["--url <base>", "the site to play it on, in place of the recorded one"],
  ],
  json: true,
  examples: [
    "troupe replay order.yaml",
    "troupe replay order.yaml --role admin --url https://staging.example/",
    "troupe replay order.yaml --session looked-at --json",
  ],
  run: play,
};

async function play(invocation: Invocation): Promise<ExitCode> {
  const { words, flags, env, complain } = invocation;
  const [{ readRecording }, { replay, stepInWords, StepFailed: Failed }] = await Promise.all([
    import("./recording-file.ts"),
    import("./replay.ts"),
  ]);
  const recording = readRecording(contentOf(invocation), words[0] ?? "");
  const base = baseOf(flags.url);
  const named = givenSessionId(flags.session);
  const role = typeof flags.role === "string" ? flags.role : recording.role;
  const total = recording.steps.length;
  const done: { step: number; tool: string; text: string }[] = [];
  const failure = await atDaemon(invocation, async ({ session: opened }) => {
    const session = opened({
      id: named ?? newSessionId("replay"),
      profile: "full",
      own: named === undefined,
    });
    try {
      await replay(recording, {
        call: (tool, args) => session.call(tool, args),
        env,
        base,
        role,
        allowed: typeof flags.secret === "string" ? flags.secret.split(",") : [],
        reads: (variables) => complain(`It reads ${oneLine(variables.join(", "))} from the environment.\n`),
        began: (step, number) => complain(`${number}/${total} ${stepInWords(step)}\n`),
        done: (step, number, { text }) => void done.push({ step: number, tool: step.tool, text }),
      });
      return undefined;
    } catch (error) {
      if (error instanceof Failed) return error;
      throw error;
    }
  });
  const skipped = recording.steps.filter(({ skip }) => skip !== undefined).length;
  return failure
    ? tellFailure(failure, recording.steps, done, invocation)
    : tellDone(done, skipped, invocation);
}

function contentOf({ words, cwd }: Invocation): string {
  const [shown = ""] = words;
  const file = path.resolve(cwd, shown);
  try {
    const stats = statSync(file);
    if (!stats.isFile()) throw usageError(`${shown} is no file`);
    if (stats.size > BYTES_MAX) throw usageError(`${shown} is too large for a recording`);
    return readFileSync(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === undefined ? error : usageError(`${shown} cannot be read: ${code}`);
  }
}

function baseOf(given: unknown): string | undefined {
  if (given === undefined) return undefined;
  if (URL.canParse(String(given)) && /^https?:/.test(String(given))) return String(given);
  throw usageError(`--url takes an address such as https://staging.example/, not ${JSON.stringify(given)}`);
}

type Done = readonly { step: number; tool: string; text: string }[];

function tellDone(steps: Done, skipped: number, { words, flags, print }: Invocation): ExitCode {
  const left = skipped > 0 ? `, ${skipped} left out as the recording says` : "";
  if (flags.json) print(`${jsonText({ success: true, steps, skipped })}\n`);
  else print(`Played ${words[0]}: ${steps.length} steps${left}.\n`);
  return EXIT.ok;
}

function tellFailure(
  { number, cause }: StepFailed,
  all: readonly FileStep[],
  steps: Done,
  { flags, print, terminal }: Invocation,
): ExitCode {
  const { tool = "" } = all[number - 1] ?? {};
  const isCall = cause instanceof CallError;
  if (!isCall && !(cause instanceof Error && "exitCode" in cause)) throw cause;
  const text = isCall ? planText(cause.detail, "full") : lostElement(tool, cause.message);
  const error = isCall ? cause.detail : { message: cause.message };
  if (flags.json)
    print(`${jsonText({ success: false, steps, failed: { step: number, tool, text, error } })}\n`);
  else {
    const head = `Step ${number} of ${all.length} failed; the steps before it are done.\n\n`;
    print(`${head}${paintedPlan(linesSpelledOut(text), painter(terminal))}\n`);
  }
  return isCall ? exitCodeOf(cause.detail) : EXIT.failed;
}

function lostElement(tool: string, message: string): string {
  return [
    "❌ Element Not Found",
    "",
    `${tool}: ${message}.`,
    "",
    "Possible causes:",
    "• The page has changed since the recording",
    "• An earlier step led to another page than it did then",
    "",
    "🔧 Action Required:",
    "1. Play it in a session that stays: troupe replay FILE --session looked-at",
    "2. Look at the page: troupe call browser_snapshot --session looked-at",
    "3. Correct this step's locators in the file, or record the session anew",
  ].join("\n");
}

function jsonText(value: object): string {
  return spelledOutJson(JSON.stringify(value, null, 2));
}
