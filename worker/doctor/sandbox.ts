// Whether Chrome has its sandbox here.
import { type Finding, unwell, well } from "../../proto/machine/finding.ts";
import { SANDBOX_REMEDY } from "../../proto/machine/sandbox-remedy.ts";

const AS_ROOT =
  "Run the daemon as another user than root, or install setpriv (util-linux) and let every user reach the browser's program.";

/** `state`: as a started Chrome says it: `on`, or `off: ` with the reason. */
export function sandboxFinding(state: string): Finding {
  // Who turned it off in the configuration knows that.
  if (state === "on" || /the configuration says so/.test(state)) return well("sandbox", state);
  return unwell("sandbox", state, /\broot\b/.test(state) ? AS_ROOT : SANDBOX_REMEDY);
}
