// All sessions, newest use first, with a search.
import { useState } from "preact/hooks";
import type { SessionView } from "../../wire.ts";
import { linkTo } from "../live/router.ts";
import { Ago } from "../parts/ago.tsx";
import { Badge, toneOf } from "../parts/badge.tsx";
import { RecordTable } from "../parts/record-table.tsx";
import { hasWords } from "../parts/search.ts";
import { Term } from "../parts/term.tsx";
import { Ended } from "./ended.tsx";
import type { ViewProps } from "./view.ts";

/** The most rows at once. The search finds the others. */
const ROWS_MAX = 200;

export function Sessions({ state, nowMs }: ViewProps) {
  const [search, setSearch] = useState("");
  const all = Object.values(state.sessions).sort((one, other) => other.usedAtMs - one.usedAtMs);
  const found = all.filter((session) => holds(session, search));
  const shown = found.slice(0, ROWS_MAX);
  return (
    <>
      <h1>Sessions</h1>
      <label for="search">Search</label>
      <input
        id="search"
        type="search"
        value={search}
        placeholder="id, client, program, role, title"
        onInput={(event) => setSearch(event.currentTarget.value)}
      />
      <p class="note" role="status">
        {countText(shown.length, found.length, state.sessionCount)}
      </p>
      <RecordTable
        name="Sessions"
        empty={all.length === 0 ? "No session is open." : "No session has these words."}
        columns={[
          { label: "Session", isFree: true },
          { label: "Held by", isMinor: true, isFree: true },
          { label: "Role", isMinor: true, isFree: true },
          { label: "State" },
          { label: "Last call" },
          { label: "Page", isMinor: true, isFree: true },
        ]}
        rows={shown.map((session) => ({
          key: session.key,
          cells: [
            <a href={linkTo({ view: "session", key: session.key })}>{session.id}</a>,
            holder(session),
            session.currentRole,
            <State session={session} />,
            <LastCall session={session} nowMs={nowMs} />,
            session.title,
          ],
        }))}
      />
      <Ended search={search} nowMs={nowMs} sessionCount={state.sessionCount} />
    </>
  );
}

/** Returns the client and the program that hold a session. */
export function holder({ client, program, door }: SessionView): string {
  return [client, program, door && `by ${door}`].filter(Boolean).join(", ");
}

export function State({ session: { roles } }: { session: SessionView }) {
  if (roles.length === 0) return <Badge tone="quiet">new</Badge>;
  if (roles.some(({ personSinceMs }) => personSinceMs !== null))
    return <Badge tone="busy">a person is at work</Badge>;
  const isAwake = roles.some(({ resting }) => !resting);
  return <Badge tone={isAwake ? "good" : "quiet"}>{isAwake ? "awake" : "at rest"}</Badge>;
}

function LastCall({ session: { lastCall }, nowMs }: { session: SessionView; nowMs: number }) {
  if (!lastCall) return <>–</>;
  return (
    <>
      <Term text={lastCall.tool} /> <Badge tone={toneOf(lastCall.outcome, "bad")}>{lastCall.outcome}</Badge>{" "}
      <Ago atMs={lastCall.atMs} nowMs={nowMs} />
    </>
  );
}

function holds(session: SessionView, search: string): boolean {
  const { key, program, currentRole, title } = session;
  return hasWords([key, program, currentRole, title].join("\n"), search);
}

function countText(shown: number, found: number, all: number): string {
  if (shown < found) return `${shown} of ${found} found, ${all} in all`;
  return found === all ? `${all} open` : `${found} of ${all}`;
}
