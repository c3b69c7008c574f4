// The agents that wait for a person. It stands first, because agents wait.
import type { ApprovalWait, HelpWait, Me, SessionView, WaitView } from "../../wire.ts";
import { api } from "../live/api.ts";
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
  const isOwn = (key: string) => sessions[key]?.client === me.client;
  return (
    <section aria-labelledby="waits">
      <h2 id="waits">Waits for a person</h2>
      <ul class="cards">
        {waits.map((wait) => (
          <li key={`${wait.kind} ${wait.key} ${wait.role} ${wait.sinceMs} ${idOf(wait)}`} class="card">
            <h3>{wait.why}</h3>
            <p>
              <a href={linkTo({ view: "session", key: wait.key })}>{wait.key}</a> in role {wait.role},{" "}
              <Ago atMs={wait.sinceMs} nowMs={nowMs} />
            </p>
            {wait.kind === "help" ? (
              <TakeOver wait={wait} refused={isOwn(wait.key) ? undefined : whyReadOnly(me)} />
            ) : (
              <Decision wait={wait} nowMs={nowMs} refused={whyReadOnly(me)} />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function idOf(wait: WaitView): string {
  return wait.kind === "approval" ? wait.id : "";
}

function TakeOver({ wait: { key, role }, refused }: { wait: HelpWait; refused: string | undefined }) {
  return (
    <div class="buttons">
      <Action
        label="Take over"
        name={`Take over session ${key}`}
        question={TAKE_OVER_QUESTION}
        refused={refused}
        run={() => takeOver(key, role)}
      />
    </div>
  );
}

interface DecisionProps {
  wait: ApprovalWait;
  nowMs: number;
  /** Why the person may not decide. */
  refused: string | undefined;
}

function Decision({ wait: { id, why, page, endsMs }, nowMs, refused }: DecisionProps) {
  return (
    <>
      {page && <p>from {page}</p>}
      {endsMs !== null && (
        <p>
          refused by itself <Ago atMs={endsMs} nowMs={nowMs} />
        </p>
      )}
      <div class="buttons">
        <Action
          label="Approve"
          name={`Approve ${why}`}
          question="The page's request is sent as it is. This cannot be taken back."
          refused={refused}
          run={() => api.decideApproval(id, false)}
        />
        <Action
          label="Deny"
          name={`Deny ${why}`}
          question="The request is not sent. The agent is told who denied it."
          refused={refused}
          run={() => api.decideApproval(id, true)}
        />
      </div>
    </>
  );
}
