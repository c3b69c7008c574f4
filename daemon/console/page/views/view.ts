// The parts that each view gets.
import type { ConsoleState, Me } from "../../wire.ts";
import { api } from "../live/api.ts";

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

export const TAKE_OVER_QUESTION =
  "You work in its browser, and the calls of its agent wait until you hand it back.";

/** Leads to the page where a person works in the session. */
export async function takeOver(session: string, role: string): Promise<void> {
  const { url } = await api.takeOver(session, role);
  location.assign(url);
}
