#!/usr/bin/env node
// `troupe`: hands the command line to the program, with this process's world.
import { enableCompileCache } from "node:module";
import { homedir } from "node:os";
import path from "node:path";

const { argv, env, stdout, stderr } = process;
// Compiled code is kept for the next start, of this program and of those that it starts: twice as fast then.
env.NODE_COMPILE_CACHE ??= path.join(
  env.XDG_CACHE_HOME || path.join(homedir(), ".cache"),
  "troupe",
  "compiled",
);
enableCompileCache(env.NODE_COMPILE_CACHE);
// A reader that has gone, as in `troupe tools | head`, is no failure.
stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));

const { main } = await import("./program.ts");
process.exitCode = await main(argv.slice(2), {
  cwd: process.cwd(),
  env,
  print: (text) => void stdout.write(text),
  complain: (text) => void stderr.write(text),
});
