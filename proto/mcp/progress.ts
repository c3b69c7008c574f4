// Notifies a client that asked for progress that a long call is still under way.
import type { ProgressToken, ServerContext } from "@modelcontextprotocol/server";

const EVERY_MS = 1000;

/** Notifies about once a second until stopped. Without a token it never notifies. */
export function reportProgress(
  progressToken: ProgressToken | undefined,
  tool: string,
  notify: ServerContext["mcpReq"]["notify"],
): { stop(): void } {
  if (progressToken === undefined) return { stop: () => {} };
  let seconds = 0;
  const clock = setInterval(() => {
    seconds++;
    const params = { progressToken, progress: seconds, message: `${tool}: ${seconds} s` };
    // The client may be gone. The transport reports its end.
    notify({ method: "notifications/progress", params }).catch(() => clearInterval(clock));
  }, EVERY_MS);
  return { stop: () => clearInterval(clock) };
}
