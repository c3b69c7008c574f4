// Runs a program as a process of its own, with its input and output.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { afterEvents } from "./events/after-events.ts";
import { CLI } from "./mcp/mcp-process.ts";

export interface Ended {
  code: number | NodeJS.Signals;
  out: string;
  err: string;
}

/** Its disposal kills the process. */
export interface RunningProgram extends AsyncDisposable {
  child: ChildProcessWithoutNullStreams;
  /** Its output so far. */
  output: { out: string; err: string };
  /** Resolves with the match when the output has the words. Rejects if the program ends without them. */
  said(words: RegExp, stream?: "out" | "err"): Promise<string>;
  /** Writes to its standard input; `undefined` ends it. */
  tell(text: string | undefined): void;
  /** Resolves when the process has ended and its output is read. */
  ended: Promise<Ended>;
  exited: Promise<unknown>;
}

const PROGRAM_MS_MAX = 60_000;

/** Starts Node with these arguments. The process is killed at its time limit. */
export function startProgram(
  args: readonly string[],
  {
    cwd,
    env = process.env,
    timeoutMs = PROGRAM_MS_MAX,
  }: { cwd?: string; env?: NodeJS.ProcessEnv; timeoutMs?: number } = {},
): RunningProgram {
  const child = spawn(process.execPath, args, { env, timeout: timeoutMs, killSignal: "SIGKILL", cwd });
  const output = { out: "", err: "" };
  let isOver = false;
  const { promise: ended, resolve, reject } = Promise.withResolvers<Ended>();
  const heard = new EventEmitter();
  const hear = (stream: keyof typeof output) => (chunk: Buffer) => {
    output[stream] += chunk;
    heard.emit("output");
  };
  child.stdout.on("data", hear("out"));
  child.stderr.on("data", hear("err"));
  // Input for a command that has ended is lost, and its end says why.
  child.stdin.on("error", () => undefined);
  child.once("error", reject);
  const exited = once(child, "exit");
  child.once("close", (code, signal) => {
    isOver = true;
    resolve({ code: code ?? signal ?? -1, ...output });
    heard.emit("output");
  });
  return {
    child,
    output,
    said(words, stream = "out") {
      const match = () => {
        const [found] = words.exec(output[stream]) ?? [];
        if (!found && isOver) throw new Error(`ended without ${words}: ${output.err}`);
        return found;
      };
      return afterEvents(heard, "output", match, `output with ${words}`, timeoutMs);
    },
    tell: (text) => void (text === undefined ? child.stdin.end() : child.stdin.write(text)),
    ended,
    exited,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}

/** Starts `troupe` with these arguments. */
export function startCommand(
  args: readonly string[],
  { cwd, env }: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): RunningProgram {
  return startProgram([CLI, ...args], { cwd, env: { ...process.env, ...env } });
}

/** Runs a command to its end, with nothing on its standard input. */
export function runCommand(...given: Parameters<typeof startCommand>): Promise<Ended> {
  const command = startCommand(...given);
  command.tell(undefined);
  return command.ended;
}
