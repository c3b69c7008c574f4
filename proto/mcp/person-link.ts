// Shows the link of browser_ask_person to the user of the client, if the client can open links (URL elicitation). The
// model then never reads the link.
import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
} from "@modelcontextprotocol/server";
import { quote } from "../text/quote.ts";
import { findTool } from "../tools/read-tools.ts";
import type { Reply } from "../wire/reply.ts";
import { isObject } from "../wire/struct.ts";

/** The client's answer to the question comes under this name. */
const ANSWER = "person";
const GO_ON =
  "Calls fail with PERSON_AT_WORK while the person is at work. The first reply after the hand-back says what has changed.";
const WORDS = {
  accept: `The user has opened the link. ${GO_ON}`,
  decline: "The user does not want to help. Go on without this step, or say that it needs a person.",
  cancel:
    "The user has closed the question without an answer. Call browser_ask_person again to ask once more.",
} as const;

/** Returns the reply to a call that comes again with the user's answer. Undefined for any other call. */
export function answeredByUser(
  name: string,
  responses: Parameters<typeof inputResponse>[0],
): CallToolResult | undefined {
  const answer = asksPerson(name) ? inputResponse(responses, ANSWER) : undefined;
  return answer?.kind === "elicit"
    ? { content: [{ type: "text", text: WORDS[answer.action] ?? WORDS.cancel }] }
    : undefined;
}

/** Returns the question that shows the link to the user. Undefined if the reply has none, or the client cannot ask. */
export function linkForUser(
  name: string,
  why: unknown,
  { response: { url } }: Reply,
  capabilities: unknown,
): InputRequiredResult | undefined {
  if (!asksPerson(name) || typeof url !== "string" || !opensLinks(capabilities)) return undefined;
  const message = `An agent asks for a person in its browser session: ${quote(String(why))}`;
  return inputRequired({ inputRequests: { [ANSWER]: inputRequired.elicitUrl({ message, url }) } });
}

function asksPerson(name: string): boolean {
  return findTool(name)?.rpc === "AskPerson";
}

function opensLinks(capabilities: unknown): boolean {
  const elicitation = isObject(capabilities) ? capabilities.elicitation : undefined;
  return isObject(elicitation) && isObject(elicitation.url);
}
