// The actions of agents that wait for a person. It stands first, because agents wait.
import type { WaitView } from "../../wire.ts";
import { linkTo } from "../live/router.ts";
import { Ago } from "../parts/ago.tsx";

export function Waits({ waits, nowMs }: { waits: readonly WaitView[]; nowMs: number }) {
  if (waits.length === 0) return null;
  return (
    <section aria-labelledby="waits">
      <h2 id="waits">Waits for a person</h2>
      <ul class="cards">
        {waits.map(({ key, what, sinceMs }) => (
          <li key={`${key} ${sinceMs}`} class="card">
            <p>{what}</p>
            <p>
              <a href={linkTo({ view: "session", key })}>{key}</a>, <Ago atMs={sinceMs} nowMs={nowMs} />
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
