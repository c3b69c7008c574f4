// The daemon at a glance: what waits for a person, the roles, their load, and how agents recover.
import { useMemo } from "preact/hooks";
import { CALLS_SPAN_MS, type ConsoleState, RECOVERY_SPAN_MS, type RoleView } from "../../wire.ts";
import { api } from "../live/api.ts";
import { Action } from "../parts/action.tsx";
import { Ago } from "../parts/ago.tsx";
import { Badge, toneOf } from "../parts/badge.tsx";
import { Chart } from "../parts/chart.tsx";
import { RecordTable } from "../parts/record-table.tsx";
import { spread } from "../parts/spans.ts";
import { Term } from "../parts/term.tsx";
import { bytesText, percentText, spanText, stateText } from "../parts/words.ts";
import { type ViewProps, whyReadOnly } from "./view.ts";
import { Waits } from "./waits.tsx";

export function Overview({ state, me, nowMs }: ViewProps) {
  const refused = whyReadOnly(me);
  const { status, load, roles, waits } = state;
  return (
    <>
      <h1>Overview</h1>
      {refused && <p class="note">{refused}</p>}
      {load.draining && <p class="problem">The daemon drains: it takes no new calls, and then ends.</p>}
      {status.warnings.length > 0 && (
        <section aria-labelledby="warnings">
          <h2 id="warnings">Warnings</h2>
          <ul class="warnings">
            {status.warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </section>
      )}
      <Waits waits={waits} sessions={state.sessions} me={me} nowMs={nowMs} />
      <Figures state={state} nowMs={nowMs} />
      <section aria-labelledby="roles">
        <h2 id="roles">Roles</h2>
        <ul class="cards">
          {roles.map((role) => (
            <RoleCard key={role.name} role={role} nowMs={nowMs} refused={refused} />
          ))}
        </ul>
      </section>
      <Charts state={state} nowMs={nowMs} />
      <Recovery state={state} />
      <section aria-labelledby="daemon">
        <h2 id="daemon">Daemon</h2>
        <p>
          Troupe {status.version}, started <Ago atMs={status.startedAtMs} nowMs={nowMs} />
        </p>
        <div class="buttons">
          <Action
            label="Reload configuration"
            name="Reload configuration"
            question="The configuration is read again. Changed roles restart. A wrong file changes nothing."
            refused={refused}
            run={reload}
          />
          <Action
            label="Drain"
            name="Drain the daemon"
            question="The daemon takes no new calls, lets those under way finish, and ends."
            refused={refused}
            run={api.drain}
          />
        </div>
      </section>
    </>
  );
}

function Figures({ state, nowMs }: { state: ConsoleState; nowMs: number }) {
  const { roles, load, sessionCount } = state;
  const sum = (of: (role: RoleView) => number) => roles.reduce((total, role) => total + of(role), 0);
  const figures = [
    ["Sessions", String(sessionCount)],
    ["Awake", String(sum(({ awake }) => awake))],
    ["At rest", String(sum(({ resting }) => resting))],
    ["Waiting calls", String(sum(({ waiting }) => waiting))],
    ["Calls under way", String(load.callsUnderWay)],
    ["Calls a second", rateText(state, nowMs)],
    ["Memory", bytesText(sum(({ memoryBytes }) => memoryBytes))],
    ["Recovered in 24 h", recoveredText(state)],
  ] as const;
  return (
    <dl class="figures">
      {figures.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function RoleCard({ role, nowMs, refused }: { role: RoleView; nowMs: number; refused: string | undefined }) {
  return (
    <li class="card">
      <h3>{role.name}</h3>
      <p>
        <Badge tone={toneOf(role.state)}>{stateText(role.state)}</Badge>{" "}
        {role.retryAtMs !== null && (
          <>
            again <Ago atMs={role.retryAtMs} nowMs={nowMs} />
          </>
        )}
        {role.readySinceMs !== null && `for ${spanText(nowMs - role.readySinceMs)}`}
      </p>
      {role.reason && <p class="reason">{role.reason}</p>}
      <dl class="facts">
        <dt>Login</dt>
        <dd>
          {role.login}
          {role.loginEndsMs !== null && (
            <span class={role.loginEndsMs - nowMs < SOON_MS ? "problem" : ""}>
              {role.loginEndsMs > nowMs ? ", ends " : ", ended "}
              <Ago atMs={role.loginEndsMs} nowMs={nowMs} />
            </span>
          )}
        </dd>
        <dt>Sessions</dt>
        <dd>
          {role.awake} awake, {role.resting} at rest
        </dd>
        <dt>Queue</dt>
        <dd>{role.waiting} waiting</dd>
        <dt>Memory</dt>
        <dd>{bytesText(role.memoryBytes)}</dd>
        <dt>Restarts</dt>
        <dd>{role.restarts}</dd>
      </dl>
      <Action
        label="Restart"
        name={`Restart role ${role.name}`}
        question="Its browser ends and a new one starts. Its sessions are restored."
        refused={refused}
        run={() => api.restartRole(role.name)}
      />
    </li>
  );
}

const CALLS_SHOWN_MS = 10 * 60_000;
const RECOVERY_SHOWN_MS = 24 * 3_600_000;
/** A login that ends within this time is pointed out. */
const SOON_MS = 24 * 3_600_000;

function Charts({ state, nowMs }: { state: ConsoleState; nowMs: number }) {
  const share = recoveredText(state);
  // The charts move on with each span, and not with each second.
  const calls = useMemo(
    () => spread(state.callSpans, CALLS_SHOWN_MS, CALLS_SPAN_MS, nowMs),
    [state.callSpans],
  );
  const recovery = useMemo(
    () => spread(state.recoverySpans, RECOVERY_SHOWN_MS, RECOVERY_SPAN_MS, nowMs),
    [state.recoverySpans],
  );
  return (
    <section class="charts" aria-label="Over time">
      <Chart
        title="Calls a second"
        summary={`now ${rateText(state, nowMs)}; the last 10 minutes`}
        times={calls.map(({ atMs }) => atMs / 1000)}
        values={calls.map(({ span }) => (1000 * (span?.calls ?? 0)) / CALLS_SPAN_MS)}
        unit=""
      />
      <Chart
        title="Recovered episodes"
        summary={share === "–" ? "none in the last 24 hours" : `${share} over the last 24 hours`}
        times={recovery.map(({ atMs }) => atMs / 1000)}
        values={recovery.map(({ span }) => (span ? (100 * span.recovered) / span.episodes : null))}
        max={100}
        unit="%"
      />
    </section>
  );
}

function Recovery({ state: { recovery } }: { state: ConsoleState }) {
  return (
    <section aria-labelledby="recovery">
      <h2 id="recovery">Recovery</h2>
      <RecordTable
        name="Errors of the last 24 hours by type"
        empty="No recoverable error in the last 24 hours."
        columns={[
          { label: "Type" },
          { label: "Recovered", isNumber: true },
          { label: "Repeated", isNumber: true, isMinor: true },
          { label: "Abandoned", isNumber: true, isMinor: true },
          { label: "Share", isNumber: true },
        ]}
        rows={recovery.map(({ type, recovered, repeated, abandoned }) => ({
          key: type,
          cells: [
            <Term text={type} />,
            recovered,
            repeated,
            abandoned,
            percentText(recovered, recovered + repeated + abandoned),
          ],
        }))}
      />
    </section>
  );
}

/** The newest span is not over, so the one before it counts. A span without calls is not in the list. */
function rateText({ callSpans }: ConsoleState, nowMs: number): string {
  const span = spread(callSpans, CALLS_SHOWN_MS, CALLS_SPAN_MS, nowMs).at(-2)?.span;
  return span ? ((1000 * span.calls) / CALLS_SPAN_MS).toFixed(1) : "0";
}

function recoveredText({ recovery }: ConsoleState): string {
  const sum = (of: (rate: ConsoleState["recovery"][number]) => number) =>
    recovery.reduce((total, rate) => total + of(rate), 0);
  const recovered = sum((rate) => rate.recovered);
  return percentText(recovered, recovered + sum(({ repeated, abandoned }) => repeated + abandoned));
}

async function reload(): Promise<void> {
  const { problems = [] } = await api.reloadConfig();
  if (problems.length > 0) throw new Error(problems.join("\n"));
}
