// Calls as they end, newest first.
import { useState } from "preact/hooks";
import type { CallView, ConsoleState } from "../../wire.ts";
import { linkTo } from "../live/router.ts";
import { Badge, toneOf } from "../parts/badge.tsx";
import { RecordTable } from "../parts/record-table.tsx";
import { Term } from "../parts/term.tsx";
import { clockText, tookText } from "../parts/words.ts";
import type { ViewProps } from "./view.ts";

export function Calls({ state }: ViewProps) {
  const [onlyFailed, setOnlyFailed] = useState(false);
  const [held, setHeld] = useState<CallView[]>();
  const calls = held ?? state.calls;
  const shown = calls.filter(({ outcome }) => !onlyFailed || outcome !== "OK").toReversed();
  return (
    <>
      <h1>Calls</h1>
      <div class="buttons">
        <button
          type="button"
          aria-pressed={held !== undefined}
          onClick={() => setHeld(held ? undefined : state.calls)}
        >
          Hold still
        </button>
        <button type="button" aria-pressed={onlyFailed} onClick={() => setOnlyFailed(!onlyFailed)}>
          Only failed
        </button>
      </div>
      <RecordTable
        name="The newest calls"
        empty="No call yet."
        columns={[
          { label: "Time" },
          { label: "Tool" },
          { label: "Role", isMinor: true, isFree: true },
          { label: "Session", isFree: true },
          { label: "Outcome" },
          { label: "Took", isNumber: true, isMinor: true },
        ]}
        rows={shown.map((call) => ({
          key: `${call.requestId} ${call.atMs} ${call.tool}`,
          cells: [
            clockText(call.atMs),
            <Term text={call.tool} />,
            call.role,
            <SessionLink call={call} state={state} />,
            <Badge tone={toneOf(call.outcome, "bad")}>{call.outcome}</Badge>,
            tookText(call.durationMs),
          ],
        }))}
      />
    </>
  );
}

/** Leads to the session, if it is still open. */
export function SessionLink({
  call,
  state,
}: {
  call: Pick<CallView, "session" | "client">;
  state: ConsoleState;
}) {
  const isMeant = ({ id, client }: { id: string; client: string }) =>
    id === call.session && (call.client === "" || call.client === client);
  const found = Object.values(state.sessions).find(isMeant);
  return found ? <a href={linkTo({ view: "session", key: found.key })}>{call.session}</a> : call.session;
}
