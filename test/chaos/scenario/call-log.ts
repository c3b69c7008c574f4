// Checks that the journal has every answered call.
import { testClient } from "../../harness/daemon.ts";
import type { Outcome } from "./agent.ts";

/** The most calls that ListCalls returns at once. */
const CALLS_MAX = 10_000;

/** Returns the answered calls that ListCalls lacks. */
export async function lostRecords(address: string, outcomes: readonly Outcome[]): Promise<Outcome[]> {
  const client = testClient(address);
  try {
    const lost: Outcome[] = [];
    for (const [session, calls] of Map.groupBy(outcomes.filter(wasAnswered), (each) => each.session)) {
      const { ok, error } = await client.ask("ListCalls", { session, limit: CALLS_MAX });
      if (error) throw new Error(`ListCalls failed: ${error.message}`);
      const kept = new Set(ok?.calls.map(({ requestId }) => requestId));
      lost.push(...calls.slice(-CALLS_MAX).filter(({ requestId }) => !kept.has(requestId)));
    }
    return lost;
  } finally {
    client.close();
  }
}

/** Returns true if the daemon answered. A client's own refusal is no answer. */
function wasAnswered({ answer }: Outcome): boolean {
  return answer === "ok" || answer === "error";
}
