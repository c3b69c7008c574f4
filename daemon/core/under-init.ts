// The first process of a container inherits whatever loses its parent, and is to collect what becomes of it. Node.js
// collects its own children only: of each browser that dies a few zombies would stay.
import { existsSync } from "node:fs";

const SHELL = "/bin/sh";
/**
 * A shell collects all. It hands signals on, and ends as its child does. A terminal sends its own interrupt to both:
 * handed on, it would be a second one, which ends the daemon at once.
 */
const INIT = `
"$@" & child=$!
for signal in TERM HUP USR2; do trap "kill -s $signal $child" "$signal"; done
[ -t 0 ] && trap : INT || trap "kill -s INT $child" INT
while kill -0 "$child" 2>/dev/null; do wait "$child"; code=$?; done
wait "$child"; last=$?
[ "$last" = 127 ] || code=$last
exit "$code"
`;

/** Where this process is a container's first, a small init takes its place and runs it again below; does not return then. */
export function goUnderInit(program: readonly string[]): void {
  if (process.pid !== 1 || !process.execve || !existsSync(SHELL)) return;
  const argv = [process.execPath, ...process.execArgv, ...program];
  process.execve(SHELL, [SHELL, "-c", INIT, "troupe-init", ...argv], process.env as Record<string, string>);
}
