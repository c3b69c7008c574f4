// The error of a role whose attached browser is not there.
import { type BrokenOff, EFFECT, lookThenGoOn } from "../steps/effect.ts";
import { lostFacts } from "../steps/lost-input.ts";
import { again, say } from "../steps/step-words.ts";
import type { ErrorEntry } from "./entry.ts";

/**
 * `endpoint`: as the configuration writes it. `asks`: the browser seems to wait for a person's permission. `declined`:
 * the person has not given it. The rest is known of a call that was under way.
 */
export interface NotConnectedData extends BrokenOff {
  role: string;
  endpoint: string;
  reason: string;
  asks?: boolean;
  declined?: boolean;
  element?: { role: string; name: string };
}

/** The browser needs some seconds to start. */
const RETRY_AFTER_MS = 2_000;
/** A person needs longer. */
const ASKED_AGAIN_AFTER_MS = 5_000;

export const notConnected: ErrorEntry<NotConnectedData> = {
  title: "Chrome Not Connected",
  example: {
    role: "customer",
    endpoint: "http://127.0.0.1:9222",
    reason: "nothing listens there",
    effect: "none",
  },
  category: "CONNECTION",
  code: "UNAVAILABLE",
  recoverable: ({ declined }) => !declined,
  expected: ({ asks }) => (asks ? "This is often normal before a person has allowed the connection." : false),
  message: ({ role, endpoint, reason }) =>
    `The browser of role '${role}' (${endpoint}) is not connected: ${reason}`,
  facts: (data) => [
    ["Role", data.role],
    ["Browser", data.endpoint],
    ["Reason", data.reason],
    ["The call", EFFECT[data.effect]],
    ...lostFacts(data),
  ],
  why: ({ asks }) =>
    asks
      ? "The role works in a browser that a person runs. It may ask that person now, and the connection goes on waiting."
      : "The role works in a browser that it does not run itself. The next call connects to it again, and the session's tabs are opened again there.",
  causes: ({ asks }) =>
    asks
      ? [
          "Chrome asks the person whether remote debugging is allowed",
          "Another program listens at the address",
        ]
      : ["The browser was closed or has crashed", "Its address is another one, or its network is down"],
  steps: (data, call) => {
    // Each further call would ask the person again.
    if (data.declined)
      return [say(personsTask(data)), say("Call the tool again only when the person agrees")];
    return data.effect === "none"
      ? [again(call, {}, `after ${afterMs(data)} ms`), say(`If it fails again: ${personsTask(data)}`)]
      : [...lookThenGoOn(data, call), say(`If the browser stays away: ${personsTask(data)}`)];
  },
  retry: (data) => (data.declined ? undefined : { afterMs: afterMs(data), sameCall: data.effect === "none" }),
  lastly: personsTask,
  candidates: ({ candidates }) => candidates ?? [],
};

function afterMs({ asks }: NotConnectedData): number {
  return asks ? ASKED_AGAIN_AFTER_MS : RETRY_AFTER_MS;
}

function personsTask({ role, endpoint, asks, declined }: NotConnectedData): string {
  if (declined)
    return `Tell the person at that browser that role ${role} needs it: Chrome asks again at the next call, and Allow lets the role work`;
  if (asks) return `Ask the person at that browser to click Allow in its question "Allow remote debugging?"`;
  return endpoint === "auto"
    ? "Ask the person at that machine to open chrome://inspect/#remote-debugging in Chrome 144 or later, to switch remote debugging on there, and to click Allow when Chrome asks"
    : `Ask the operator of Troupe to start the browser of role ${role} again, so that it listens at ${endpoint}: chrome --remote-debugging-port=PORT --user-data-dir=FOLDER`;
}
