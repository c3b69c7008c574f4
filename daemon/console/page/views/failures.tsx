// Failed calls with their plans and the ends of their episodes, and each role's failure log.
import { useState } from "preact/hooks";
import type { EpisodeView, FailureView } from "../../wire.ts";
import { api } from "../live/api.ts";
import { Action } from "../parts/action.tsx";
import { Ago } from "../parts/ago.tsx";
import { Badge, toneOf } from "../parts/badge.tsx";
import { Plan } from "../parts/plan.tsx";
import { RecordTable } from "../parts/record-table.tsx";
import { Term } from "../parts/term.tsx";
import { SessionLink } from "./calls.tsx";
import { type ViewProps, whyReadOnly } from "./view.ts";

export function Failures({ state, me, nowMs }: ViewProps) {
  const { failures, episodes, roles } = state;
  const refused = whyReadOnly(me);
  return (
    <>
      <h1>Failed calls</h1>
      <RecordTable
        name="Since the daemon started, newest first"
        empty="No call has failed since the daemon started."
        columns={[
          { label: "When" },
          { label: "Error" },
          { label: "Tool", isMinor: true },
          { label: "Role", isMinor: true, isFree: true },
          { label: "Session", isFree: true },
          { label: "What came of it", isMinor: true },
        ]}
        rows={failures.toReversed().map((failure) => ({
          key: `${failure.requestId} ${failure.atMs} ${failure.tool}`,
          cells: [
            <Ago atMs={failure.atMs} nowMs={nowMs} />,
            <>
              <Term text={failure.outcome} />
              <Plan text={failure.plan} />
            </>,
            <Term text={failure.tool} />,
            failure.role,
            <SessionLink call={failure} state={state} />,
            <End failure={failure} episodes={episodes} />,
          ],
        }))}
      />
      <h2>Failure logs</h2>
      {refused && <p class="note">{refused}</p>}
      {roles.map(({ name }) => (
        <FailureLog key={name} role={name} refused={refused} />
      ))}
    </>
  );
}

function End({ failure, episodes }: { failure: FailureView; episodes: readonly EpisodeView[] }) {
  const end = episodes.find((episode) => isOf(episode, failure));
  if (end)
    return (
      <>
        <Badge tone={toneOf(end.outcome)}>{end.outcome}</Badge> after {end.calls}{" "}
        {end.calls === 1 ? "call" : "calls"}
      </>
    );
  return <>{failure.recoverable ? "open" : "a person must act"}</>;
}

/** One episode is open per session, role and tool, so the first end after the failure is its own. */
function isOf(episode: EpisodeView, failure: FailureView): boolean {
  return (
    episode.atMs >= failure.atMs &&
    episode.client === failure.client &&
    episode.session === failure.session &&
    episode.role === failure.role &&
    episode.tool === failure.tool &&
    episode.type === failure.outcome
  );
}

function FailureLog({ role, refused }: { role: string; refused: string | undefined }) {
  const [text, setText] = useState("");
  const read = async () => {
    try {
      setText((await api.failures(role)).text);
    } catch (error) {
      setText(error instanceof Error ? error.message : String(error));
    }
  };
  const clear = async () => {
    await api.clearFailures(role);
    await read();
  };
  return (
    <details class="log" onToggle={(event) => event.currentTarget.open && void read()}>
      <summary>{role}</summary>
      <pre>{text}</pre>
      <Action
        label="Clear"
        name={`Clear the failure log of ${role}`}
        question="The role’s failure log is forgotten. Calls and episodes stay."
        refused={refused}
        run={clear}
      />
    </details>
  );
}
