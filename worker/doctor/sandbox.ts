// Checks if Chrome has its sandbox here.
import { type Finding, unwell, well } from "../../proto/machine/finding.ts";
import { SANDBOX_REMEDY } from "../../proto/machine/sandbox-remedy.ts";

const AS_ROOT =
  "Run the daemon as another user than root, or install setpriv (util-linux) and let every user reach the browser's program.";

/** `state`: the report of a started Chrome, `on`, or `off: ` with the reason. */
export function sandboxFinding(state: string): Finding {
  // A sandbox that the configuration turns off is intended.
  if (state === "on" || /the configuration says so/.test(state)) return well("sandbox", state);
  return unwell("sandbox", state, /\broot\b/.test(state) ? AS_ROOT : SANDBOX_REMEDY);
}
