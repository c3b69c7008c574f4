// The parts that each view gets.
import type { ConsoleState, Me } from "../../wire.ts";

export interface ViewProps {
  state: ConsoleState;
  me: Me;
  nowMs: number;
}

/** Why the person may not change anything; undefined if the person may. */
export function whyReadOnly({ control }: Me): string | undefined {
  return control === "write"
    ? undefined
    : `Your token has control: ${control}. It takes control: write to change something here.`;
}
