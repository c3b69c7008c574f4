// Ends a child process with its parent, so that the child can clean up first.
import type { ChildProcess } from "node:child_process";

const ENDED_BY_SIGNAL = 130;

/** A signal that ends this process first ends the child. Disposed when the child has ended by itself. */
export function endWithParent(child: ChildProcess): Disposable {
  const end = () => {
    child.once("exit", () => process.exit(ENDED_BY_SIGNAL));
    child.kill("SIGTERM");
  };
  process.once("SIGINT", end);
  process.once("SIGTERM", end);
  return {
    [Symbol.dispose]: () => {
      process.off("SIGINT", end);
      process.off("SIGTERM", end);
    },
  };
}
