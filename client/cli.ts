#!/usr/bin/env node
// `troupe`: runs the command line with this process's arguments, environment and streams.
import { enableCompileCache } from "node:module";
import { homedir } from "node:os";
import path from "node:path";

const { argv, env, stdin, stdout, stderr } = process;
// Node keeps compiled code for the next start of this program and of those that it starts. They start twice as fast
// then.
const caches = env.XDG_CACHE_HOME || cachesAtHome();
if (caches) env.NODE_COMPILE_CACHE ??= path.join(caches, "troupe", "compiled");
if (env.NODE_COMPILE_CACHE) enableCompileCache(env.NODE_COMPILE_CACHE);
// A reader that closes early, as in `troupe tools | head`, is no failure.
for (const stream of [stdout, stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));

const { main } = await import("./cli/program.ts");
process.exitCode = await main(argv.slice(2), {
  cwd: currentFolder(),
  env,
  print: (text) => void stdout.write(text),
  complain: (text) => void stderr.write(text),
  terminal: stdout.isTTY ? { output: stdout, input: stdin.isTTY ? stdin : undefined } : undefined,
});

/** A folder that was deleted under its shell has no path. */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    stderr.write("troupe: the current folder does not exist any more: change to another one\n");
    process.exit(1);
  }
}

/** A user whom the machine does not know has no home. Nothing is cached then. */
function cachesAtHome(): string | undefined {
  try {
    return path.join(homedir(), ".cache");
  } catch {
    return undefined;
  }
}
