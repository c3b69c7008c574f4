// The actions of a person on a session. Each entry of the list is one.
import type { Me, SessionView } from "../../wire.ts";
import { api } from "../live/api.ts";
import { linkTo } from "../live/router.ts";
import { Action } from "../parts/action.tsx";
import { whyReadOnly } from "./view.ts";

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
    label: "Close",
    name: ({ id }) => `Close session ${id}`,
    question: "It ends with its tabs in every role. Its agent is told at its next call.",
    // A client may close its own sessions.
    refused: ({ client }, me) => (client === me.client ? undefined : whyReadOnly(me)),
    run: async ({ key }) => {
      await api.closeSession(key);
      location.hash = linkTo({ view: "sessions" });
    },
  },
];

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
