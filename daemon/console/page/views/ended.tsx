// The sessions that have ended and whose evidence is still kept.
import { useEffect, useState } from "preact/hooks";
import type { EndedSession } from "../../wire.ts";
import { api } from "../live/api.ts";
import { linkTo } from "../live/router.ts";
import { Ago } from "../parts/ago.tsx";
import { RecordTable } from "../parts/record-table.tsx";
import { hasWords } from "../parts/search.ts";

interface EndedProps {
  /** Words that the shown sessions have. */
  search: string;
  nowMs: number;
  /** The number of open sessions. If it changes, one may have ended. */
  sessionCount: number;
}

export function Ended({ search, nowMs, sessionCount }: EndedProps) {
  const [all, setAll] = useState<EndedSession[]>([]);
  useEffect(() => {
    let isCurrent = true;
    api.ended().then(
      (read) => isCurrent && setAll(read),
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [sessionCount]);
  if (all.length === 0) return null;
  const found = all.filter(({ key }) => hasWords(key, search));
  return (
    <section aria-labelledby="ended">
      <h2 id="ended">Ended, with evidence</h2>
      <RecordTable
        name="Ended sessions, newest evidence first"
        empty="No ended session has these words."
        columns={[{ label: "Session", isFree: true }, { label: "Last recorded call" }]}
        rows={found.map(({ key, newestMs }) => ({
          key,
          cells: [
            <a href={linkTo({ view: "session", key })}>{key}</a>,
            <Ago atMs={newestMs} nowMs={nowMs} />,
          ],
        }))}
      />
    </section>
  );
}
