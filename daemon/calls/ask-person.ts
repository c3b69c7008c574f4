// The tool browser_ask_person: an agent asks for a person, and gets the link for them.
import { quote } from "../../proto/text/quote.ts";
import { LINK_MS } from "../takeover/links.ts";
import { linkWith } from "../takeover/person-page.ts";
import type { TakeOvers } from "../takeover/take-overs.ts";
import type { OwnTool } from "./execute.ts";

export interface AskPersonParts {
  takeOvers: Pick<TakeOvers, "ask">;
  /** Returns the address of the person's page. Undefined without an HTTP door. */
  takeOverPage: () => string | undefined;
}

/** An agent may always ask for its own session. */
export function askPerson({ takeOvers, takeOverPage }: AskPersonParts): OwnTool {
  return ({ why: given }, { session, role, client }) => {
    const why = String(given);
    const invitation = { key: session.key, role, maker: client };
    const { url, expiresAt } = linkWith(takeOverPage(), () => takeOvers.ask(invitation, why));
    const text = [
      `A person is asked, in role ${role}: ${quote(why)}`,
      `Link: ${url}`,
      `Give the link to one person, word for word. It opens once, within ${LINK_MS / 60_000} minutes, and the console shows the request, too.`,
      "Calls work as before until the person comes, and fail with PERSON_AT_WORK while the person is at work.",
      "The first reply after the hand-back says what has changed.",
    ].join("\n");
    return { text, url, expiresAt };
  };
}
