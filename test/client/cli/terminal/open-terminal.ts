// Runs a program on a terminal of its own, and reads what the terminal is sent.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { readlinkSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";
import { afterEvents } from "../../../harness/events/after-events.ts";
import { allStats } from "../../../harness/proc.ts";

export interface Terminal extends AsyncDisposable {
  /** Sends keys. */
  type(keys: string): void;
  /** Resolves with the match when the output since the last match has these words. Rejects if the program ends. */
  shows(words: RegExp): Promise<string>;
  /**
   * Resolves with the lines of the newest whole picture that the program drew since the last match, once they have these
   * words.
   */
  draws(words: RegExp): Promise<string[]>;
  /** Changes the terminal's size, which its program notices by a signal. */
  resize(size: { rows: number; columns: number }): void;
  /** The program's process. */
  readonly pid: number;
  /** All output so far. */
  readonly sent: string;
  /** The exit code. */
  readonly ended: Promise<number>;
}

const WAIT_MS_MAX = 60_000;
/** Ends a picture that a terminal is to show at once: synchronized output, private mode 2026. */
const PICTURE_END = "\u001b[?2026l";

/** Its disposal ends the program. */
export function openTerminal(
  command: readonly string[],
  {
    cwd,
    env,
    size: { rows, columns } = { rows: 24, columns: 80 },
  }: { cwd?: string; env?: NodeJS.ProcessEnv; size?: { rows: number; columns: number } } = {},
): Terminal {
  const line = `stty rows ${rows} cols ${columns}; exec ${command.map(shellWord).join(" ")}`;
  const child = spawn("script", ["-qec", line, "/dev/null"], { cwd, env });
  const heard = new EventEmitter();
  let sent = "";
  let from = 0;
  let isOver = false;
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    sent += chunk;
    heard.emit("output");
  });
  child.stdin.on("error", () => undefined);
  const ended = once(child, "close").then(([code]) => {
    isOver = true;
    heard.emit("output");
    return Number(code ?? -1);
  });
  /** Resolves with what `find` finds in the output since the last match, which then ends at `end`. */
  const waitFor = <T>(words: RegExp, find: (since: string) => { match: T; end: number } | undefined) => {
    const look = () => {
      const since = sent.slice(from);
      const found = find(since);
      if (!found && isOver) throw new Error(`ended without ${words}:\n${since}`);
      if (found) from += found.end;
      return found?.match;
    };
    return afterEvents(heard, "output", look, `the terminal shows ${words}`, WAIT_MS_MAX);
  };
  return {
    type: (keys) => void child.stdin.write(keys),
    shows: (words) =>
      waitFor(words, (since) => {
        const found = words.exec(since);
        return found ? { match: found[0], end: found.index + found[0].length } : undefined;
      }),
    draws: (words) =>
      waitFor(words, (since) => {
        const end = since.lastIndexOf(PICTURE_END);
        const match = linesOf(since.slice(0, Math.max(0, end)));
        return words.test(match.join("\n")) ? { match, end: end + PICTURE_END.length } : undefined;
      }),
    resize({ rows, columns }) {
      const device = readlinkSync(`/proc/${pidOf(child)}/fd/1`);
      execFileSync("stty", ["-F", device, "rows", `${rows}`, "cols", `${columns}`]);
    },
    get pid() {
      return pidOf(child);
    },
    get sent() {
      return sent;
    },
    ended,
    async [Symbol.asyncDispose]() {
      // The program then has lost its terminal.
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** Returns the lines of the last picture that a program drew from the upper left corner. */
function linesOf(sent: string): string[] {
  const frame = sent.split("\u001b[H").at(-1) ?? "";
  return stripVTControlCharacters(frame).split(/\r+\n/);
}

/** The shell that `script` starts becomes the program. */
function pidOf({ pid }: ChildProcess): number {
  const found = allStats().find(({ parent }) => parent === pid);
  if (!found) throw new Error("the terminal's program has ended");
  return found.pid;
}

function shellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
