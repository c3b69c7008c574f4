// A page that loads when a process dies, and that the site serves the next time.
import { type Situation, shows } from "../stage/fault.ts";
import type { Stage, StageAgent } from "../stage/fault-harness.ts";

/** `strike` kills a process once the site has the request. `mend` repairs the cause once the call has failed. */
export async function opening(
  stage: Stage,
  agent: StageAgent,
  strike: () => void,
  mend?: () => Promise<void>,
): Promise<Situation> {
  await agent.open("<h1>Before</h1>");
  const held = stage.site.hold();
  return {
    agent,
    tool: "browser_navigate",
    args: { url: held.url },
    during: async () => {
      await held.asked();
      strike();
    },
    failed: async () => {
      held.release("<h1>Opened</h1>");
      await mend?.();
    },
    reached: shows("Opened"),
  };
}
