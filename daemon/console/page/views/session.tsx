// One session: who holds it, its tabs, and its calls with the plans that the model saw.
import { useEffect, useState } from "preact/hooks";
import type { SessionPage } from "../../wire.ts";
import { api, RequestError } from "../live/api.ts";
import { linkTo } from "../live/router.ts";
import { Ago } from "../parts/ago.tsx";
import { Badge, toneOf } from "../parts/badge.tsx";
import { Plan } from "../parts/plan.tsx";
import { RecordTable } from "../parts/record-table.tsx";
import { Term } from "../parts/term.tsx";
import { clockText, tookText } from "../parts/words.ts";
import { Evidence } from "./evidence.tsx";
import { LiveTab } from "./live-tab.tsx";
import { SessionActions } from "./session-actions.tsx";
import { holder, State } from "./sessions.tsx";
import type { ViewProps } from "./view.ts";

export function SessionView({ state, me, nowMs, sessionKey }: ViewProps & { sessionKey: string }) {
  const [page, setPage] = useState<SessionPage>();
  const [problem, setProblem] = useState("");
  const live = state.sessions[sessionKey];
  // A call, a new tab or the end of the session changes what the list shows of it, at most once a second.
  useEffect(() => {
    let isCurrent = true;
    api.session(sessionKey).then(
      (read) => {
        if (isCurrent) setPage(read);
        if (isCurrent) setProblem("");
      },
      (error: unknown) => {
        if (isCurrent) setProblem(error instanceof RequestError ? error.message : "It could not be read.");
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [sessionKey, live]);
  const session = live ?? page?.session;
  if (!session || !page)
    return (
      <>
        <h1>Session {sessionKey}</h1>
        <p role="status">{problem || "It is being read…"}</p>
        {problem && <Evidence sessionKey={sessionKey} newest={live} />}
      </>
    );
  return (
    <>
      <p>
        <a href={linkTo({ view: "sessions" })}>All sessions</a>
      </p>
      <h1>Session {session.id}</h1>
      {problem && <p class="problem">{problem}</p>}
      <dl class="facts">
        <dt>Held by</dt>
        <dd>{holder(session)}</dd>
        <dt>State</dt>
        <dd>
          <State session={session} />
        </dd>
        <dt>Current role</dt>
        <dd>{session.currentRole}</dd>
        <dt>Began</dt>
        <dd>
          <Ago atMs={session.createdAtMs} nowMs={nowMs} />
        </dd>
        <dt>Last used</dt>
        <dd>
          <Ago atMs={session.usedAtMs} nowMs={nowMs} />
        </dd>
      </dl>
      <SessionActions session={session} me={me} />
      <Tabs page={page} />
      <LiveTab page={page} />
      <Evidence sessionKey={sessionKey} newest={live} />
      <CallsOf page={page} />
    </>
  );
}

function Tabs({ page: { tabs } }: { page: SessionPage }) {
  return (
    <section aria-labelledby="tabs">
      <h2 id="tabs">Tabs</h2>
      <RecordTable
        name="Open tabs"
        empty="No tab is open."
        columns={[
          { label: "Role", isFree: true },
          { label: "Tab" },
          { label: "Title", isFree: true },
          { label: "Address", isMinor: true, isFree: true },
        ]}
        rows={tabs.map(({ role, id, title, url, current }) => ({
          key: `${role} ${id}`,
          cells: [role, current ? `${id} (current)` : id, title, url],
        }))}
      />
    </section>
  );
}

function CallsOf({ page: { calls } }: { page: SessionPage }) {
  return (
    <section aria-labelledby="calls">
      <h2 id="calls">Calls</h2>
      <RecordTable
        name="Calls of this session, newest first"
        empty="It has made no call yet."
        columns={[
          { label: "Time" },
          { label: "Tool" },
          { label: "Role", isMinor: true, isFree: true },
          { label: "Outcome" },
          { label: "Took", isNumber: true },
        ]}
        rows={calls.toReversed().map((call) => ({
          key: `${call.requestId} ${call.atMs}`,
          cells: [
            clockText(call.atMs),
            <Term text={call.tool} />,
            call.role,
            <>
              <Badge tone={toneOf(call.outcome, "bad")}>{call.outcome}</Badge>
              {call.plan && <Plan text={call.plan} />}
            </>,
            tookText(call.durationMs),
          ],
        }))}
      />
    </section>
  );
}
