// The actions of a person on a session. Each entry of the list is one.
import type { Me, SessionView } from "../../wire.ts";
import { api } from "../live/api.ts";
import { linkTo } from "../live/router.ts";
import { Action } from "../parts/action.tsx";
import { TAKE_OVER_QUESTION, takeOver, whyReadOnly } from "./view.ts";

const TAKEN = "A person is at work in it.";
const NOT_TAKEN = "Hand back: no person is at work in it.";

interface SessionAction {
  label: string;
  name(session: SessionView): string;
  question: string;
  /** Why this person may not; undefined if the person may. */
  refused(session: SessionView, me: Me): string | undefined;
  run(session: SessionView): Promise<unknown>;
}

const SESSION_ACTIONS: readonly SessionAction[] = [
  {
    label: "Take over",
    name: ({ id }) => `Take over session ${id}`,
    question: TAKE_OVER_QUESTION,
    refused: (session, me) => whyNotTheirs(session, me) ?? (isTaken(session) ? TAKEN : undefined),
    run: ({ key, currentRole }) => takeOver(key, currentRole),
  },
  {
    label: "Hand back",
    name: ({ id }) => `Hand back session ${id}`,
    question: "The person who is at work there loses the session, and its agent goes on.",
    refused: (session, me) => whyNotTheirs(session, me) ?? (isTaken(session) ? undefined : NOT_TAKEN),
    run: ({ key, currentRole }) => api.handBack(key, currentRole),
  },
  {
    label: "Close",
    name: ({ id }) => `Close session ${id}`,
    question: "It ends with its tabs in every role. Its agent is told at its next call.",
    refused: whyNotTheirs,
    run: async ({ key }) => {
      await api.closeSession(key);
      location.hash = linkTo({ view: "sessions" });
    },
  },
];

/** A client may do so with its own sessions. */
function whyNotTheirs({ client }: SessionView, me: Me): string | undefined {
  return client === me.client ? undefined : whyReadOnly(me);
}

function isTaken({ roles, currentRole }: SessionView): boolean {
  return roles.some(({ role, personSinceMs }) => role === currentRole && personSinceMs !== null);
}

export function SessionActions({ session, me }: { session: SessionView; me: Me }) {
  const refusals = new Set(SESSION_ACTIONS.flatMap((action) => action.refused(session, me) ?? []));
  return (
    <>
      <div class="buttons">
        {SESSION_ACTIONS.map((action) => (
          <Action
            key={action.label}
            label={action.label}
            name={action.name(session)}
            question={action.question}
            refused={action.refused(session, me)}
            run={() => action.run(session)}
          />
        ))}
      </div>
      {[...refusals].map((reason) => (
        <p key={reason} class="note">
          {reason}
        </p>
      ))}
    </>
  );
}
