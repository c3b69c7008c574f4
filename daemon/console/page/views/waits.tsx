// The agents that wait for a person. It stands first, because agents wait.
import type { Me, SessionView, WaitView } from "../../wire.ts";
import { linkTo } from "../live/router.ts";
import { Action } from "../parts/action.tsx";
import { Ago } from "../parts/ago.tsx";
import { TAKE_OVER_QUESTION, takeOver, whyReadOnly } from "./view.ts";

interface WaitsProps {
  waits: readonly WaitView[];
  sessions: Readonly<Record<string, SessionView>>;
  me: Me;
  nowMs: number;
}

export function Waits({ waits, sessions, me, nowMs }: WaitsProps) {
  if (waits.length === 0) return null;
  return (
    <section aria-labelledby="waits">
      <h2 id="waits">Waits for a person</h2>
      <ul class="cards">
        {waits.map((wait) => (
          <li key={`${wait.kind} ${wait.key} ${wait.role} ${wait.sinceMs}`} class="card">
            <p>{wait.why}</p>
            <p>
              <a href={linkTo({ view: "session", key: wait.key })}>{wait.key}</a> in role {wait.role},{" "}
              <Ago atMs={wait.sinceMs} nowMs={nowMs} />
            </p>
            <Answer
              wait={wait}
              refused={sessions[wait.key]?.client === me.client ? undefined : whyReadOnly(me)}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The action that ends the wait. */
function Answer({ wait: { key, role }, refused }: { wait: WaitView; refused: string | undefined }) {
  return (
    <Action
      label="Take over"
      name={`Take over session ${key}`}
      question={TAKE_OVER_QUESTION}
      refused={refused}
      run={() => takeOver(key, role)}
    />
  );
}
