// Runs the daemon under a small init in a container. A container's first process inherits all orphans and must reap
// them. Node.js reaps only its own children, so each browser that dies would leave a few zombies.
import { existsSync } from "node:fs";

const SHELL = "/bin/sh";
/**
 * A shell reaps all children. It passes signals on, and ends with its child's exit code. A terminal sends its interrupt
 * to both processes. If the shell passed that one on too, the daemon would get a second one and end at once.
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

/**
 * If this process is a container's first, it becomes a small init that runs the program again as its child. The
 * function does not return then.
 */
export function goUnderInit(program: readonly string[]): void {
  if (process.pid !== 1 || !process.execve || !existsSync(SHELL)) return;
  const argv = [process.execPath, ...process.execArgv, ...program];
  process.execve(SHELL, [SHELL, "-c", INIT, "troupe-init", ...argv], process.env as Record<string, string>);
}
